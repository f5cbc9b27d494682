#include "core/bench/braids.h"

#include <gtest/gtest.h>

using namespace selvage;

/// The braid of `selvage bench hair/braids` in small: no strand passes another from one written
/// frame to the next, and none comes nearer than the thickness.
TEST(Braids, NoStrandPassesAnother)
{
    const StrandOutcome r = run_strands(braids(/*rods*/ 4, /*segments*/ 20, /*steps*/ 80), 80e-6);
    EXPECT_EQ(r.steps, 80) << r.sum.message;
    EXPECT_EQ(r.unconverged, 0) << r.sum.message;
    EXPECT_EQ(r.passings, 0u);
    EXPECT_EQ(r.too_near, 0);
    EXPECT_GT(r.most_contacts, 50);
    EXPECT_LT(r.smallest_gap, 180e-6); // they do press against each other
}
