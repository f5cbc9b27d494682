#include "core/linear/aggregation.h"

#include "core/base/parallel.h"

#include <algorithm>

namespace selvage
{

namespace
{

constexpr std::size_t aggregation_grain = 1024; // rows per task

/// Below this the diagonal block rules the row: Jacobi converges by a factor of 20 per sweep.
constexpr float least_strength = 0.01f;

class Aggregation
{
public:
    Aggregation(const RowPattern& pattern, const Buffer<float>& strength, float threshold)
        : pattern_(pattern), strength_(strength), threshold_(threshold), limit_(pattern.rows())
    {
        parallel_for(limit_.size(), aggregation_grain, [&](std::size_t i) {
            float most = 0;
            for (auto k = pattern_.begin[i]; k < pattern_.begin[i + 1]; ++k)
                most = std::max(most, strength_[std::size_t(k)]);
            limit_[i] = most < least_strength ? isolated : threshold_ * most;
        });
        result_.of.assign(limit_.size(), -1);
    }

    Aggregates run()
    {
        take_whole_neighbourhoods();
        attach_remaining();
        group_leftovers();
        return std::move(result_);
    }

private:
    static constexpr float isolated = 1e30f;

    /// Calls visit(j, strength) for the strong neighbours of i until it returns false.
    template <class Visit> bool all_strong(std::size_t i, Visit&& visit) const
    {
        for (auto k = pattern_.begin[i]; k < pattern_.begin[i + 1]; ++k) {
            const auto j = std::size_t(pattern_.columns[std::size_t(k)]);
            const float s = strength_[std::size_t(k)];
            if (j == i || limit_[j] == isolated || s <= std::min(limit_[i], limit_[j])) continue;
            if (!visit(j, s)) return false;
        }
        return true;
    }

    void take(std::size_t i)
    {
        const std::int32_t id = result_.count++;
        result_.of[i] = id;
        all_strong(i, [&](std::size_t j, float) {
            if (result_.of[j] < 0) result_.of[j] = id;
            return true;
        });
    }

    void take_whole_neighbourhoods()
    {
        for (std::size_t i = 0; i < limit_.size(); ++i) {
            if (limit_[i] == isolated || result_.of[i] >= 0) continue;
            if (all_strong(i, [&](std::size_t j, float) { return result_.of[j] < 0; })) take(i);
        }
    }

    /// To the aggregate of the strongest neighbour that the first pass took.
    void attach_remaining()
    {
        std::vector<std::int32_t> attached = result_.of;
        parallel_for(limit_.size(), aggregation_grain, [&](std::size_t i) {
            if (limit_[i] == isolated || result_.of[i] >= 0) return;
            float best = 0;
            all_strong(i, [&](std::size_t j, float s) {
                if (result_.of[j] >= 0 && s > best) {
                    best = s;
                    attached[i] = result_.of[j];
                }
                return true;
            });
        });
        result_.of.swap(attached);
    }

    void group_leftovers()
    {
        for (std::size_t i = 0; i < limit_.size(); ++i)
            if (limit_[i] != isolated && result_.of[i] < 0) take(i);
    }

    const RowPattern& pattern_;
    const Buffer<float>& strength_;
    const float threshold_;
    std::vector<float> limit_; ///< per node: what counts as strong, `isolated`: nothing does
    Aggregates result_;
};

} // namespace

Aggregates aggregate(const RowPattern& pattern, const Buffer<float>& strength, float threshold)
{
    return Aggregation(pattern, strength, threshold).run();
}

} // namespace selvage
