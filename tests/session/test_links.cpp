#include "core/session/session.h"
#include "tests/support/animated_source.h"
#include "tests/support/messages.h"

#include <gtest/gtest.h>

using namespace selvage;
using namespace selvage::test;

namespace
{

constexpr int n = 4; ///< cells of the sheets

VecX cooked(Session& s, double frame, std::size_t object = 0)
{
    return s.cook(frame, NeverCancel()).objects.at(object).geometry.positions();
}

void add_group(Geometry& g, const char* name, const std::vector<int>& points)
{
    Group group;
    group.name = name;
    group.member.assign(g.point_count(), 0);
    for (const int p : points) group.member[std::size_t(p)] = 1;
    g.set_group(group);
}

std::vector<int> row_points(int cells, int row)
{
    std::vector<int> points;
    for (int i = 0; i <= cells; ++i) points.push_back(row * (cells + 1) + i);
    return points;
}

/// A sheet of `cells` × `cells`, moved, with the groups "top" and "bottom".
Geometry sheet_at(const Vec3& by, int cells = n)
{
    Geometry g = sheet_geometry(cells);
    VecX x = g.positions();
    for (Eigen::Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += by;
    g.set_positions(x);
    add_group(g, "bottom", row_points(cells, cells));
    return g;
}

ClothSetup cloth(const char* name, Geometry g, bool pinned)
{
    ClothSetup c;
    c.cloth.set("name", std::string(name));
    c.cloth.set("geometry", std::string("sheet.bgeo"));
    if (pinned) c.pins.set("group", std::string("top"));
    c.geometry = std::make_shared<StaticSource>(std::move(g), "sheet.bgeo");
    return c;
}

/// A sheet "upper" pinned at its top, and "lower" below it by `gap`, free.
SessionSetup two_sheets(double gap = 0.1, int lower_cells = n)
{
    SessionSetup s;
    s.shot.set("frames", Vec3(1, 40, 0));
    s.shot.set("substeps", 2.0);
    s.shot.set("air_density", 0.0);
    s.solver.set("linear", std::string("ldlt"));
    s.solver.set("tolerance", 1e-3);
    s.cloths.push_back(cloth("upper", sheet_at(Vec3::Zero()), true));
    s.cloths.push_back(cloth("lower", sheet_at({0, -1 - gap, 0}, lower_cells), false));
    return s;
}

/// Keys as on a command line: "cloth=lower group=top".
AttachmentSetup attachment(const std::string& keys)
{
    AttachmentSetup a;
    a.attachment.set("name", std::string("hold"));
    std::string rest = keys;
    while (!rest.empty()) {
        const std::size_t end = rest.find(' '), equal = rest.find('=');
        a.attachment.set_text(rest.substr(0, equal), rest.substr(equal + 1, end - equal - 1));
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
    return a;
}

/// Closes the gap between the two sheets over frames 1 to 20.
SeamSetup waist_seam()
{
    SeamSetup s;
    s.seam.set_text("name", "waist");
    s.seam.set_text("cloth", "upper");
    s.seam.set_text("group", "bottom");
    s.seam.set_text("to_cloth", "lower");
    s.seam.set_text("to_group", "top");
    s.seam.set_json("close", "[1, 20]");
    return s;
}

Vec3 point(const VecX& x, int p) { return x.segment<3>(3 * p); }

/// A square of 4 m at height y that moves with `speed` metres per frame along x.
std::shared_ptr<FunctionSource> moving_plate(double y, double speed)
{
    return std::make_shared<FunctionSource>([=](double frame) {
        Geometry g;
        g.set_point_count(4);
        VecX x(12);
        const double s = speed * (frame - 1);
        x << s - 2, y, -2, s - 2, y, 2, s + 2, y, 2, s + 2, y, -2;
        g.set_positions(x);
        g.add_polygon({0, 1, 2, 3});
        return g;
    });
}

std::string complaint(const SessionSetup& s)
{
    return message_of([&] {
        NullLog log;
        Session session(s, log);
    });
}

} // namespace

TEST(Links, PointsOfTwoClothsHoldTogether)
{
    NullLog log;
    SessionSetup s = two_sheets();
    s.attachments.push_back(
        attachment("cloth=lower group=top to_cloth=upper to_group=bottom stiffness=500"));
    Session session(s, log);
    const FrameResult r = session.cook(30, NeverCancel());
    const VecX up = r.objects[0].geometry.positions(), low = r.objects[1].geometry.positions();
    for (int i = 0; i <= n; ++i) {
        const double distance = (point(low, i) - point(up, n * (n + 1) + i)).norm();
        EXPECT_GT(distance, 0.1);  // pulled by the weight of the lower sheet
        EXPECT_LT(distance, 0.12); // 0.15 kg g / (5 × 500 N/m) is 0.6 mm at rest
    }
}

TEST(Links, SurfaceAttachmentsOfClothUsePlacesInTriangles)
{
    NullLog log;
    SessionSetup s = two_sheets(0.1, 3); // other points than the upper sheet's
    s.attachments.push_back(
        attachment("cloth=lower group=top to_cloth=upper on=surface stiffness=500"));
    Session session(s, log);
    ASSERT_EQ(session.scene().links.size(), 1u);
    ASSERT_EQ(session.scene().links[0].links.size(), 4u);
    for (const Link& l : session.scene().links[0].links) {
        EXPECT_EQ(l.to, Link::To::triangle);
        EXPECT_NEAR(l.rest_length, 0.1, 1e-6);
        EXPECT_NEAR(l.weights.sum(), 1, 1e-12);
    }
    EXPECT_NEAR(point(cooked(session, 30, 1), 1)[1], -0.12, 0.03);
}

TEST(Links, WithinOneClothTheNearestOtherPointIsTaken)
{
    NullLog log;
    SessionSetup s = two_sheets();
    s.attachments.push_back(attachment("cloth=upper group=bottom to_cloth=upper"));
    Session session(s, log);
    for (const Link& l : session.scene().links[0].links)
        EXPECT_EQ(l.others[0], l.vertex - (n + 1)); // the row above
}

TEST(Links, AnAnimatedSurfaceIsFollowed)
{
    NullLog log;
    for (const bool keep : {false, true}) {
        SessionSetup s = two_sheets();
        s.cloths.pop_back();
        s.cloths[0].pins = ParameterSet("cloth.pins");
        AttachmentSetup a = attachment("cloth=upper group=top stiffness=5000");
        a.attachment.set("keep_offset", keep ? 1.0 : 0.0);
        a.to_geometry = moving_plate(1.2, 0.01);
        s.attachments.push_back(a);
        Session session(s, log);
        const VecX x = cooked(session, 40);
        for (int i = 0; i <= n; ++i) {
            const Vec3 held = point(x, i);
            EXPECT_NEAR(held[1], 1, 0.05);
            EXPECT_NEAR(held[0], double(i) / n + 0.39, keep ? 0.02 : 0.15);
        }
    }
}

TEST(Links, CollidersAreFollowedAsTheyAreAnimated)
{
    NullLog log;
    SessionSetup s = two_sheets();
    s.cloths.pop_back();
    s.cloths[0].pins = ParameterSet("cloth.pins");
    ColliderSetup plate;
    plate.collider.set("name", std::string("plate"));
    plate.geometry = moving_plate(1.1, 0.02);
    s.colliders.push_back(plate);
    s.attachments.push_back(
        attachment("cloth=upper group=top to_collider=plate stiffness=5000 keep_offset=true"));
    Session session(s, log);
    EXPECT_NEAR(point(cooked(session, 20), 0)[0], 19 * 0.02, 0.03);
}

TEST(Links, APolygonOfTheSurfaceCanBeChosen)
{
    NullLog log;
    SessionSetup s = two_sheets();
    s.cloths.pop_back();
    Geometry g = sheet_at(Vec3::Zero());
    Attribute chosen = make_attribute("attachprim", Owner::point, Storage::int32, 1, 25);
    for (std::size_t i = 0; i < 25; ++i) chosen.set_number(i, 0, i == 2 ? 1 : -1);
    g.set(chosen);
    VecX paint = VecX::Ones(25);
    paint[3] = 0.25;
    g.set_scalars("hold", paint);
    s.cloths[0] = cloth("upper", g, true);
    Geometry steps; // one polygon near the sheet's top, one far above
    steps.set_point_count(8);
    VecX x(24);
    x << -2, 1.1, -2, -2, 1.1, 2, 2, 1.1, 2, 2, 1.1, -2, // near
        -2, 3, -2, -2, 3, 2, 2, 3, 2, 2, 3, -2;
    steps.set_positions(x);
    steps.add_polygon({0, 1, 2, 3});
    steps.add_polygon({4, 5, 6, 7});
    AttachmentSetup a = attachment("cloth=upper group=top stiffness_map=hold");
    a.to_geometry = std::make_shared<StaticSource>(steps, "steps.bgeo");
    s.attachments = {a};
    {
        const Session session(s, log);
        const std::vector<Link>& links = session.scene().links.at(0).links;
        ASSERT_EQ(links.size(), 5u);
        EXPECT_NEAR(links[1].rest_length, 0.1, 1e-6);
        EXPECT_NEAR(links[2].rest_length, 2, 1e-6);
        EXPECT_NEAR(links[3].share, 0.25, 1e-9);
    }
    s.attachments[0].attachment.set("max_distance", 0.5);
    EXPECT_EQ(Session(s, log).scene().links.at(0).links.size(), 4u);
    chosen.set_number(2, 0, 7);
    g.set(chosen);
    s.cloths[0] = cloth("upper", g, true);
    expect_says(complaint(s), {"Attachment 'hold'", "point 2", "attachprim 7"});
}

TEST(Links, StringsReelIn)
{
    NullLog log;
    SessionSetup s = two_sheets();
    AttachmentSetup a =
        attachment("cloth=lower group=top to_cloth=upper to_group=bottom resist=stretch");
    a.attachment.set_json("rest_scale", R"({"keys": [[1, 1], [20, 0.2]]})");
    s.attachments.push_back(a);
    Session session(s, log);
    const FrameResult r = session.cook(40, NeverCancel());
    const double distance = (point(r.objects[1].geometry.positions(), 2) -
                             point(r.objects[0].geometry.positions(), n * (n + 1) + 2))
                                .norm();
    EXPECT_NEAR(distance, 0.02, 0.005);
}

TEST(Links, ConstraintGeometryConnectsTheNearestPoints)
{
    NullLog log;
    SessionSetup s = two_sheets();
    Geometry lines;
    lines.set_point_count(2);
    VecX x(6);
    x << 0.01, 0, 0, 0.01, -0.1, 0; // near the lower left of one and the upper left of the other
    lines.set_positions(x);
    lines.add_polygon({0, 1}, /*closed*/ false);
    lines.set([&] {
        Attribute rest = make_attribute("restlength", Owner::primitive, Storage::real32, 1, 1);
        rest.set_number(0, 0, 0.25);
        return rest;
    }());
    AttachmentSetup a;
    a.attachment.set("name", std::string("lines"));
    a.constraints = std::make_shared<StaticSource>(lines, "lines.bgeo");
    s.attachments.push_back(a);
    Session session(s, log);
    ASSERT_EQ(session.scene().links[0].links.size(), 1u);
    const Link& l = session.scene().links[0].links[0];
    EXPECT_EQ(l.vertex, n * (n + 1));
    EXPECT_EQ(l.others[0], (n + 1) * (n + 1));
    EXPECT_NEAR(l.rest_length, 0.25, 1e-6);
}

TEST(Links, SeamsSewShutOverTheirFrames)
{
    NullLog log;
    for (const int cells : {n, 7}) { // the same points on both edges, and not
        SessionSetup s = two_sheets(0.2, cells);
        s.seams.push_back(waist_seam());
        Session session(s, log);
        const auto opening = [&](double frame) {
            const FrameResult r = session.cook(frame, NeverCancel());
            const VecX up = r.objects[0].geometry.positions(),
                       low = r.objects[1].geometry.positions();
            double largest = 0; // corners are partners whatever the number of cells
            for (const int end : {0, 1})
                largest = std::max(
                    largest, (point(low, end * cells) - point(up, n * (n + 1) + end * n)).norm());
            return largest;
        };
        EXPECT_GT(opening(10), 0.06);
        EXPECT_LT(opening(20), 0.03);
        EXPECT_LT(opening(40), 0.005);
    }
}

TEST(Links, SeamsTakeEdgeGroups)
{
    NullLog log;
    SessionSetup s = two_sheets();
    Geometry g = sheet_at(Vec3::Zero());
    EdgeGroup hem;
    hem.name = "hem";
    for (int i = 0; i < n; ++i) hem.edges.push_back({n * (n + 1) + i, n * (n + 1) + i + 1});
    g.set_edge_group(hem);
    s.cloths[0] = cloth("upper", g, true);
    s.seams.push_back(waist_seam());
    s.seams[0].seam.set_text("group", "hem");
    const Session session(s, log);
    EXPECT_EQ(session.scene().links.at(0).links.size(), std::size_t(n + 1));
}

TEST(Links, SeamsLeaveContactItsRoom)
{
    NullLog log;
    SessionSetup s = two_sheets(0.05);
    s.collision.set("enabled", 1.0);
    s.collision.set("gap", 0.004);
    s.seams.push_back(waist_seam());
    Session session(s, log);
    const LinkSet& seam = session.scene().links.at(0);
    EXPECT_GT(seam.shortest, 0.002);
    const FrameResult r = session.cook(30, NeverCancel());
    ASSERT_EQ(r.status, StepStatus::converged);
    EXPECT_GT(r.report.min_gap, 0);
    const VecX up = r.objects[0].geometry.positions(), low = r.objects[1].geometry.positions();
    for (int i = 0; i <= n; ++i)
        EXPECT_NEAR((point(low, i) - point(up, n * (n + 1) + i)).norm(), seam.shortest, 0.003);
}

TEST(Links, GlueBreaksUnderLoadAndStaysBroken)
{
    MessageLog log;
    SessionSetup s = two_sheets();
    AttachmentSetup a = attachment("cloth=lower group=top to_cloth=upper to_group=bottom");
    a.attachment.set("break_force", 0.8);
    s.attachments.push_back(a);
    s.shot.set_json("gravity", R"({"keys": [[1, [0, -1, 0]], [10, [0, -1, 0]],
                                            [20, [0, -60, 0]], [21, [0, -1, 0]]]})");
    Session session(s, log);
    EXPECT_EQ(session.cook(10, NeverCancel()).report.broken_links, 0);
    const FrameResult r = session.cook(40, NeverCancel());
    EXPECT_EQ(r.report.broken_links, n + 1);
    expect_says(log.all, {"links broke"});
    expect_says(r.report.json(), {"\"broken_links\":5"});
    EXPECT_LT(point(r.objects[1].geometry.positions(), 2)[1], -0.5); // it fell
}

