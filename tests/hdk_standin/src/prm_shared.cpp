#include <PRM/PRM_Shared.h>

namespace
{
PRM_Name plane_names[] = {PRM_Name("xy", "XY Plane"), PRM_Name("yz", "YZ Plane"),
                          PRM_Name("zx", "ZX Plane"), PRM_Name()};
} // namespace

PRM_SpareData PRM_SpareData::stringEditor;
PRM_Name PRMgroupName("group", "Group");
PRM_Name PRMdivName("divs", "Divisions");
PRM_Name PRMdivsName("divs", "Divisions");
PRM_Name PRMradiusName("rad", "Radius");
PRM_Name PRMcenterName("t", "Center");
PRM_Name PRMorientName("orient", "Orientation");
PRM_Name PRMswitcherName("switcher", "Switcher");
PRM_Name PRMsizeName("size", "Size");
PRM_Name PRMscaleName("scale", "Scale");
PRM_Name PRMnameName("name", "Name");
PRM_Name PRMfileName("file", "File");
PRM_Name PRMtypeName("type", "Type");
PRM_Name PRMorderName("order", "Order");
PRM_Name PRMxyzName("t", "Translate");
PRM_Name PRMiterationsName("iterations", "Iterations");
PRM_Name PRMpatternName("pattern", "Pattern");
PRM_Name PRMkeepName("keep", "Keep");
PRM_Name PRMdirectionName("dir", "Direction");
PRM_Name PRMtName("t", "Translate");
PRM_Name PRMrName("r", "Rotate");
PRM_Name PRMsName("s", "Scale");
PRM_Name PRMcolorName("color", "Color");
PRM_Default PRMzeroDefaults[4] = {PRM_Default(0), PRM_Default(0), PRM_Default(0), PRM_Default(0)};
PRM_Default PRMoneDefaults[4] = {PRM_Default(1), PRM_Default(1), PRM_Default(1), PRM_Default(1)};
PRM_Default PRMxaxisDefaults[3] = {PRM_Default(1), PRM_Default(0), PRM_Default(0)};
PRM_Default PRMyaxisDefaults[3] = {PRM_Default(0), PRM_Default(1), PRM_Default(0)};
PRM_Default PRMzaxisDefaults[3] = {PRM_Default(0), PRM_Default(0), PRM_Default(1)};
PRM_Default PRMtwoDefaults[4] = {PRM_Default(2), PRM_Default(2), PRM_Default(2), PRM_Default(2)};
PRM_Default PRMthreeDefaults[4] = {PRM_Default(3), PRM_Default(3), PRM_Default(3), PRM_Default(3)};
PRM_Default PRMfourDefaults[4] = {PRM_Default(4), PRM_Default(4), PRM_Default(4), PRM_Default(4)};
PRM_Default PRMfiveDefaults[4] = {PRM_Default(5), PRM_Default(5), PRM_Default(5), PRM_Default(5)};
PRM_Default PRMtenDefaults[4] = {PRM_Default(10), PRM_Default(10), PRM_Default(10),
                                 PRM_Default(10)};
PRM_Default PRM100Defaults[4] = {PRM_Default(100), PRM_Default(100), PRM_Default(100),
                                 PRM_Default(100)};
PRM_Default PRMpointOneDefaults[4] = {PRM_Default(0.1), PRM_Default(0.1), PRM_Default(0.1),
                                      PRM_Default(0.1)};
PRM_Default PRMpointTwoDefaults[4] = {PRM_Default(0.2), PRM_Default(0.2), PRM_Default(0.2),
                                      PRM_Default(0.2)};
PRM_Default PRMpointFiveDefaults[4] = {PRM_Default(0.5), PRM_Default(0.5), PRM_Default(0.5),
                                       PRM_Default(0.5)};
PRM_Default PRMpointZeroOneDefaults[4] = {PRM_Default(0.01), PRM_Default(0.01), PRM_Default(0.01),
                                          PRM_Default(0.01)};
PRM_Range PRMscaleRange(PRM_RANGE_UI, 0, PRM_RANGE_UI, 10);
PRM_Range PRMdivision2Range(PRM_RANGE_RESTRICTED, 2, PRM_RANGE_UI, 50);
PRM_Range PRMdivisionRange(PRM_RANGE_RESTRICTED, 1, PRM_RANGE_UI, 50);
PRM_Range PRMunitRange(PRM_RANGE_RESTRICTED, 0, PRM_RANGE_RESTRICTED, 1);
PRM_Range PRMunsignedRange(PRM_RANGE_RESTRICTED, 0, PRM_RANGE_UI, 10);
PRM_Range PRMpositiveRange(PRM_RANGE_RESTRICTED, 0, PRM_RANGE_UI, 1);
PRM_Range PRMfrequency10Range(PRM_RANGE_RESTRICTED, 0, PRM_RANGE_UI, 10);
PRM_Range PRMangleRange(PRM_RANGE_UI, -180, PRM_RANGE_UI, 180);
PRM_Range PRMrolloffRange(PRM_RANGE_RESTRICTED, 0, PRM_RANGE_UI, 10);
PRM_ChoiceList PRMplaneMenu(PRM_CHOICELIST_SINGLE, plane_names);
