#pragma once

#include "core/model/drive.h"
#include "core/model/scene.h"

#include <memory>
#include <vector>

namespace selvage
{

/// The energies of a scene's links and soft pins: scratch of a stepper.
class LinkTerms
{
public:
    explicit LinkTerms(const Scene& scene);

    /// Adds the terms that are needed, to be owned by the caller, who must keep them alive.
    void add_to(std::vector<std::unique_ptr<Term>>& terms, const Scene& scene);
    /// `broken`: as in State.
    void set_drive(const Scene& scene, const Drive& drive, const VecX& broken);

private:
    /// Where a link's values go.
    struct Slot {
        int arity;
        std::size_t element;
    };
    /// The links of one arity, gathered while the scene is read.
    struct Gathered {
        std::vector<std::int32_t> vertices;
        std::vector<double> weights;
    };
    Slot add(int arity, const std::vector<int>& vertices, const std::vector<double>& weights);

    std::vector<Slot> links_; ///< all sets, one after the other
    std::vector<Slot> pins_;  ///< soft ones only
    Gathered gathered_[3];    ///< arity 1, 2, 4
    LinkSpring<1>* one_ = nullptr;
    LinkSpring<2>* two_ = nullptr;
    LinkSpring<4>* four_ = nullptr;
};

/// The broken links at the end of a step at x: those of before, and those of breakable sets that
/// pull harder or stretch further than they may. One entry per link, all sets in order; empty where
/// no set can break.
VecX broken_after(const Scene& scene, const Drive& drive, const VecX& x, const VecX& broken);

/// Number of links in all sets.
Eigen::Index link_count(const Scene& scene);

} // namespace selvage
