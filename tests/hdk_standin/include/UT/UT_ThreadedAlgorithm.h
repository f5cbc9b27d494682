#pragma once
#include <UT/UT_ParallelUtil.h>

#include <atomic>

/// Which share of the work a call does.
class UT_JobInfo
{
public:
    UT_JobInfo(int job, int jobs) : job_(job), jobs_(jobs) {}
    int job() const { return job_; }
    int numJobs() const { return jobs_; }
    int nextTask() const { return next_++; }
    void divideWork(int units, int& start, int& end) const
    {
        start = int(int64(units) * job_ / jobs_);
        end = int(int64(units) * (job_ + 1) / jobs_);
    }

private:
    int job_, jobs_;
    mutable std::atomic<int> next_{0};
};

namespace standin
{
/// Runs partial(info) for each job; one job where threads are not worth it.
template <class Partial> void run_jobs(bool multithread, const Partial& partial)
{
    const int jobs = multithread ? 4 : 1;
    UTparallelFor(UT_BlockedRange<int>(0, jobs), [&](const UT_BlockedRange<int>& r) {
        for (int j = r.begin(); j != r.end(); ++j) partial(UT_JobInfo(j, jobs));
    });
}
} // namespace standin

// THREADED_METHODn(Class, condition, name, type1, parm1, …) declares name(…), which calls
// namePartial(…, const UT_JobInfo&) once per job. _CONST for const methods.
#define THREADED_METHOD_CONST(CLASSNAME, DOMULTI, METHOD)                                          \
    void METHOD() const                                                                            \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) { METHOD##Partial(job); });          \
    }                                                                                              \
    void METHOD##NoThread() const { METHOD##Partial(UT_JobInfo(0, 1)); }
#define THREADED_METHOD(CLASSNAME, DOMULTI, METHOD)                                                \
    void METHOD()                                                                                  \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) { METHOD##Partial(job); });          \
    }                                                                                              \
    void METHOD##NoThread() { METHOD##Partial(UT_JobInfo(0, 1)); }
#define THREADED_METHOD1_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1)                       \
    void METHOD(PARMTYPE1 PARM1) const                                                             \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) { METHOD##Partial(PARM1, job); });   \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1) const { METHOD##Partial(PARM1, UT_JobInfo(0, 1)); }
#define THREADED_METHOD1(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1)                             \
    void METHOD(PARMTYPE1 PARM1)                                                                   \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) { METHOD##Partial(PARM1, job); });   \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1) { METHOD##Partial(PARM1, UT_JobInfo(0, 1)); }
#define THREADED_METHOD2_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2)     \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2) const                                            \
    {                                                                                              \
        standin::run_jobs(DOMULTI,                                                                 \
                          [&](const UT_JobInfo& job) { METHOD##Partial(PARM1, PARM2, job); });     \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2) const                                  \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, UT_JobInfo(0, 1));                                           \
    }
#define THREADED_METHOD2(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2)           \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2)                                                  \
    {                                                                                              \
        standin::run_jobs(DOMULTI,                                                                 \
                          [&](const UT_JobInfo& job) { METHOD##Partial(PARM1, PARM2, job); });     \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2)                                        \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, UT_JobInfo(0, 1));                                           \
    }
#define THREADED_METHOD3_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,     \
                               PARMTYPE3, PARM3)                                                   \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3) const                           \
    {                                                                                              \
        standin::run_jobs(                                                                         \
            DOMULTI, [&](const UT_JobInfo& job) { METHOD##Partial(PARM1, PARM2, PARM3, job); });   \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3) const                 \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, UT_JobInfo(0, 1));                                    \
    }
#define THREADED_METHOD3(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,           \
                         PARMTYPE3, PARM3)                                                         \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3)                                 \
    {                                                                                              \
        standin::run_jobs(                                                                         \
            DOMULTI, [&](const UT_JobInfo& job) { METHOD##Partial(PARM1, PARM2, PARM3, job); });   \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3)                       \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, UT_JobInfo(0, 1));                                    \
    }
#define THREADED_METHOD4_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,     \
                               PARMTYPE3, PARM3, PARMTYPE4, PARM4)                                 \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4) const          \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, job);                                      \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4)      \
        const                                                                                      \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, UT_JobInfo(0, 1));                             \
    }
#define THREADED_METHOD4(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,           \
                         PARMTYPE3, PARM3, PARMTYPE4, PARM4)                                       \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4)                \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, job);                                      \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4)      \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, UT_JobInfo(0, 1));                             \
    }
#define THREADED_METHOD5_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,     \
                               PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5)               \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5) const                                                             \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, job);                               \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5) const                                                   \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, UT_JobInfo(0, 1));                      \
    }
#define THREADED_METHOD5(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,           \
                         PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5)                     \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5)                                                                   \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, job);                               \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5)                                                         \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, UT_JobInfo(0, 1));                      \
    }
#define THREADED_METHOD6_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,     \
                               PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5, PARMTYPE6,    \
                               PARM6)                                                              \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5, PARMTYPE6 PARM6) const                                            \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, job);                        \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5, PARMTYPE6 PARM6) const                                  \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, UT_JobInfo(0, 1));               \
    }
#define THREADED_METHOD6(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,           \
                         PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5, PARMTYPE6, PARM6)   \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5, PARMTYPE6 PARM6)                                                  \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, job);                        \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5, PARMTYPE6 PARM6)                                        \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, UT_JobInfo(0, 1));               \
    }
#define THREADED_METHOD7_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,     \
                               PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5, PARMTYPE6,    \
                               PARM6, PARMTYPE7, PARM7)                                            \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7) const                           \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, job);                 \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7) const                 \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, UT_JobInfo(0, 1));        \
    }
#define THREADED_METHOD7(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,           \
                         PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5, PARMTYPE6, PARM6,   \
                         PARMTYPE7, PARM7)                                                         \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7)                                 \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, job);                 \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7)                       \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, UT_JobInfo(0, 1));        \
    }
#define THREADED_METHOD8_CONST(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,     \
                               PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5, PARMTYPE6,    \
                               PARM6, PARMTYPE7, PARM7, PARMTYPE8, PARM8)                          \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7, PARMTYPE8 PARM8) const          \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, PARM8, job);          \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7, PARMTYPE8 PARM8)      \
        const                                                                                      \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, PARM8, UT_JobInfo(0, 1)); \
    }
#define THREADED_METHOD8(CLASSNAME, DOMULTI, METHOD, PARMTYPE1, PARM1, PARMTYPE2, PARM2,           \
                         PARMTYPE3, PARM3, PARMTYPE4, PARM4, PARMTYPE5, PARM5, PARMTYPE6, PARM6,   \
                         PARMTYPE7, PARM7, PARMTYPE8, PARM8)                                       \
    void METHOD(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,                \
                PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7, PARMTYPE8 PARM8)                \
    {                                                                                              \
        standin::run_jobs(DOMULTI, [&](const UT_JobInfo& job) {                                    \
            METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, PARM8, job);          \
        });                                                                                        \
    }                                                                                              \
    void METHOD##NoThread(PARMTYPE1 PARM1, PARMTYPE2 PARM2, PARMTYPE3 PARM3, PARMTYPE4 PARM4,      \
                          PARMTYPE5 PARM5, PARMTYPE6 PARM6, PARMTYPE7 PARM7, PARMTYPE8 PARM8)      \
    {                                                                                              \
        METHOD##Partial(PARM1, PARM2, PARM3, PARM4, PARM5, PARM6, PARM7, PARM8, UT_JobInfo(0, 1)); \
    }
