#pragma once
#include <GU/GU_Detail.h>

#include <memory>

/// Counts who holds a detail.
class GU_ConstDetailHandle
{
public:
    bool isNull() const { return !gdp_; }
    bool isValid() const { return gdp_ != nullptr; }
    explicit operator bool() const { return isValid(); }
    const GU_Detail* gdp() const { return gdp_.get(); }
    const GU_Detail* readLock() const { return gdp_.get(); }
    void unlock(const GU_Detail*) const {}
    void clear() { gdp_.reset(); }
    long use_count() const { return gdp_.use_count(); }

protected:
    std::shared_ptr<GU_Detail> gdp_;
};

class GU_DetailHandle : public GU_ConstDetailHandle
{
public:
    void allocateAndSet(GU_Detail* gdp, bool own = true)
    {
        gdp_ = own ? std::shared_ptr<GU_Detail>(gdp) : std::shared_ptr<GU_Detail>(gdp, [](auto) {});
    }
    GU_Detail* gdpNC() const { return gdp_.get(); }
    GU_Detail* writeLock() const { return gdp_.get(); }
    void deleteGdp() { gdp_.reset(); }
};

class GU_DetailHandleAutoReadLock
{
public:
    explicit GU_DetailHandleAutoReadLock(const GU_ConstDetailHandle& h) : h_(h) {}
    const GU_Detail* getGdp() const { return h_.gdp(); }
    const GU_Detail* operator->() const { return h_.gdp(); }
    const GU_Detail& operator*() const { return *h_.gdp(); }
    bool isValid() const { return h_.isValid(); }

private:
    GU_ConstDetailHandle h_;
};
class GU_DetailHandleAutoWriteLock
{
public:
    explicit GU_DetailHandleAutoWriteLock(const GU_DetailHandle& h) : h_(h) {}
    GU_Detail* getGdp() const { return h_.gdpNC(); }
    GU_Detail* operator->() const { return h_.gdpNC(); }
    bool isValid() const { return h_.isValid(); }

private:
    GU_DetailHandle h_;
};
