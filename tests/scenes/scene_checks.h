#pragma once

#include "core/bench/contact_scenes.h"
#include "core/bench/scene_run.h"

#include <gtest/gtest.h>

namespace selvage::test
{

/// Runs to the end without intersections, inversions and over-stretch; all steps converge but for
/// `most_unconverged`.
inline SceneOutcome expect_clean(const SessionSetup& setup, int most_unconverged = 0)
{
    SceneOutcome o = run_scene(setup);
    EXPECT_TRUE(o.completed()) << "stopped after " << o.states.size()
                               << " frames: " << o.sum.message;
    EXPECT_EQ(o.intersecting, 0);
    EXPECT_EQ(o.inverted, 0);
    EXPECT_EQ(o.overstretched, 0);
    EXPECT_LE(o.unconverged, most_unconverged) << o.sum.message;
    for (const State& s : o.states) EXPECT_TRUE(s.x.allFinite());
    return o;
}

/// Mean of all vertices.
inline Vec3 mean(const VecX& x) { return mean_place(x, 0, int(x.size() / 3)); }

inline double largest_speed(const State& s)
{
    return s.v.reshaped(3, s.v.size() / 3).colwise().norm().maxCoeff();
}

} // namespace selvage::test
