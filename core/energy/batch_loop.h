#pragma once

#include "core/base/parallel.h"
#include "core/energy/element.h"
#include "core/energy/sink.h"
#include "core/energy/term.h"

#include <cassert>

namespace selvage
{

/// Positions of the N vertices of the elements of one batch.
template <int N>
inline void gather(const std::int32_t* vertices, const double* x, Vec3T<Real4> (&out)[N])
{
    for (int i = 0; i < N; ++i) {
        const std::int32_t* v = vertices + i * batch_lanes;
        const double* p[batch_lanes];
        for (int lane = 0; lane < batch_lanes; ++lane) p[lane] = x + 3 * std::ptrdiff_t(v[lane]);
        out[i].x = Real4([&](auto lane) { return p[lane][0]; });
        out[i].y = Real4([&](auto lane) { return p[lane][1]; });
        out[i].z = Real4([&](auto lane) { return p[lane][2]; });
    }
}

template <int N>
inline void scatter_gradient(const std::int32_t* vertices, int lanes, double scale,
                             const Vec3T<Real4> (&g)[N], double* out)
{
    for (int i = 0; i < N; ++i) {
        Real4 r[4] = {scale * g[i].x, scale * g[i].y, scale * g[i].z, Real4(0.0)};
        transpose4(r[0], r[1], r[2], r[3]);
        for (int lane = 0; lane < lanes; ++lane) {
            // Three scalars: a fourth would touch a vertex that another thread may be writing.
            double* p = out + 3 * std::ptrdiff_t(vertices[i * batch_lanes + lane]);
            p[0] += r[lane][0], p[1] += r[lane][1], p[2] += r[lane][2];
        }
    }
}

/// Adds scale times one 3×3 block per lane: entries 0 to 3, 4 to 7 and the last.
SELVAGE_INLINE void add_blocks(const std::int32_t* k, int lanes, double scale, const Real4 (&a)[4],
                               const Real4 (&b)[4], const Real4& last, double* values)
{
    const Real4 s(scale);
#pragma GCC unroll 4
    for (int lane = 0; lane < batch_lanes; ++lane) {
        if (lane >= lanes) break;
        double* p = values + 9 * std::ptrdiff_t(k[lane] & ScatterMap::number);
        store4(p, load4(p) + s * a[lane]);
        store4(p + 4, load4(p + 4) + s * b[lane]);
        p[8] += scale * last[lane];
    }
}

template <int N>
SELVAGE_INLINE void scatter_hessian(const std::int32_t* k, int lanes, double scale,
                                    const Mat3T<Real4> (&hessian)[pair_count(N)], double* values)
{
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j, k += batch_lanes) {
            const Real4(&h)[9] = hessian[pair_index(N, i, j)].m;
            Real4 a[4], b[4];
            if (i == j) {
                load_transposed4(h, a);
                load_transposed4(h + 4, b);
            } else {
                a[0] = h[0], a[1] = h[1], a[2] = h[2], a[3] = h[3];
                b[0] = h[4], b[1] = h[5], b[2] = h[6], b[3] = h[7];
                // Transpose the lanes whose block lies below the diagonal.
                swap_negative_lanes(k, a[1], a[3]);
                swap_negative_lanes(k, a[2], b[2]);
                swap_negative_lanes(k, b[1], b[3]);
                transpose4(a[0], a[1], a[2], a[3]);
                transpose4(b[0], b[1], b[2], b[3]);
            }
            add_blocks(k, lanes, scale, a, b, h[8], values);
        }
}

/// Asks for what batches to come touch first, so that it arrives while kernels compute. Always
/// inlined: GCC takes a function of prefetches alone for one without effect.
template <int level>
SELVAGE_INLINE void fetch(const FetchList& list, std::int32_t first, std::int32_t last,
                          const double* array)
{
    constexpr std::size_t line = FetchList::line_bytes / sizeof(double);
    const std::int32_t end = list.begin[std::size_t(last)];
    for (std::int32_t i = list.begin[std::size_t(first)]; i < end; ++i) {
        const double* p = array + line * list.line[std::size_t(i)];
        __builtin_prefetch(p, 0, 4 - level);
        // Vectors begin anywhere in a line, the matrix where one does.
        if (level == 1) __builtin_prefetch(p + line - 1, 0, 4 - level);
    }
}

