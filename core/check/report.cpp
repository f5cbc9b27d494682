#include "core/check/report.h"

#include "core/base/error.h"

#include <algorithm>

namespace selvage
{
namespace
{

template <class T> void note(Listed<T>& found, const T& item, std::size_t max_listed)
{
    if (found.list.size() < max_listed) found.list.push_back(item);
    ++found.count;
}

bool exceeds_limit(const ObjectStrain& s) { return !s.strain.above_limit.empty(); }

bool passes(const CheckReport& r)
{
    return r.non_finite.count == 0 && r.coincident.count == 0 &&
           (r.degenerate.count == 0 || r.options.allow_degenerate) &&
           r.intersections.crossing_count == 0 && r.gaps.count == 0 && r.below_planes.count == 0 &&
           r.in_volumes.count == 0 && r.passings.count == 0 &&
           std::none_of(r.strain.begin(), r.strain.end(), exceeds_limit);
}

void check_elements(const Elements& e, CheckReport& r)
{
    const std::size_t max_listed = r.options.max_listed;
    const std::int32_t judged = r.options.judged_objects;
    for (const std::int32_t p : e.non_finite) note(r.non_finite, e.point_id(p), max_listed);
    for (const auto& t : e.triangles)
        if (t.object < judged &&
            are_collinear(e.x[std::size_t(t.points[0])], e.x[std::size_t(t.points[1])],
                          e.x[std::size_t(t.points[2])]))
            note(r.degenerate, e.id(t), max_listed);
    for (const auto& pair : find_coincident_triangles(e))
        if (std::min(pair.a.object, pair.b.object) < judged) note(r.coincident, pair, max_listed);
}

void check_gap(const Elements& e, CheckReport& r)
{
    const GapOptions gap{r.options.skip_curve_roots, r.options.judged_objects};
    const double thickness = r.options.thickness;
    if (r.options.measure_gap || thickness > 0)
        r.smallest_gap = smallest_gap(e, r.options.measure_gap ? infinity : thickness, gap);
    if (r.smallest_gap && r.smallest_gap->distance < thickness)
        r.gaps = gaps_below(e, thickness, r.options.max_listed, gap);
    if (r.options.measure_gap && !r.intersections.crossing.empty()) {
        const IntersectionPair& first = r.intersections.crossing.front();
        r.smallest_gap = GapPair{0, first.edge, first.triangle};
    }
}

void check_passings(const std::vector<NamedGeometry>& before, const Elements& e, CheckReport& r)
{
    const Elements then = gather_elements(before);
    const auto same = [](const auto& a, const auto& b) {
        return a.size() == b.size() &&
               std::equal(a.begin(), a.end(), b.begin(),
                          [](const auto& p, const auto& q) { return p.points == q.points; });
    };
    if (then.x.size() != e.x.size() || !same(then.edges, e.edges) ||
        !same(then.triangles, e.triangles))
        throw InputError("Points or primitives have changed since the frame before: what passed in "
                         "between cannot be told.");
    for (const Passing& p : find_passings(then, e, r.options.skip_curve_roots))
        note(r.passings, p, r.options.max_listed);
}

} // namespace

CheckReport check_geometry(const std::vector<NamedGeometry>& objects, const CheckOptions& options,
                           const std::vector<NamedGeometry>* before)
{
    const Elements e = gather_elements(objects);
    CheckReport r;
    r.options = options;
    r.options.max_listed = std::max<std::size_t>(options.max_listed, 1);
    r.objects = e.objects;
    r.points = e.x.size();
    r.triangles = e.triangles.size();
    r.curve_segments = std::size_t(
        std::count_if(e.edges.begin(), e.edges.end(), [](const auto& s) { return s.curve; }));

    check_elements(e, r);
    r.intersections = find_intersections(e, {r.options.max_listed, options.skip_curve_roots,
                                             options.allow_released, options.judged_objects});
    check_gap(e, r);
    if (before) check_passings(*before, e, r);
    for (const PointAtPlane& p :
         points_below(e, options.planes, options.thickness, options.allow_released))
        note(r.below_planes, p, r.options.max_listed);
    for (const PlaceInVolume& p :
         places_in_volumes(e, objects, options.thickness, options.allow_released))
        note(r.in_volumes, p, r.options.max_listed);
    for (std::size_t k = 0; k < objects.size(); ++k)
        if (objects[k].rest)
            r.strain.push_back(
                {std::int32_t(k), measure_strain(objects[k].name, objects[k].geometry,
                                                 *objects[k].rest, options.strain_limit)});
    r.ok = passes(r);
    return r;
}

} // namespace selvage
