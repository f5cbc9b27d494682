#include "core/base/parallel.h"
#include "core/render/raytracer.h"
#include "core/render/shading.h"
#include "tests/render/scenes.h"

#include <gtest/gtest.h>

#include <random>

using namespace selvage;
using namespace selvage::test;

namespace
{

/// Part of a pixel that shows the one unlit colour in front of the backdrop, from its red channel.
double coverage(const Image& image, int x, int y, const Color& color)
{
    const float behind = backdrop(2 * (float(x) + 0.5f) / float(image.width()) - 1,
                                  1 - 2 * (float(y) + 0.5f) / float(image.height()))
                             .z();
    return double((image.at(x, y).z() - behind) / (color.z() - behind));
}

/// The object flat in one colour: by an attribute, without light.
SceneDescription flat_scene(Geometry geometry, int width, int height, int samples)
{
    SceneDescription s = sky_only(width, height, samples);
    geometry.set_scalars("flat", VecX::Zero(Eigen::Index(geometry.point_count())));
    s.objects.push_back(object(std::move(geometry)));
    s.objects[0].color_attribute = "flat";
    s.coloring.low = 0;
    s.coloring.high = 1;
    s.coloring.legend = false;
    s.coloring.shading = 0;
    s.camera = front_camera();
    return s;
}

Image render(const SceneDescription& scene)
{
    Image image;
    render_image(scene, image);
    return image;
}

Geometry curl_of_hair(double radius)
{
    Geometry g;
    const int n = 40;
    g.set_point_count(n);
    VecX x(3 * n);
    std::vector<int> order;
    for (int i = 0; i < n; ++i) {
        const double t = 2.0 * i / (n - 1) - 1;
        x.segment<3>(3 * i) << 0.5 * std::sin(3 * t), 0.8 * t, 0.2 * std::cos(5 * t);
        order.push_back(i);
    }
    g.set_positions(x);
    g.set_scalars("pscale", VecX::Constant(n, radius));
    g.add_polygon(order, false);
    return g;
}

} // namespace

TEST(Raytracer, WhitePlaneUnderTheDomeIsUniform)
{
    SceneDescription s = sky_only(64, 36, 32);
    s.camera = top_camera();
    s.objects.push_back(object(square_sheet(50, 0), RenderRole::cloth, Color::Ones()));
    const Image image = render(s);
    // A cosine-weighted dome with radiance horizon + (zenith − horizon) cos θ: mean cos is 2/3.
    const LightRig rig(s.lights, s.camera);
    const Color expected = rig.horizon + 2.0f / 3 * (rig.zenith - rig.horizon);
    for (int y = 0; y < 36; ++y)
        for (int x = 0; x < 64; ++x)
            EXPECT_LT((image.at(x, y) - expected).cwiseAbs().maxCoeff(), 0.01f) << x << " " << y;
}

TEST(Raytracer, SphereCoversItsProjection)
{
    const SceneDescription s = flat_scene(sphere(0.8, Vec3::Zero(), 192, 96), 160, 120, 16);
    const Image image = render(s);
    const Color color = ColorMap()(0);
    double area = 0;
    for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 160; ++x) area += coverage(image, x, y, color);
    // The outline is a cone of half-angle asin(R/d): a circle of radius tan of it in the picture.
    const double radius = std::tan(std::asin(0.8 / 10)) / 0.1 * 60;
    EXPECT_NEAR(area / (M_PI * radius * radius), 1, 0.01);
}

TEST(Raytracer, ConcavePolygonCoversTheRightPixels)
{
    const SceneDescription s = flat_scene(
        outline({{-0.8, -0.8}, {0.8, -0.8}, {0.8, -0.2}, {-0.2, -0.2}, {-0.2, 0.8}, {-0.8, 0.8}}),
        100, 100, 8);
    const Image image = render(s);
    const Color color = ColorMap()(0);
    for (int y = 0; y < 100; ++y)
        for (int x = 0; x < 100; ++x) {
            const double u = (x + 0.5) / 50 - 1, v = 1 - (y + 0.5) / 50;
            const auto inside = [](double a, double b) {
                return std::abs(a) < 0.8 && std::abs(b) < 0.8 && (a < -0.2 || b < -0.2);
            };
            // Pixels cut by the outline (within the filter's reach) may be anything between.
            const double reach = 0.04;
            const bool in = inside(u, v);
            bool near_edge = false;
            for (const double i : {-reach, reach})
                for (const double j : {-reach, reach})
                    near_edge = near_edge || inside(u + i, v + j) != in;
            if (near_edge) continue;
            EXPECT_NEAR(coverage(image, x, y, color), in, 0.02) << u << " " << v;
        }
}