/// Evaluates kernel(batch, positions, want, result) for every batch and adds the results to the
/// sink: chunks of one colour in parallel, colours one after the other, energies summed in chunk
/// order, so that the bits do not depend on the number of threads. The kernel fills the wanted
/// parts of an ElementResult<Real4, N>; padding lanes are computed and ignored. Nothing is
/// allocated inside the loop.
template <int N, class Kernel>
void for_each_batch(const Batches& batches, const VecX& x, Want want, Sink& sink, Kernel&& kernel)
{
    assert(batches.arity == N || batches.batch_count() == 0);
    assert(!want.gradient || sink.gradient);
    assert(!want.hessian || (sink.hessian && sink.scatter));
    sink.chunk_energy.assign(batches.chunk_count(), 0.0);

    double* values = want.hessian ? sink.hessian->values.data() : nullptr;
    // The matrix earlier and into the second-level cache: many more lines can be under way there
    // than into the first.
    constexpr std::int32_t positions_ahead = 2, matrix_ahead = 8; // in batches
    const auto fetch_positions = [&](std::int32_t first, std::int32_t last)
        __attribute__((always_inline))
    {
        fetch<1>(batches.positions, first, last, x.data());
        if (want.gradient) fetch<1>(batches.positions, first, last, sink.gradient->data());
    };
    const auto fetch_matrix = [&](std::int32_t first, std::int32_t last)
        __attribute__((always_inline))
    {
        if (want.hessian) fetch<2>(sink.scatter->values, first, last, values);
    };
    const auto run_chunk = [&](std::size_t chunk) {
        double energy = 0;
        ElementResult<Real4, N> result{};
        Vec3T<Real4> position[N];
        const std::int32_t begin = batches.chunk_begin[chunk], end = batches.chunk_begin[chunk + 1];
        fetch_positions(begin, std::min(begin + positions_ahead, end));
        fetch_matrix(begin, std::min(begin + matrix_ahead, end));
        for (std::int32_t i = begin; i < end; ++i) {
            const std::size_t b = std::size_t(i);
            const std::int32_t* vertices = batches.vertices.data() + b * (N * batch_lanes);
            const std::int32_t* element = batches.element.data() + b * batch_lanes;
            int lanes = batch_lanes;
            while (element[lanes - 1] < 0) --lanes;

            fetch_positions(std::min(i + positions_ahead, end),
                            std::min(i + positions_ahead + 1, end));
            fetch_matrix(std::min(i + matrix_ahead, end), std::min(i + matrix_ahead + 1, end));
            gather<N>(vertices, x.data(), position);
            kernel(b, position, want, result);
            if (want.energy)
                for (int lane = 0; lane < lanes; ++lane) energy += result.energy[lane];
            if (want.gradient)
                scatter_gradient<N>(vertices, lanes, sink.scale, result.gradient,
                                    sink.gradient->data());
            if (want.hessian) {
                constexpr std::size_t stride = pair_count(N) * batch_lanes;
                const std::int32_t* k = sink.scatter->block.data() + b * stride;
                if (lanes == batch_lanes) // a constant: no lane is asked about
                    scatter_hessian<N>(k, batch_lanes, sink.scale, result.hessian, values);
                else
                    scatter_hessian<N>(k, lanes, sink.scale, result.hessian, values);
            }
        }
        sink.chunk_energy[chunk] = energy;
    };
    for (std::size_t c = 0; c + 1 < batches.color_begin.size(); ++c) {
        const std::size_t first = std::size_t(batches.color_begin[c]);
        const std::size_t count = std::size_t(batches.color_begin[c + 1]) - first;
        parallel_for(count, 1, [&](std::size_t k) { run_chunk(first + k); });
    }
    if (!want.energy) return;
    double energy = 0;
    for (const double e : sink.chunk_energy) energy += e;
    sink.energy += sink.scale * energy;
}

} // namespace selvage
