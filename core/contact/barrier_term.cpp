#include "core/contact/barrier_term.h"

#include "core/contact/barrier_kernel.h"
#include "core/contact/mollified_barrier.h"

namespace selvage
{
namespace
{

constexpr std::size_t barrier_grain = ContactScatter::chunk_size;

/// Four contacts at once; lanes past the end repeat the last one.
template <class Stencil> struct Pack {
    Vec3T<Real4> x[Stencil::N];
    Real4 thickness_squared, D_hat, scale;

    Pack(const std::vector<ContactStencil>& contacts, std::size_t first, std::size_t end,
         const VecX& all, double kappa)
    {
        for (int lane = 0; lane < batch_lanes; ++lane) {
            const ContactStencil& c = contacts[std::min(first + std::size_t(lane), end - 1)];
            for (int i = 0; i < Stencil::N; ++i) {
                const double* p = all.data() + 3 * std::ptrdiff_t(c.vertices[std::size_t(i)]);
                x[i].x[lane] = p[0], x[i].y[lane] = p[1], x[i].z[lane] = p[2];
            }
            thickness_squared[lane] = c.thickness * c.thickness;
            D_hat[lane] = activation_distance(c.thickness, c.activation);
            scale[lane] = kappa * c.multiplicity;
        }
    }
};

template <class Stencil>
double sum_energy(const std::vector<ContactStencil>& contacts, const VecX& x, double kappa)
{
    return parallel_sum(contacts.size(), barrier_grain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        ElementResult<Real4, Stencil::N> result{};
        for (std::size_t k = begin; k < end; k += batch_lanes) {
            const Pack<Stencil> pack(contacts, k, end, x, kappa);
            barrier_kernel<Stencil, Real4>(pack.x, pack.thickness_squared, pack.D_hat, pack.scale,
                                           {true, false, false, Psd::clamp}, result);
            for (std::size_t lane = 0; lane < batch_lanes && k + lane < end; ++lane)
                sum += result.energy[lane];
        }
        return sum;
    });
}

template <class Stencil>
void add_contacts(const std::vector<ContactStencil>& contacts, const ContactScatter& scatter,
                  const VecX& x, double kappa, Psd psd, const ContactSink& sink)
{
    constexpr int N = Stencil::N;
    scatter.for_each_chunk([&](std::size_t begin, std::size_t end) {
        ElementResult<Real4, N> result{};
        for (std::size_t k = begin; k < end; k += batch_lanes) {
            const Pack<Stencil> pack(contacts, k, end, x, kappa);
            barrier_kernel<Stencil, Real4>(pack.x, pack.thickness_squared, pack.D_hat, pack.scale,
                                           {false, true, sink.hessian != nullptr, psd}, result);
            for (std::size_t lane = 0; lane < batch_lanes && k + lane < end; ++lane) {
                for (int i = 0; i < N; ++i) {
                    const Vec3T<Real4>& g = result.gradient[i];
                    scatter.add_gradient(k + lane, i, {g.x[lane], g.y[lane], g.z[lane]},
                                         *sink.gradient);
                }
                if (!sink.hessian) continue;
                for (int i = 0; i < N; ++i)
                    for (int j = i; j < N; ++j) {
                        const Mat3T<Real4>& B = result.block(i, j);
                        double b[9];
                        for (int e = 0; e < 9; ++e) b[e] = B.m[e][lane];
                        scatter.add_block(k + lane, i, j, b, sink);
                    }
            }
        }
    });
}

Vec12 positions(const std::array<std::int32_t, 4>& vertices, const VecX& x)
{
    Vec12 y;
    for (int i = 0; i < 4; ++i)
        y.segment<3>(3 * i) = x.segment<3>(3 * Eigen::Index(vertices[std::size_t(i)]));
    return y;
}

MollifiedBarrier parameters(const MollifiedContact& c, double kappa)
{
    return {c.thickness, activation_distance(c.thickness, c.activation), c.epsilon, kappa};
}

void add_mollified(const std::vector<MollifiedContact>& contacts, const ContactScatter& scatter,
                   const VecX& x, double kappa, Psd psd, const ContactSink& sink)
{
    scatter.for_each_chunk([&](std::size_t begin, std::size_t end) {
        Vec12 y[batch_lanes], g[batch_lanes];
        Mat12 H[batch_lanes];
        MollifiedBarrier pairs[batch_lanes];
        for (std::size_t first = begin; first < end; first += batch_lanes) {
            const std::size_t count = std::min(std::size_t(batch_lanes), end - first);
            for (std::size_t n = 0; n < count; ++n) {
                y[n] = positions(contacts[first + n].vertices, x);
                pairs[n] = parameters(contacts[first + n], kappa);
            }
            mollified_barrier_derivatives(y, pairs, count, psd, g, sink.hessian ? H : nullptr);
            for (std::size_t n = 0; n < count; ++n) {
                for (int i = 0; i < 4; ++i)
                    scatter.add_gradient(first + n, i,
                                         {g[n][3 * i], g[n][3 * i + 1], g[n][3 * i + 2]},
                                         *sink.gradient);
                for (int i = 0; sink.hessian && i < 4; ++i)
                    for (int j = i; j < 4; ++j) {
                        double b[9];
                        for (int e = 0; e < 9; ++e) b[e] = H[n](3 * i + e / 3, 3 * j + e % 3);
                        scatter.add_block(first + n, i, j, b, sink);
                    }
            }
        }
    });
}

/// What a field's vertex has of the matrix is its first column: only time moves it.
void add_fields(const std::vector<FieldContact>& contacts, const ContactScatter& scatter,
                double d_hat, double kappa, Psd psd, const ContactSink& sink)
{
    scatter.for_each_chunk([&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const FieldContact& c = contacts[k];
            const FieldBarrier f = field_barrier(c, d_hat, kappa, psd);
            for (int i = 0; i < 3 && c.vertices[std::size_t(i)] >= 0; ++i) {
                const double w = c.weights[std::size_t(i)];
                scatter.add_gradient(k, i,
                                     {w * f.gradient[0], w * f.gradient[1], w * f.gradient[2]},
                                     *sink.gradient);
                if (!sink.hessian) continue;
                for (int j = i; j < 3 && c.vertices[std::size_t(j)] >= 0; ++j) {
                    double b[9];
                    for (int e = 0; e < 9; ++e)
                        b[e] = w * c.weights[std::size_t(j)] * f.hessian(e / 3, e % 3);
                    scatter.add_block(k, i, j, b, sink);
                }
                const double pull[9] = {w * f.pull[0], 0, 0, w * f.pull[1], 0, 0,
                                        w * f.pull[2], 0, 0};
                scatter.add_block(k, i, 3, pull, sink);
            }
        }
    });
}

} // namespace