TEST(Links, BrokenLinksComeBackWithARestoredState)
{
    NullLog log;
    SessionSetup s = two_sheets();
    AttachmentSetup a = attachment("cloth=lower group=top to_cloth=upper to_group=bottom");
    a.attachment.set("break_stretch", 0.001);
    s.attachments.push_back(a);
    s.shot.set_json("gravity", R"({"keys": [[1, [0, -1, 0]], [12, [3, -80, 0]]]})");
    Session whole(s, log);
    const VecX end = cooked(whole, 20, 1);
    int at = 2;
    while (at < 20 && whole.frame(at)->state.broken.sum() == 0) ++at;
    ASSERT_LT(at, 20);
    Session resumed(s, log);
    resumed.restore(at, whole.frame(at)->state);
    EXPECT_EQ(cooked(resumed, 20, 1), end);
}

TEST(Links, MistakesAreNamed)
{
    SessionSetup s = two_sheets();
    s.attachments = {attachment("cloth=lower group=top")};
    expect_says(complaint(s), {"Attachment 'hold'", "to_cloth", "none"});
    s.attachments = {attachment("cloth=loewr group=top to_cloth=upper")};
    expect_says(complaint(s), {"no cloth 'loewr'", "Did you mean 'lower'"});
    s.attachments = {attachment("cloth=lower group=tip to_cloth=upper")};
    expect_says(complaint(s), {"group 'tip'", "top"});
    s.attachments = {attachment("cloth=lower group=top to_collider=body")};
    expect_says(complaint(s), {"no collider 'body'"});
    s.attachments.clear();
    SeamSetup seam;
    seam.seam.set_text("name", "waist");
    s.seams = {seam};
    expect_says(complaint(s), {"Seam 'waist'", "to_group"});
}

