#include "core/session/start_policy.h"

#include "core/base/error.h"
#include "core/contact/start_check.h"
#include "core/model/scene_contact.h"
#include "core/model/strand_pairs.h"

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

/// Points behind one-sided colliders, and inside other closed ones where their object passes
/// through the surface: what lies inside those as a whole, as in a box or a room, is there on
/// purpose.
std::vector<ReleasedVertex> buried_vertices(const ContactMesh& mesh, const VecX& x,
                                            const std::vector<OffendingPair>& pairs)
{
    std::set<std::pair<int, int>> crossing;
    for (const OffendingPair& p : pairs)
        if (p.kind == OffendingPair::Kind::piercing) {
            crossing.insert({p.body_a, p.body_b});
            crossing.insert({p.body_b, p.body_a});
        }
    std::vector<ReleasedVertex> buried = vertices_behind(mesh, x);
    if (crossing.empty()) return buried;
    for (const ReleasedVertex& r : vertices_inside(mesh, x))
        if (!mesh.one_sided(r.body) && crossing.count({mesh.body(r.vertex), r.body}) > 0)
            buried.push_back(r);
    return buried;
}

/// Method `hair` starts from anything.
bool judges(const SessionSetup& setup, const Scene& scene)
{
    return scene.collisions.enabled && setup.solver.text("method") != "hair";
}

/// Of the mesh with these colliders; `relax` may say how they come apart.
Releases releases_at(const SessionSetup& setup, const Scene& scene, const ContactMesh& mesh,
                     const VecX& x, const std::vector<VecX>& colliders, int frame, bool may_relax,
                     LogSink& log)
{
    VecX all(x.size() + 3 * mesh.prescribed_count());
    all << x, stacked_colliders(colliders);
    const std::vector<OffendingPair> pairs =
        find_offending_pairs(mesh, all, strand_pair_filter(scene, mesh));
    const std::vector<ReleasedVertex> inside =
        without_roots(scene, buried_vertices(mesh, all, pairs));
    if (pairs.empty() && inside.empty()) return {};
    std::string text = fmt::format(
        "At frame {}, {} pairs of surfaces intersect or are nearer than their thickness", frame,
        pairs.size());
    const std::string buried =
        inside.empty() ? "" : fmt::format("{} points start inside colliders", inside.size());
    if (setup.collision.text("on_intersection") == "error")
        throw InputError(fmt::format(
            "{}:{}{}\nMove them apart, lower the thickness, or set collision.on_intersection to "
            "\"relax\" or \"ignore_pairs\".",
            text, list_of(mesh, pairs),
            inside.empty() ? "" : "\n" + buried + ":\n" + describe(mesh, inside)));
    const bool relax = may_relax && setup.collision.text("on_intersection") == "relax";
    text += relax ? "; they are drawn apart before the first frame:"
                  : "; they will not collide until they are apart:";
    text += list_of(mesh, pairs);
    if (!inside.empty()) text += "\n" + buried + " and are drawn out:\n" + describe(mesh, inside);
    log.message(Severity::warning, text);
    Releases releases = releases_for(mesh, pairs);
    releases.add(inside);
    return releases;
}

} // namespace

Releases start_releases(const SessionSetup& setup, const Scene& scene, const VecX& x, LogSink& log)
{
    if (!judges(setup, scene)) return {};
    std::vector<VecX> colliders;
    for (const Collider& c : scene.colliders) colliders.push_back(c.x_start);
    return releases_at(setup, scene, scene_contact_mesh(scene, /*strand_points*/ true), x,
                       colliders, setup.first_frame(), /*may_relax*/ true, log);
}

Releases releases_among(const SessionSetup& setup, const Scene& scene, const VecX& x,
                        const Drive& drive, int frame, LogSink& log)
{
    if (!judges(setup, scene)) return {};
    ContactMesh mesh = scene_contact_mesh(scene, /*strand_points*/ true);
    use_fields(scene, drive.fields,
               [&](int body, const auto& field) { mesh.set_field(body, field); });
    return releases_at(setup, scene, mesh, x, drive.collider_1, frame, /*may_relax*/ false, log);
}

} // namespace selvage
