#include "core/shot/state_checkpoint.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

TEST(StateCheckpoint, EverythingComesBack)
{
    const TemporaryFolder folder;
    SavedState saved;
    saved.frame = 7;
    saved.fingerprint = "shot";
    saved.state.time = 0.25;
    saved.state.h_prev = 0.01;
    saved.state.x = VecX::LinSpaced(9, 0, 1);
    saved.state.v = VecX::LinSpaced(9, -1, 1.0 / 3);
    saved.state.x_prev = VecX::LinSpaced(9, 2, 3);
    saved.state.v_prev = VecX::LinSpaced(9, 5, 7);
    saved.state.creases = VecX::LinSpaced(2, -0.1, 0.7);
    saved.state.broken = VecX::LinSpaced(3, 0, 1);
    saved.state.released = {{{3, 1, -1}, {5, 2, 0}}, {{PairKind::edge_edge, 7, 9}}};
    saved.state.rod_directors = VecX::LinSpaced(6, 0, 2.0 / 3);
    saved.state.rod_twists = VecX::LinSpaced(2, -20, 1.0 / 7);
    saved.state.rod_spins = VecX::LinSpaced(2, -1e3, 1e-3);
    saved.state.strand_contacts = {5, std::uint64_t(0xffffffff) << 32 | 0xfffffffe};
    saved.state.strand_forces = VecX::LinSpaced(6, -1e-7, 1.0 / 3);
    saved.state.strand_loads = VecX::LinSpaced(9, -1e-7, 1.0 / 7);
    save_state(folder.path(), saved);
    const auto back = load_latest_state(folder.path(), 100);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->frame, 7);
    EXPECT_EQ(back->state.x, saved.state.x);
    EXPECT_EQ(back->state.v, saved.state.v);
    EXPECT_EQ(back->state.x_prev, saved.state.x_prev);
    EXPECT_EQ(back->state.v_prev, saved.state.v_prev);
    EXPECT_EQ(back->state.creases, saved.state.creases);
    EXPECT_EQ(back->state.broken, saved.state.broken);
    EXPECT_EQ(back->state.released, saved.state.released);
    EXPECT_EQ(back->state.rod_directors, saved.state.rod_directors);
    EXPECT_EQ(back->state.rod_twists, saved.state.rod_twists);
    EXPECT_EQ(back->state.rod_spins, saved.state.rod_spins);
    EXPECT_EQ(back->state.strand_contacts, saved.state.strand_contacts);
    EXPECT_EQ(back->state.strand_forces, saved.state.strand_forces);
    EXPECT_EQ(back->state.strand_loads, saved.state.strand_loads);
    EXPECT_EQ(back->state.time, saved.state.time);
    EXPECT_EQ(back->state.h_prev, saved.state.h_prev);
}