TEST(SoftPins, MapFalloffAndStrength)
{
    NullLog log;
    SessionSetup s = two_sheets();
    s.cloths.pop_back();
    Geometry g = sheet_at(Vec3::Zero());
    VecX map = VecX::Ones(25);
    map[0] = 0;
    map[1] = 0.5;
    g.set_scalars("hold", map);
    s.cloths[0] = cloth("upper", g, true);
    s.cloths[0].pins.set("stiffness", 100.0);
    s.cloths[0].pins.set_text("stiffness_map", "hold");
    s.cloths[0].pins.set("falloff", 0.5);
    s.cloths[0].pins.set("damping", 0.02);
    {
        const Session session(s, log);
        double at[25] = {0};
        for (const Pin& p : session.scene().pins) at[p.vertex] = p.stiffness;
        EXPECT_EQ(at[0], 0);
        EXPECT_NEAR(at[1], 50, 1e-9);
        EXPECT_NEAR(at[2], 100, 1e-9);
        EXPECT_NEAR(at[7], 50, 1e-5); // half way: a quarter of a metre below the group
        EXPECT_EQ(at[12], 0);
        EXPECT_EQ(session.scene().pins.size(), 4u + 5u);
    }
    s.cloths[0].pins.set_json("strength", R"({"keys": [[10, 1], [11, 0]]})");
    Session session(s, log);
    EXPECT_NEAR(point(cooked(session, 10), 2)[1], 1, 0.05);
    EXPECT_LT(point(cooked(session, 30), 2)[1], -1); // let go at frame 11

    s.cloths[0].pins.set("stiffness", 0.0);
    expect_says(complaint(s), {"pins.falloff", "falloff_stiffness"});
}
