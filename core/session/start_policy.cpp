#include "core/session/start_policy.h"

#include "core/base/error.h"
#include "core/contact/start_check.h"
#include "core/model/scene_contact.h"

#include <fmt/format.h>

#include <set>

namespace selvage
{
namespace
{

constexpr std::size_t most_listed = 5;

std::string list_of(const ContactMesh& mesh, const std::vector<OffendingPair>& pairs)
{
    std::string list;
    for (std::size_t i = 0; i < std::min(pairs.size(), most_listed); ++i)
        list += "\n  " + describe(mesh, pairs[i]);
    if (pairs.size() > most_listed)
        list += fmt::format("\n  and {} more", pairs.size() - most_listed);
    return list;
}

/// Points inside closed colliders, of objects that pass through their surface. What lies inside as
/// a whole, as in a box or a room, is there on purpose.
std::vector<ReleasedVertex> buried_vertices(const ContactMesh& mesh, const VecX& x,
                                            const std::vector<OffendingPair>& pairs)
{
    std::set<std::pair<int, int>> crossing;
    for (const OffendingPair& p : pairs)
        if (p.kind == OffendingPair::Kind::piercing) {
            crossing.insert({p.body_a, p.body_b});
            crossing.insert({p.body_b, p.body_a});
        }
    std::vector<ReleasedVertex> buried;
    if (crossing.empty()) return buried;
    for (const ReleasedVertex& r : vertices_inside(mesh, x))
        if (crossing.count({mesh.body(r.vertex), r.body}) > 0) buried.push_back(r);
    return buried;
}

} // namespace

Releases start_releases(const SessionSetup& setup, const Scene& scene, const VecX& x, LogSink& log)
{
    if (!scene.collisions.enabled || (scene.cloths.empty() && scene.solids.empty())) return {};
    const ContactMesh mesh = scene_contact_mesh(scene);
    std::vector<VecX> colliders;
    for (const Collider& c : scene.colliders) colliders.push_back(c.x_start);
    VecX all(x.size() + 3 * mesh.prescribed_count());
    all << x, stacked_colliders(colliders);
    const std::vector<OffendingPair> pairs = find_offending_pairs(mesh, all);
    if (pairs.empty()) return {};
    const std::vector<ReleasedVertex> inside = buried_vertices(mesh, all, pairs);
    if (setup.collision.text("on_intersection") == "error")
        throw InputError(fmt::format(
            "At frame {}, {} pairs of surfaces intersect or are nearer than their thickness:{}\n"
            "Move them apart, lower the thickness, or set collision.on_intersection to "
            "\"ignore_pairs\".",
            setup.first_frame(), pairs.size(), list_of(mesh, pairs)));
    std::string text = fmt::format(
        "At frame {}, {} pairs of surfaces intersect or are nearer than their thickness; they will "
        "not collide until they are apart:{}",
        setup.first_frame(), pairs.size(), list_of(mesh, pairs));
    if (!inside.empty())
        text += fmt::format("\n{} points start inside colliders and are drawn out:\n{}",
                            inside.size(), describe(mesh, inside));
    log.message(Severity::warning, text);
    Releases releases;
    releases.add(inside);
    releases.add(pairs_to_ignore(mesh, pairs));
    return releases;
}

} // namespace selvage