TEST(Raytracer, ShadowFallsAwayFromTheLamp)
{
    SceneDescription s = sky_only(120, 120, 16);
    s.camera = top_camera();
    s.camera.position = {0, 10, 0.001}; // so that "behind the viewer" is +z
    s.lights.sky_intensity = 0;
    s.lights.key_intensity = 1;
    s.lights.key_azimuth = -M_PI / 2; // from -x
    s.lights.key_elevation = M_PI / 4;
    s.lights.key_angular_radius = 0.02;
    s.objects = {object(square_sheet(5, 0)), object(square_sheet(0.15, 0.4))};
    const Image image = render(s);
    const auto at = [&](double x, double z) {
        return image.at(int(60 + 60 * x), int(60 + 60 * z)).x();
    };
    // At 45° the shadow is as far from under the sheet as the sheet is high: x from 0.25 to 0.55.
    EXPECT_LT(at(0.4, 0), 0.01f);
    EXPECT_LT(at(0.5, 0.1), 0.01f);
    for (const double x : {-0.4, 0.68, 0.2}) EXPECT_GT(at(x, 0), 0.3f) << x;
    EXPECT_GT(at(0.4, 0.25), 0.3f);
    EXPECT_GT(at(0.4, -0.25), 0.3f);
}

TEST(Raytracer, GroundTakesShadowsAndFadesIntoTheBackdrop)
{
    SceneDescription s;
    s.width = 160;
    s.height = 90;
    s.samples = 8;
    s.objects = {object(sphere(0.5, Vec3(0, 0.5, 0)))};
    Framing f;
    f.margin = 0.3;
    BoundingBox box;
    box.add(Vec3(-0.5, 0, -0.5));
    box.add(Vec3(0.5, 1, 0.5));
    s.camera = frame_box(box, f);
    const Image with = render(s);
    s.ground = false;
    const Image without = render(s);
    const Vec3 q = s.camera.project(Vec3(0, 0, 0)); // where the sphere stands
    const int x = int(80 + 45 * q.x()), y = int(45 - 45 * q.y());
    EXPECT_LT(with.at(x + 8, y + 3).x(), 0.8f * without.at(x + 8, y + 3).x());
    EXPECT_LT((with.at(2, 2) - without.at(2, 2)).norm(), 0.01f);
}

TEST(Raytracer, FlatColoursMatchTheMapAtKnownPixels)
{
    Geometry g = square_sheet(1, 0);
    VecX heat(4);
    heat << 0, 10, 10, 0; // rises with x
    g.set_scalars("heat", heat);
    SceneDescription s = sky_only(101, 101, 4);
    s.camera = top_camera();
    s.objects = {object(g)};
    s.objects[0].color_attribute = "heat";
    s.coloring.low = 0;
    s.coloring.high = 10;
    s.coloring.shading = 0;
    s.coloring.legend = false;
    const Image image = render(s);
    const ColorMap map;
    for (const int x : {5, 25, 50, 75, 95})
        EXPECT_LT((image.at(x, 40) - map((float(x) + 0.5f) / 101)).norm(), 0.01f) << x;
}

TEST(Raytracer, PrimitiveAndVertexAttributesColourTheirOwnElements)
{
    Geometry g;
    g.set_point_count(6);
    VecX x(18);
    x << -1, -1, 0, 0, -1, 0, 1, -1, 0, -1, 1, 0, 0, 1, 0, 1, 1, 0;
    g.set_positions(x);
    g.add_polygon({0, 1, 4, 3});
    g.add_polygon({1, 2, 5, 4});
    for (const Owner owner : {Owner::primitive, Owner::vertex}) {
        Attribute part = make_attribute("part", owner, Storage::int32, 1, g.element_count(owner));
        for (std::size_t i = part.size() / 2; i < part.size(); ++i) part.set_number(i, 0, 1);
        Geometry colored = g;
        colored.set(part);
        SceneDescription s = flat_scene(colored, 60, 60, 4);
        s.objects[0].color_attribute = "part";
        const Image image = render(s);
        EXPECT_LT((image.at(10, 30) - ColorMap()(0)).norm(), 0.01f);
        EXPECT_LT((image.at(50, 30) - ColorMap()(1)).norm(), 0.01f);
    }
}

TEST(Raytracer, BackOfClothIsDarkerThanItsFront)
{
    SceneDescription s = sky_only(40, 40, 8);
    s.camera = front_camera();
    const std::vector<Vec2> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    s.objects = {object(outline(square), RenderRole::cloth, object_color(1))};
    const Image front = render(s);
    s.objects = {
        object(outline({square.rbegin(), square.rend()}), RenderRole::cloth, object_color(1))};
    const Image back = render(s);
    EXPECT_LT(back.at(20, 20).x(), 0.95f * front.at(20, 20).x());
}

