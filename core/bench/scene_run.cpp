#include "core/bench/scene_run.h"

#include "core/check/report.h"
#include "core/geometry/mesh_topology.h"
#include "core/geometry/triangulate.h"

#include <Eigen/Geometry>

#include <cmath>
#include <ctime>

namespace selvage
{
namespace
{

bool any_inverted(const Scene& scene, const VecX& x)
{
    for (const Solid& s : scene.solids)
        for (const Vec4i& t : s.tets) {
            const auto at = [&](int i) { return x.segment<3>(3 * (s.first_vertex + t[i])); };
            Mat3 edges;
            edges << at(1) - at(0), at(2) - at(0), at(3) - at(0);
            if (!(edges.determinant() > 0)) return true;
        }
    return false;
}

/// What 32 bits per coordinate do to the stretch of the shortest edge.
double stretch_rounding(const Geometry& rest, const Geometry& written)
{
    const VecX X = rest.positions();
    double shortest = infinity;
    for (const Vec2i& e : mesh_topology(triangulate(rest).triangles).edges)
        shortest = std::min(shortest, (X.segment<3>(3 * e[0]) - X.segment<3>(3 * e[1])).norm());
    const double farthest =
        std::max(X.lpNorm<Eigen::Infinity>(), written.positions().lpNorm<Eigen::Infinity>());
    return 4 * std::ldexp(farthest, -24) / shortest;
}

/// By the checker's own measure against the rest geometry, where the rest shape is the input's: as
/// written, and without any allowance for rounding as solved.
bool any_overstretched(const SessionSetup& setup, const Scene& scene, const State& state,
                       const FrameResult& r)
{
    constexpr double solved_rounding = 1e-12;
    for (std::size_t i = 0; i < setup.cloths.size(); ++i) {
        const ClothSetup& c = setup.cloths[i];
        const double limit = c.cloth.has("stretch_limit") ? c.cloth.real("stretch_limit") : 0;
        if (limit == 0) continue;
        CheckOptions options;
        options.measure_gap = false;
        const Geometry rest = *c.geometry->at(setup.first_frame());
        options.strain_limit = limit + stretch_rounding(rest, r.objects[i].geometry);
        const CheckReport judged =
            check_geometry({{c.name(), r.objects[i].geometry, rest}}, options);
        for (const ObjectStrain& s : judged.strain)
            if (!s.strain.above_limit.empty()) return true;
        const Cloth& cloth = scene.cloths[i];
        Geometry solved = r.objects[i].geometry;
        solved.set_vectors("P", state.x.segment(3 * cloth.first_vertex, 3 * cloth.point_count()),
                           "point", Storage::real64);
        if (!measure_strain(c.name(), solved, rest, limit + solved_rounding).above_limit.empty())
            return true;
    }
    return false;
}

} // namespace

Vec3 mean_place(const VecX& x, int first, int end)
{
    return x.reshaped(3, x.size() / 3).middleCols(first, end - first).rowwise().mean();
}

Vec3 SceneOutcome::way_of(int object) const
{
    const int first = first_vertex[std::size_t(object)],
              end = first_vertex[std::size_t(object + 1)];
    return mean_place(last().x, first, end) - mean_place(states.front().x, first, end);
}

double process_seconds()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

bool judged_clean(const Session& session, const FrameResult& result, int frame)
{
    std::vector<NamedGeometry> objects;
    for (const NamedResult& o : result.objects)
        objects.push_back({o.name, o.geometry, std::nullopt});
    CheckOptions options;
    options.measure_gap = false;
    if (!check_geometry(objects, options).ok) return false;
    const VecX& reached = session.frame(frame)->state.colliders;
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < session.setup().colliders.size(); ++i) {
        const ColliderSetup& c = session.setup().colliders[i];
        const VecX& start = session.scene().colliders[i].x_start;
        const VecX x = reached.size() > 0 ? reached.segment(first, start.size()) : start;
        first += start.size();
        if (c.is_plane()) {
            const Vec3 a = x.head<3>();
            const Vec3 n = (x.segment<3>(3) - a).cross(x.tail<3>() - a);
            options.planes = {{n, n.dot(a)}};
            if (!check_geometry(objects, options).ok) return false;
            options.planes.clear();
            continue;
        }
        Geometry g = *c.geometry->at(frame);
        if (g.volumes.empty()) g.set_positions(x);
        objects.push_back({c.name(), std::move(g), std::nullopt});
        if (!check_geometry(objects, options).ok) return false;
        objects.pop_back();
    }
    return true;
}

SceneOutcome run_scene(const SessionSetup& setup)
{
    NullLog log;
    Session session(setup, log);
    SceneOutcome out;
    out.frames = setup.last_frame() - setup.first_frame();
    for (const Cloth& c : session.scene().cloths) out.first_vertex.push_back(c.first_vertex);
    for (const Solid& c : session.scene().solids) out.first_vertex.push_back(c.first_vertex);
    out.first_vertex.push_back(session.scene().vertex_count());
    for (int frame = setup.first_frame(); frame <= setup.last_frame(); ++frame) {
        const double start = process_seconds();
        const FrameResult r = session.cook(frame, NeverCancel());
        out.cpu_seconds += process_seconds() - start;
        if (!r.ok()) {
            out.sum.message = r.report.message;
            break;
        }
        out.states.push_back(session.frame(frame)->state);
        out.intersecting += judged_clean(session, r, frame) ? 0 : 1;
        out.inverted += any_inverted(session.scene(), out.states.back().x) ? 1 : 0;
        out.overstretched +=
            any_overstretched(setup, session.scene(), out.states.back(), r) ? 1 : 0;
        out.unconverged += r.report.status == StepStatus::converged ? 0 : 1;
        out.most_contacts = std::max(out.most_contacts, r.report.contacts);
        out.smallest_gap = std::min(out.smallest_gap, r.report.min_gap);
        out.largest_strain = std::max(out.largest_strain, r.report.max_strain);
        out.contact_bytes = std::max(out.contact_bytes, r.report.contact_bytes);
        out.sum.searches += r.report.searches;
        out.sum.iterations += r.report.iterations;
        out.sum.linear_iterations += r.report.linear_iterations;
        out.sum.seconds += r.report.seconds;
        if (!r.report.message.empty()) out.sum.message = r.report.message;
    }
    return out;
}

} // namespace selvage
