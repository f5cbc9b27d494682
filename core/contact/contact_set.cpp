#include "core/contact/contact_set.h"

#include "core/base/parallel.h"
#include "core/contact/mollifier.h"
#include "core/contact/plane.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace selvage
{
namespace
{

constexpr std::size_t pair_grain = 2048;

/// What one chunk of candidates contributes.
struct Part {
    std::array<std::vector<ContactStencil>, 4> contacts;
    std::vector<MollifiedContact> mollified;
    std::vector<FieldContact> fields;
    double min_gap = infinity;
};

void classify_probe(const ContactMesh& mesh, const CandidatePair& pair, const VecX& x, double d_hat,
                    Part& part)
{
    const FieldProbe& probe = mesh.probes()[std::size_t(pair.a)];
    const Vec3 y = probe_place(probe, x);
    const std::int32_t carrier = mesh.field_vertex(pair.b);
    const double time = x[3 * Eigen::Index(carrier)], xi = probe_thickness(mesh, probe, pair.b);
    const double value = mesh.field(pair.b).value(y, time);
    if (value >= xi + d_hat) return;
    part.min_gap = std::isnan(value) ? -infinity : std::min(part.min_gap, value - xi);
    part.fields.push_back({{probe.vertices[0], probe.vertices[1], probe.vertices[2], carrier},
                           probe.weights,
                           xi,
                           mesh.field(pair.b).at(y, time)});
}

void classify(const ContactMesh& mesh, PairKind kind, const CandidatePair& pair, const VecX& x,
              double d_hat, Part& part)
{
    if (kind == PairKind::probe_field) {
        classify_probe(mesh, pair, x, d_hat, part);
        return;
    }
    std::int32_t v[4];
    const int n = pair_vertices(mesh, kind, pair, v);
    Vec3T<double> p[4];
    for (int i = 0; i < n; ++i) {
        const double* at = x.data() + 3 * std::ptrdiff_t(v[i]);
        p[i] = {at[0], at[1], at[2]};
    }
    const double xi = pair_thickness(mesh, kind, pair);
    if (kind == PairKind::point_plane) {
        const double height = height_over_plane(p);
        if (height >= xi + d_hat) return;
        part.min_gap = std::isnan(height) ? -infinity : std::min(part.min_gap, height - xi);
        part.contacts[std::size_t(StencilKind::point_triangle)].push_back(
            {{v[0], v[1], v[2], v[3]}, xi, d_hat, 1});
        return;
    }
    const ClosestFeature f = kind == PairKind::point_triangle ? point_triangle_feature(p)
                             : kind == PairKind::edge_edge    ? edge_edge_feature(p)
                                                           : point_edge_feature({p[0], p[1], p[2]});
    const double d2 = f.squared_distance, activation = pair_activation(mesh, kind, pair, xi, d_hat);
    if (d2 >= (xi + activation) * (xi + activation)) return;
    const double d = std::sqrt(d2), sum = d + xi;
    // A NaN counts as a violation.
    const double gap = sum > 0 ? (d2 - xi * xi) / sum : 0;
    part.min_gap = std::isnan(gap) ? -infinity : std::min(part.min_gap, gap);

    if (kind == PairKind::edge_edge) {
        const double epsilon = mollifier_threshold * mesh.rest_length_squared(pair.a) *
                               mesh.rest_length_squared(pair.b);
        const Vec3T<double> cross_product = cross(p[1] - p[0], p[3] - p[2]);
        if (dot(cross_product, cross_product) < epsilon) {
            part.mollified.push_back({{v[0], v[1], v[2], v[3]}, xi, activation, epsilon});
            return;
        }
    }
    ContactStencil c;
    c.thickness = xi;
    c.activation = activation;
    for (std::size_t i = 0; i < std::size_t(arity(f.kind)); ++i)
        c.vertices[i] = v[std::size_t(f.vertices[i])];
    // One order for equal stencils, so that they merge.
    if (f.kind == StencilKind::point_point && c.vertices[1] < c.vertices[0])
        std::swap(c.vertices[0], c.vertices[1]);
    if (f.kind == StencilKind::point_edge && c.vertices[2] < c.vertices[1])
        std::swap(c.vertices[1], c.vertices[2]);
    part.contacts[std::size_t(f.kind)].push_back(c);
}

bool before(const ContactStencil& a, const ContactStencil& b)
{
    return std::tie(a.vertices, a.thickness, a.activation) <
           std::tie(b.vertices, b.thickness, b.activation);
}

/// Equal stencils become one. A bucket per first vertex, then each bucket on its own: linear, and
/// in parallel.
void sort_and_merge(std::vector<ContactStencil>& contacts, int vertex_count)
{
    if (contacts.empty()) return;
    std::vector<std::size_t> begin(std::size_t(vertex_count) + 1, 0);
    for (const ContactStencil& c : contacts) ++begin[std::size_t(c.vertices[0]) + 1];
    for (std::size_t v = 0; v < std::size_t(vertex_count); ++v) begin[v + 1] += begin[v];
    std::vector<ContactStencil> sorted(contacts.size());
    std::vector<std::size_t> end(begin.begin(), begin.end() - 1);
    for (const ContactStencil& c : contacts) sorted[end[std::size_t(c.vertices[0])]++] = c;
    parallel_for(std::size_t(vertex_count), 4096, [&](std::size_t v) {
        const auto first = sorted.begin() + std::ptrdiff_t(begin[v]);
        const auto last = sorted.begin() + std::ptrdiff_t(end[v]);
        if (first == last) return;
        std::sort(first, last, before);
        auto kept = first;
        for (auto it = first + 1; it != last; ++it)
            if (!before(*kept, *it))
                kept->multiplicity += it->multiplicity;
            else
                *++kept = *it;
        end[v] = std::size_t(kept + 1 - sorted.begin());
    });
    contacts.clear();
    for (std::size_t v = 0; v < end.size(); ++v)
        contacts.insert(contacts.end(), sorted.begin() + std::ptrdiff_t(begin[v]),
                        sorted.begin() + std::ptrdiff_t(end[v]));
}

} // namespace

std::size_t ContactSet::bytes() const
{
    std::size_t sum =
        mollified.capacity() * sizeof(MollifiedContact) + fields.capacity() * sizeof(FieldContact);
    for (const auto& c : contacts) sum += c.capacity() * sizeof(ContactStencil);
    return sum;
}

void find_contacts(const ContactMesh& mesh, const Candidates& candidates, const VecX& x,
                   double d_hat, ContactSet& out)
{
    for (auto& c : out.contacts) c.clear();
    out.mollified.clear();
    out.fields.clear();
    out.min_gap = infinity;
    for (const PairKind kind : all_pair_kinds) {
        const std::vector<CandidatePair>& pairs = candidates[kind];
        std::vector<Part> parts((pairs.size() + pair_grain - 1) / pair_grain);
        parallel_chunks(pairs.size(), pair_grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                classify(mesh, kind, pairs[i], x, d_hat, parts[begin / pair_grain]);
        });
        for (const Part& part : parts) {
            for (std::size_t k = 0; k < 4; ++k)
                out.contacts[k].insert(out.contacts[k].end(), part.contacts[k].begin(),
                                       part.contacts[k].end());
            out.mollified.insert(out.mollified.end(), part.mollified.begin(), part.mollified.end());
            out.fields.insert(out.fields.end(), part.fields.begin(), part.fields.end());
            out.min_gap = std::min(out.min_gap, part.min_gap);
        }
    }
    out.pair_count = out.mollified.size() + out.fields.size();
    for (const auto& c : out.contacts) out.pair_count += c.size();
    // The others are in the candidates' order, and no two are equal.
    for (const StencilKind kind : {StencilKind::point_point, StencilKind::point_edge})
        sort_and_merge(out.contacts[std::size_t(kind)], mesh.vertex_count());
}

} // namespace selvage
