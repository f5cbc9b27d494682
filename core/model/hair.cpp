#include "core/model/hair.h"

namespace selvage
{

bool held_point(const Hair& hair, int strand, int i)
{
    const int first = hair.strand_begin[std::size_t(strand)];
    const int n = hair.strand_begin[std::size_t(strand) + 1] - first;
    return held_point(hair.roots, i, n) ||
           (!hair.pinned.empty() && hair.pinned[std::size_t(first + i)]);
}

bool held_beyond_root(const Hair& hair, int strand)
{
    const int n =
        hair.strand_begin[std::size_t(strand) + 1] - hair.strand_begin[std::size_t(strand)];
    for (int i = 2; i < n; ++i)
        if (held_point(hair, strand, i)) return true;
    return false;
}

double bending_length(const Hair& hair, const VecX& length, int strand, int i)
{
    const int first = hair.strand_begin[std::size_t(strand)];
    const int n = hair.strand_begin[std::size_t(strand) + 1] - first;
    const auto half = [&](int edge) {
        return held_edge(hair.roots, edge, n) ? 0 : 0.5 * length[first + edge];
    };
    const double sum = half(i - 1) + half(i);
    // Between two held edges nothing bends; any length will do.
    return sum > 0 ? sum : length[first + i];
}

VecX hair_mass(const Hair& hair)
{
    VecX mass = VecX::Zero(hair.point_count);
    for (int s = 0; s < hair.strand_count(); ++s)
        for (int k = hair.strand_begin[std::size_t(s)];
             k + 1 < hair.strand_begin[std::size_t(s) + 1]; ++k) {
            const double r = 0.5 * (hair.radius[k] + hair.radius[k + 1]);
            const double half = 0.5 * hair.material.density * rod_section(hair.material, r).area *
                                hair.rest_length[k];
            mass[hair.points[std::size_t(k)]] += half;
            mass[hair.points[std::size_t(k) + 1]] += half;
        }
    return mass;
}

} // namespace selvage
