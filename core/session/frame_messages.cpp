#include "core/session/frame_messages.h"

#include "core/model/scene_contact.h"

#include <fmt/format.h>

namespace selvage
{

std::vector<Message> frame_messages(const Scene& scene, const FrameReport& r,
                                    const FrameReport& before)
{
    std::vector<Message> messages;
    const auto say = [&](Severity severity, const std::string& text) {
        messages.push_back({severity, fmt::format("Frame {}: {}", r.frame, text)});
    };
    if (r.status != StepStatus::converged ||
        (r.rest_repairs > 0 && r.rest_repairs != before.rest_repairs) ||
        (r.beyond_limit > 0 && before.beyond_limit == 0))
        say(Severity::warning, r.message);
    if (!r.let_go.empty())
        say(Severity::warning,
            fmt::format("pinched points are let through until they are out again:\n{}",
                        describe(scene_contact_mesh(scene), r.let_go)));
    if (r.released + r.ignored_pairs == 0 && before.released + before.ignored_pairs > 0)
        say(Severity::info, "all that was released collides again.");
    if (r.retries > 0)
        say(Severity::info, fmt::format("{} substeps did not converge and were halved; more "
                                        "substeps avoid that.",
                                        r.retries));
    if (r.broken_links > before.broken_links)
        say(Severity::info, fmt::format("{} links broke, {} in all.",
                                        r.broken_links - before.broken_links, r.broken_links));
    return messages;
}

VecX released_points(const Scene& scene, const Releases& releases)
{
    if (releases.empty()) return {};
    VecX released = VecX::Zero(scene.vertex_count());
    for (const ReleasedVertex& r : releases.vertices) released[r.vertex] = 1;
    if (releases.pairs.empty()) return released;
    const ContactMesh mesh = scene_contact_mesh(scene);
    for (const ContactPair& pair : releases.pairs) {
        std::int32_t v[4];
        const int n = pair_vertices(mesh, pair.kind, {pair.a, pair.b}, v);
        for (int i = 0; i < n; ++i)
            if (mesh.simulated(v[i])) released[v[i]] = 1;
    }
    return released;
}

} // namespace selvage