TEST(Raytracer, StrandsCoverTheirWidth)
{
    Geometry g;
    g.set_point_count(2);
    VecX x(6);
    x << -2, 0, 0, 2, 0, 0;
    g.set_positions(x);
    g.set_scalars("pscale", VecX::Constant(2, 0.3));
    g.add_polygon({0, 1}, false);
    const Image image = render(flat_scene(g, 60, 100, 16));
    double width = 0;
    for (int y = 0; y < 100; ++y) width += coverage(image, 30, y, ColorMap()(0)) / 50;
    EXPECT_NEAR(width, 0.6, 0.012);
}

TEST(Raytracer, ThinStrandsStayVisible)
{
    SceneDescription s = flat_scene(curl_of_hair(1e-7), 80, 80, 16);
    const Image image = render(s);
    // Each row that the hair crosses shows some of it.
    for (int y = 12; y < 68; ++y) {
        double seen = 0;
        for (int x = 0; x < 80; ++x) seen += coverage(image, x, y, ColorMap()(0));
        EXPECT_GT(seen, 0.4) << y;
    }
}

TEST(Raytracer, SameBitsForOneAndTwoThreads)
{
    SceneDescription s;
    s.width = 96;
    s.height = 64;
    s.samples = 8;
    Geometry ball = sphere(0.5, Vec3(0, 0, 0));
    s.objects = {object(ball), object(curl_of_hair(0.01), RenderRole::hair)};
    s.objects[0].color_attribute = "P.y";
    s.ground_height = -0.8;
    s.camera = front_camera();
    s.camera.position = {1, 3, 9};
    Image one, two;
    {
        const ThreadLimit limit(1);
        render_image(s, one);
    }
    {
        const ThreadLimit limit(2);
        render_image(s, two);
    }
    EXPECT_TRUE(one == two);
}

TEST(Raytracer, FarFromTheOriginThePictureIsTheSame)
{
    SceneDescription s = sky_only(60, 40, 8);
    s.lights.key_intensity = 1;
    const auto shifted = [&](const Vec3& by) {
        SceneDescription moved = s;
        Geometry g = sphere(0.6, Vec3::Zero(), 32, 16);
        const VecX x = g.positions();
        VecX y = x;
        for (Eigen::Index i = 0; i < x.size() / 3; ++i) y.segment<3>(3 * i) += by;
        g.set_vectors("P", y, "point", Storage::real64);
        moved.objects = {object(g)};
        moved.camera = front_camera();
        moved.camera.position += by;
        moved.camera.target += by;
        return render(moved);
    };
    const Image here = shifted(Vec3::Zero()), far = shifted(Vec3(1e5, -2e5, 3e5));
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 60; ++x)
            EXPECT_LT((here.at(x, y) - far.at(x, y)).norm(), 0.1f) << x << " " << y;
}

TEST(Raytracer, NothingToDrawGivesTheBackdrop)
{
    SceneDescription s = sky_only(20, 10, 4);
    s.objects = {object(Geometry())};
    s.objects[0].color_attribute = "none";
    Image image;
    const RenderCounts counts = render_image(s, image);
    EXPECT_EQ(counts.triangles, 0u);
    EXPECT_EQ(counts.uncolored_objects, 1u);
    EXPECT_LT((image.at(10, 5) - backdrop(0, 0)).norm(), 0.05f);
}

TEST(Raytracer, PrimitivesThatAreNotFiniteAreLeftOut)
{
    Geometry g = outline({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
    g.set_point_count(5);
    VecX x = g.positions();
    x.tail<3>().setConstant(std::nan(""));
    g.set_positions(x);
    g.add_polygon({0, 1, 4});
    SceneDescription s = sky_only(20, 20, 4);
    s.camera = front_camera();
    s.objects = {object(g)};
    Image image;
    const RenderCounts counts = render_image(s, image);
    EXPECT_EQ(counts.skipped_primitives, 1u);
    EXPECT_EQ(counts.triangles, 2u);
    for (int y = 0; y < 20; ++y)
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(image.at(i, y).allFinite());
    EXPECT_GT((image.at(10, 10) - backdrop(0, 0)).norm(), 0.05f);
}

TEST(Raytracer, SmoothSphereHasNoAcneInTheLight)
{
    // A coarse sphere lit from the front: nothing on the lit side may fall into its own shadow.
    SceneDescription s = sky_only(80, 80, 8);
    s.lights.sky_intensity = 0;
    s.lights.key_intensity = 1;
    s.lights.key_azimuth = 0;
    s.lights.key_elevation = 0;
    s.lights.key_angular_radius = 0;
    s.camera = front_camera();
    s.objects = {object(sphere(0.8, Vec3::Zero(), 24, 12), RenderRole::collider, Color::Ones())};
    const Image image = render(s);
    for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 80; ++x) {
            const double r = std::hypot((x + 0.5) / 40 - 1, (y + 0.5) / 40 - 1) / 0.8;
            if (r > 0.85) continue;
            const float lambert = tone_map(Color::Constant(float(std::sqrt(1 - r * r)))).z();
            EXPECT_GT(image.at(x, y).z(), 0.75f * lambert) << x << " " << y;
        }
}
