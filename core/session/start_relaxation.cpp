#include "core/session/start_relaxation.h"

#include "core/contact/start_check.h"
#include "core/model/scene_contact.h"
#include "core/model/strand_pairs.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

constexpr int most_steps = 400;
/// Steps without fewer released points and pairs after which nothing more is to be expected.
constexpr int patience = 60;

/// What is not free at the end: pairs, and points inside colliders.
struct Rest {
    std::vector<OffendingPair> pairs;
    std::vector<ReleasedVertex> points;

    Rest(const Scene& scene, const ContactMesh& mesh, const State& state)
    {
        VecX all(state.x.size() + state.colliders.size());
        all << state.x, state.colliders;
        pairs = find_offending_pairs(mesh, all, strand_pair_filter(scene, mesh));
        for (const ReleasedVertex& r : state.released.vertices)
            if (!mesh.simulated(mesh.first_vertex(r.body))) points.push_back(r);
    }
    std::string list(const ContactMesh& mesh) const
    {
        constexpr std::size_t most_told = 5;
        std::string text;
        for (std::size_t i = 0; i < std::min(pairs.size(), most_told); ++i)
            text += "\n  " + describe(mesh, pairs[i]);
        return text + (points.empty() ? "" : "\n" + describe(mesh, points));
    }
};

std::size_t count(const Releases& r) { return r.vertices.size() + r.pairs.size(); }

} // namespace

StepStatus relax_start(StartRelaxation r, State& state, LogSink& log, const Cancel& cancel)
{
    r.drive.gravity.setZero();
    r.drive.wind.setZero();
    r.drive.turbulence = {};
    r.drive.draw_apart = true;
    State now = state;
    std::size_t fewest = count(now.released);
    int steps = 0;
    for (int idle = 0; steps < most_steps && idle < patience && !now.released.empty(); ++steps) {
        now.v.setZero();
        now.rod_spins.setZero();
        now.h_prev = 0;
        const StepReport report = r.stepper.step(r.drive, now, r.h, r.settings, cancel);
        if (!report.ok()) return report.status;
        idle = count(now.released) < fewest ? 0 : idle + 1;
        fewest = std::min(fewest, count(now.released));
    }
    const double moved = (now.x - state.x).lpNorm<Eigen::Infinity>();
    state.x = now.x;
    state.rod_directors = now.rod_directors;
    state.rod_twists = now.rod_twists;
    state.colliders = now.colliders;
    if (now.released.empty()) {
        state.released = {};
        log.message(Severity::info,
                    fmt::format("At frame {}, all that was tangled came apart in {} steps; points "
                                "moved by up to {:.2g} m.",
                                r.frame, steps, moved));
        return StepStatus::converged;
    }
    const ContactMesh mesh = scene_contact_mesh(r.scene, /*strand_points*/ true);
    const Rest rest(r.scene, mesh, now);
    state.released = releases_for(mesh, rest.pairs);
    state.released.add(rest.points);
    log.message(
        Severity::warning,
        fmt::format("At frame {}, {} pairs of surfaces and {} points inside colliders could "
                    "not be drawn apart in {} steps; they will not collide until they are:{}",
                    r.frame, rest.pairs.size(), rest.points.size(), steps, rest.list(mesh)));
    return StepStatus::converged;
}

} // namespace selvage
