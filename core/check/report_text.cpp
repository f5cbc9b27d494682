#include "core/check/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace selvage
{
namespace
{

using Json = nlohmann::ordered_json;

std::vector<std::int32_t> used_points(const ElementId& id)
{
    std::vector<std::int32_t> points;
    for (const std::int32_t p : id.points)
        if (p >= 0) points.push_back(p);
    return points;
}

/// "cape primitive 12 (points 3, 4)".
std::string name(const CheckReport& r, const ElementId& id)
{
    const std::vector<std::int32_t> points = used_points(id);
    const std::string& object = r.objects[std::size_t(id.object)];
    if (id.primitive < 0) return fmt::format("{} point {}", object, points[0]);
    return fmt::format("{} primitive {} (point{} {})", object, id.primitive,
                       points.size() > 1 ? "s" : "", fmt::join(points, ", "));
}

std::string counted(std::size_t count, const char* singular, const char* plural)
{
    return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

/// A heading, then at most five of the listed findings.
template <class List, class Line>
void add_section(std::string& text, const std::string& heading, const List& list, std::size_t count,
                 Line&& line)
{
    constexpr std::size_t shown = 5;
    if (count == 0) return;
    text += heading + ":\n";
    for (std::size_t i = 0; i < std::min(shown, list.size()); ++i)
        text += "  " + line(list[i]) + "\n";
    if (count > shown) text += fmt::format("  ... and {} more\n", count - shown);
}

Json json(const CheckReport& r, const ElementId& id)
{
    Json out = {{"object", r.objects[std::size_t(id.object)]}, {"points", used_points(id)}};
    out["primitive"] = id.primitive >= 0 ? Json(id.primitive) : Json();
    return out;
}

template <class List, class Item> Json json_list(const List& list, std::size_t count, Item&& item)
{
    Json items = Json::array();
    for (const auto& entry : list) items.push_back(item(entry));
    return {{"count", count}, {"list", std::move(items)}};
}

Json json(const StretchAt& s)
{
    if (s.primitive < 0) return nullptr;
    return {{"stretch", s.stretch}, {"primitive", s.primitive}};
}

} // namespace

std::string report_text(const CheckReport& r)
{
    std::string text = fmt::format("{} in {}: {}, {}.\n", counted(r.points, "point", "points"),
                                   counted(r.objects.size(), "object", "objects"),
                                   counted(r.triangles, "triangle", "triangles"),
                                   counted(r.curve_segments, "curve segment", "curve segments"));
    const auto element = [&](const ElementId& id) { return name(r, id); };
    const auto edge_and_triangle = [&](const IntersectionPair& p) {
        return "edge of " + name(r, p.edge) + " and " + name(r, p.triangle);
    };
    const auto& found = r.intersections;
    add_section(text, counted(r.non_finite.count, "point is", "points are") + " not finite",
                r.non_finite.list, r.non_finite.count, element);
    add_section(text, counted(r.degenerate.count, "triangle has", "triangles have") + " no area",
                r.degenerate.list, r.degenerate.count, element);
    add_section(
        text, counted(r.coincident.count, "triangle lies", "triangles lie") + " exactly on another",
        r.coincident.list, r.coincident.count,
        [&](const CoincidentTriangles& c) { return name(r, c.a) + " and " + name(r, c.b); });
    add_section(text, counted(found.crossing_count, "intersection", "intersections"),
                found.crossing, found.crossing_count, edge_and_triangle);
    if (found.released_count > 0)
        text += counted(found.released_count, "intersection", "intersections") +
                " of released points (allowed)\n";
    add_section(text,
                counted(found.touching_count, "contact", "contacts") +
                    " at coinciding points (unfused seams; not an error)",
                found.touching, found.touching_count, edge_and_triangle);
    if (r.smallest_gap)
        text += fmt::format("Smallest gap {:.6g} m: {} and {}.\n", r.smallest_gap->distance,
                            name(r, r.smallest_gap->a), name(r, r.smallest_gap->b));
    add_section(text,
                counted(r.gaps.count, "pair is", "pairs are") +
                    fmt::format(" nearer than {:.6g} m", r.options.thickness),
                r.gaps.closest, r.gaps.count, [&](const GapPair& g) {
                    return fmt::format("{:.6g} m: {} and {}", g.distance, name(r, g.a),
                                       name(r, g.b));
                });
    add_section(text,
                counted(r.passings.count, "pair has", "pairs have") +
                    " passed each other since the frame before",
                r.passings.list, r.passings.count, [&](const Passing& p) {
                    return fmt::format("{} and {}", name(r, p.a), name(r, p.b));
                });
    add_section(text,
                counted(r.below_planes.count, "point is", "points are") +
                    " behind a plane or nearer to it than the thickness",
                r.below_planes.list, r.below_planes.count, [&](const PointAtPlane& p) {
                    return fmt::format("{:.6g} m over plane {}: {}", p.height, p.plane + 1,
                                       name(r, p.point));
                });
    add_section(text,
                counted(r.in_volumes.count, "element is", "elements are") +
                    " inside a volume or nearer to it than the thickness",
                r.in_volumes.list, r.in_volumes.count, [&](const PlaceInVolume& p) {
                    return fmt::format("{:.6g} m from '{}': {}", p.distance,
                                       r.objects[std::size_t(p.volume)], name(r, p.element));
                });
    for (const ObjectStrain& s : r.strain) {
        const std::string& object = r.objects[std::size_t(s.object)];
        if (s.strain.largest.primitive >= 0)
            text +=
                fmt::format("{}: stretch from {:.6g} (primitive {}) to {:.6g} (primitive {}).\n",
                            object, s.strain.smallest.stretch, s.strain.smallest.primitive,
                            s.strain.largest.stretch, s.strain.largest.primitive);
        add_section(text,
                    fmt::format("{}: {} stretched by more than {:.6g} %", object,
                                counted(s.strain.above_limit.size(), "primitive", "primitives"),
                                100 * r.options.strain_limit),
                    s.strain.above_limit, s.strain.above_limit.size(),
                    [](std::int32_t p) { return fmt::format("primitive {}", p); });
        add_section(text, object + ": no rest area or length, strain not measured",
                    s.strain.no_rest, s.strain.no_rest.size(),
                    [](std::int32_t p) { return fmt::format("primitive {}", p); });
    }
    return text + (r.ok ? "OK\n" : "FAILED\n");
}

std::string report_json(const CheckReport& r)
{
    const auto element = [&](const ElementId& id) { return json(r, id); };
    const auto edge_and_triangle = [&](const IntersectionPair& p) {
        return Json{{"edge", json(r, p.edge)}, {"triangle", json(r, p.triangle)}};
    };
    const auto gap = [&](const GapPair& g) {
        return Json{{"distance", g.distance}, {"a", json(r, g.a)}, {"b", json(r, g.b)}};
    };
    const auto& found = r.intersections;
    Json out = {{"ok", r.ok},
                {"objects", r.objects},
                {"points", r.points},
                {"triangles", r.triangles},
                {"curve_segments", r.curve_segments}};
    out["non_finite"] = json_list(r.non_finite.list, r.non_finite.count, element);
    out["degenerate"] = json_list(r.degenerate.list, r.degenerate.count, element);
    out["coincident"] =
        json_list(r.coincident.list, r.coincident.count, [&](const CoincidentTriangles& c) {
            return Json{{"a", json(r, c.a)}, {"b", json(r, c.b)}};
        });
    out["crossing"] = json_list(found.crossing, found.crossing_count, edge_and_triangle);
    if (r.options.allow_released) out["released_crossing"] = found.released_count;
    out["touching"] = json_list(found.touching, found.touching_count, edge_and_triangle);
    out["passing"] = json_list(r.passings.list, r.passings.count, [&](const Passing& p) {
        return Json{{"a", json(r, p.a)}, {"b", json(r, p.b)}, {"time", p.time}};
    });
    out["min_gap"] = r.smallest_gap ? gap(*r.smallest_gap) : Json();
    out["thickness"] = r.options.thickness;
    out["gaps_below_thickness"] = json_list(r.gaps.closest, r.gaps.count, gap);
    if (!r.options.planes.empty())
        out["below_planes"] =
            json_list(r.below_planes.list, r.below_planes.count, [&](const PointAtPlane& p) {
                return Json{{"height", p.height}, {"plane", p.plane}, {"point", json(r, p.point)}};
            });
    if (r.in_volumes.count > 0)
        out["in_volumes"] =
            json_list(r.in_volumes.list, r.in_volumes.count, [&](const PlaceInVolume& p) {
                return Json{{"distance", p.distance},
                            {"volume", r.objects[std::size_t(p.volume)]},
                            {"element", json(r, p.element)}};
            });
    out["strain"] = Json::array();
    for (const ObjectStrain& s : r.strain)
        out["strain"].push_back({{"object", r.objects[std::size_t(s.object)]},
                                 {"largest", json(s.strain.largest)},
                                 {"smallest", json(s.strain.smallest)},
                                 {"limit", r.options.strain_limit},
                                 {"above_limit", s.strain.above_limit},
                                 {"no_rest", s.strain.no_rest}});
    // Names that are not UTF-8 are repaired rather than refused.
    return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace selvage