double BarrierTerm::energy(const ContactSet& set, const VecX& x, double kappa) const
{
    if (!set.feasible()) return infinity;
    const double mollified =
        parallel_sum(set.mollified.size(), barrier_grain, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t k = begin; k < end; ++k)
                sum += mollified_barrier_energy(positions(set.mollified[k].vertices, x),
                                                parameters(set.mollified[k], kappa));
            return sum;
        });
    const double fields =
        parallel_sum(set.fields.size(), barrier_grain, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t k = begin; k < end; ++k)
                sum += field_barrier(set.fields[k], d_hat_, kappa, Psd::exact).energy;
            return sum;
        });
    return sum_energy<PointPoint>(set[StencilKind::point_point], x, kappa) +
           sum_energy<PointEdge>(set[StencilKind::point_edge], x, kappa) +
           sum_energy<PointTriangle>(set[StencilKind::point_triangle], x, kappa) +
           sum_energy<EdgeEdge>(set[StencilKind::edge_edge], x, kappa) + mollified + fields;
}

void BarrierTerm::prepare(const ContactSet& set)
{
    std::vector<ContactScatter::Stencil> stencils;
    for (std::size_t k = 0; k < 4; ++k) {
        stencils.clear();
        for (const ContactStencil& c : set.contacts[k]) stencils.push_back(c.vertices);
        scatter_[k].assign(stencils, simulated_count_);
    }
    stencils.clear();
    for (const MollifiedContact& c : set.mollified) stencils.push_back(c.vertices);
    scatter_[4].assign(stencils, simulated_count_);
    stencils.clear();
    for (const FieldContact& c : set.fields) stencils.push_back(c.vertices);
    scatter_[5].assign(stencils, simulated_count_);
}

void BarrierTerm::append_pattern(std::vector<std::int32_t>& vertices) const
{
    for (const ContactScatter& s : scatter_) {
        const std::vector<std::int32_t> v = s.pattern_vertices();
        vertices.insert(vertices.end(), v.begin(), v.end());
    }
}

void BarrierTerm::map(const BlockPattern& pattern)
{
    for (ContactScatter& s : scatter_) s.map(pattern);
}

void BarrierTerm::add(const ContactSet& set, const VecX& x, double kappa, Psd psd,
                      const ContactSink& sink) const
{
    const auto kind = [&](StencilKind k) -> const ContactScatter& {
        return scatter_[std::size_t(k)];
    };
    const auto add_kind = [&](auto stencil, StencilKind k) {
        add_contacts<decltype(stencil)>(set[k], kind(k), x, kappa, psd, sink);
    };
    add_kind(PointPoint{}, StencilKind::point_point);
    add_kind(PointEdge{}, StencilKind::point_edge);
    add_kind(PointTriangle{}, StencilKind::point_triangle);
    add_kind(EdgeEdge{}, StencilKind::edge_edge);
    add_mollified(set.mollified, scatter_[4], x, kappa, psd, sink);
    add_fields(set.fields, scatter_[5], d_hat_, kappa, psd, sink);
}

std::size_t BarrierTerm::bytes() const
{
    std::size_t sum = 0;
    for (const ContactScatter& s : scatter_) sum += s.bytes();
    return sum;
}

} // namespace selvage
