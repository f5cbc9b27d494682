// A verb whose parameter class comes from its dialog script compiles and cooks.
#include "tests/houdini/sample_nodes.h"
#include "tests/houdini/stage.h"
#include "tests/support/messages.h"

#include <GA/GA_Handle.h>

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

TEST(SampleNodes, AVerbWithGeneratedParameters)
{
    Stage stage;
    add_ring_node(OPgetDirector()->sop_table());
    auto& ring = *static_cast<SOP_Node*>(stage.add("test_ring"));
    const GU_Detail* gdp = stage.cook(ring, 1);
    ASSERT_TRUE(gdp) << messages(ring);
    ASSERT_EQ(gdp->getNumPoints(), 6);
    EXPECT_TRUE(gdp->getPrimitiveClosedFlag(gdp->primitiveOffset(0)));
    EXPECT_EQ(gdp->getPos3(gdp->pointOffset(0)), UT_Vector3(1, 0, 0));
    const GA_DataId topology = gdp->getTopology().getDataId(), P = gdp->getP()->getDataId();
    set(ring, "plane", "yz");
    ring.setFloat("t", 2, 0, 5);
    gdp = stage.cook(ring, 1);
    EXPECT_EQ(gdp->getPos3(gdp->pointOffset(0)), UT_Vector3(0, 1, 5));
    EXPECT_EQ(gdp->getTopology().getDataId(), topology); // points only moved
    EXPECT_NE(gdp->getP()->getDataId(), P);
    EXPECT_EQ(GA_ROHandleS(gdp, GA_ATTRIB_DETAIL, "label").get(GA_Offset(0)), "ring");
    ring.setFloat("size", 1, 0, 3);
    stage.cook(ring, 1);
    expect_says(messages(ring), {"inner radius"});
    ring.setInt("count", 0, 0, 1); // restricted
    EXPECT_EQ(stage.cook(ring, 1)->getNumPoints(), 3);
}
