#pragma once

#include "core/base/large_memory.h"
#include "core/base/parallel.h"
#include "core/energy/batches.h"
#include "core/math/simd.h"

#include <array>

namespace selvage
{

/// K numbers per element in the order in which kernels read them: [batch][number][lane].
template <int K> class BatchArray
{
public:
    BatchArray() = default;
    /// of(e) gives the K numbers of element e; padding lanes repeat the element before them.
    template <class Of> BatchArray(const Batches& batches, Of&& of) { assign(batches, of); }

    template <class Of> void assign(const Batches& batches, Of&& of)
    {
        values_.resize(batches.batch_count() * K);
        parallel_for(batches.batch_count(), 1024, [&](std::size_t b) {
            std::int32_t e = -1;
            for (std::size_t lane = 0; lane < batch_lanes; ++lane) {
                const std::int32_t element = batches.element[b * batch_lanes + lane];
                if (element >= 0) e = element; // the first lane is never padding
                const std::array<double, K> numbers = of(std::size_t(e));
                for (std::size_t k = 0; k < K; ++k) values_[b * K + k][lane] = numbers[k];
            }
        });
    }
    void resize(const Batches& batches) { values_.assign(batches.batch_count() * K, Real4(0.0)); }

    /// Asks for what comes a little later, too: a kernel reads more arrays side by side than
    /// hardware prefetchers follow.
    SELVAGE_INLINE const Real4* operator[](std::size_t batch) const
    {
        constexpr int per_line = 64 / sizeof(Real4), ahead = 2;
        const Real4* numbers = values_.data() + batch * K;
        for (int k = 0; k < K; k += per_line) __builtin_prefetch(numbers + ahead * K + k);
        return numbers;
    }
    Real4* operator[](std::size_t batch) { return values_.data() + batch * K; }

private:
    LargeVector<Real4> values_;
};

} // namespace selvage
