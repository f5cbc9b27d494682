#include "core/render/raytracer.h"

#include "core/base/parallel.h"
#include "core/render/attribute_values.h"
#include "core/render/denoise.h"
#include "core/render/drawable.h"
#include "core/render/legend.h"
#include "core/render/ray_world.h"
#include "core/render/sampling.h"
#include "core/render/shading.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using Vec3f = Eigen::Vector3f;

constexpr int lanes = RayPacket::lanes;
constexpr int tile = 16; // pixels
constexpr std::size_t tiles_between_polls = 96;

float smooth_step(float from, float to, float x)
{
    const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

/// Cosine-distributed about n.
Vec3f hemisphere(const Vec3f& n, const Eigen::Vector2f& u)
{
    const Eigen::Vector2f d = disk_point(u);
    const Vec3f a = n.unitOrthogonal(), b = n.cross(a);
    return (d.x() * a + d.y() * b + std::sqrt(std::max(0.0f, 1 - u.x())) * n).normalized();
}

int power_of_two(int n)
{
    int p = 1;
    while (p < n) p *= 2;
    return p;
}

/// What a camera ray met.
struct Hit : SurfaceHit {
    enum Kind { nothing, ground, surface } kind = nothing;
    Color behind;   // backdrop; ground: what its shadow darkens
    float fade = 0; // ground: how much of the shadow shows
    float distance = 0;
    std::int32_t part = -1; // the ground comes after the last
};

/// Sums over the samples of one pixel.
struct PixelSum {
    Color light = Color::Zero(), color = Color::Zero();
    Vec3f position = Vec3f::Zero(), normal = Vec3f::Zero();
    float distance = 0, nearest = 0, farthest = 0, facing = 0;
    float level = 0, squares = 0;         // of the light without the surface's colour
    float signal = 0, signal_squares = 0; // of the picture, about as the eye sees it
    std::int32_t surface = PixelFeature::mixed;
    int count = 0;
    bool only_background = true, one_surface = true;

    void add(const Hit& hit, const Color& c)
    {
        const bool is_ground = hit.kind == Hit::ground;
        const Color& own = is_ground ? hit.behind : hit.point.color;
        light += c;
        const float s = std::sqrt(std::max(0.0f, c.y()));
        signal += s, signal_squares += s * s;
        if (count++ == 0) surface = hit.part;
        one_surface =
            one_surface && hit.kind != Hit::nothing && hit.part == surface && !hit.point.is_strand;
        if (hit.kind == Hit::nothing) return;
        only_background = false;
        const float l = c.sum() / std::max(own.sum(), 0.05f);
        level += l, squares += l * l;
        color += own;
        position += hit.origin;
        normal += hit.point.normal;
        nearest = count == 1 ? hit.distance : std::min(nearest, hit.distance);
        farthest = std::max(farthest, hit.distance);
        distance += hit.distance;
        facing += is_ground ? 1 : hit.point.normal.dot(hit.point.towards_viewer);
    }
    /// Whether the samples lie on one sheet: no fold in front of another, no sharp crease.
    bool one_sheet(float pixel_angle) const
    {
        if (!one_surface) return false;
        const float n = float(count), slope = n / std::max(facing, 0.05f * n);
        const bool is_ground = normal.y() > 0.9999f * n;
        return normal.norm() > 0.92f * n &&
               (is_ground || farthest - nearest < 5 * slope * pixel_angle * distance / n);
    }
    static float variance(float sum, float squares, int n)
    {
        return std::max(0.0f, squares / float(n) - (sum / float(n)) * (sum / float(n)));
    }
};

} // namespace

struct Raytracer::Impl {
    explicit Impl(const SceneDescription& scene);

    void add_objects(const SceneDescription& scene);
    Color render_pixel(int x, int y, PixelFeature& feature) const;
    void trace_packet(int x, int y, int first, int count, PixelSum& sum) const;
    Hit find_hit(const RayPacket& packet, int lane, const Eigen::Vector2f& on_picture) const;
    Color light(const Hit& hit, const Incident& incident, const Vec3f& sky_direction) const;

    int width, height, samples;
    SampleSequence sequence;
    Coloring coloring;
    RenderCounts counts;

    // Everything is drawn relative to the middle of the stage, so that single precision suffices
    // far from the origin.
    Vec3 center;
    float stage_radius, epsilon;
    bool has_ground;
    float ground_y;
    Camera camera;
    Vec3f eye, right, up, forward;
    LightRig rig;
    RayWorld world;
};

Raytracer::Impl::Impl(const SceneDescription& scene)
    : width(scene.width),
      height(scene.height),
      samples(power_of_two(std::clamp(scene.samples, 1, 4096))),
      sequence(std::uint32_t(4 * samples)),
      coloring(scene.coloring),
      camera(scene.camera),
      rig(scene.lights, scene.camera)
{
    BoundingBox stage = scene.stage;
    if (stage.empty())
        for (const RenderObject& o : scene.objects)
            for_each_drawn_point(o, [&](const Vec3& x) { stage.add(x); });
    center = stage.empty() ? Vec3(camera.target) : stage.center();
    stage_radius = float(std::max(0.5 * stage.diagonal(), 1e-6));
    epsilon = 1e-5f * stage_radius;
    has_ground = scene.ground;
    ground_y = float(scene.ground_height - center.y());
    const Mat3 axes = camera.axes();
    const double t = std::tan(0.5 * camera.field_of_view);
    eye = (camera.position - center).cast<float>();
    right = (t * axes.row(0).transpose()).cast<float>();
    up = (t * axes.row(1).transpose()).cast<float>();
    forward = axes.row(2).transpose().cast<float>();
    add_objects(scene);
}

void Raytracer::Impl::add_objects(const SceneDescription& scene)
{
    std::vector<std::optional<AttributeValues>> values;
    RangeFinder found;
    for (const RenderObject& o : scene.objects) {
        values.emplace_back();
        if (o.color_attribute.empty()) continue;
        values.back() = attribute_values(o.geometry, o.color_attribute);
        if (!values.back()) ++counts.uncolored_objects;
        if (values.back()) found.add(*values.back());
    }
    if (!found.empty()) coloring = resolve_coloring(coloring, found);

    // Thinner than most of a pixel, a hair would break up into dots.
    const auto least_radius = [&](const Vec3f& x) {
        const float depth = std::max(0.0f, forward.dot(x - eye));
        return float(0.35 * camera.pixel_size(double(depth), height));
    };
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        RayWorld::UnitValue value;
        if (values[i] && !found.empty())
            value = [&](const DrawnCorner& corner, std::int32_t primitive) {
                const double low = *coloring.low, high = *coloring.high;
                return float((double(values[i]->at(corner, primitive)) - low) / (high - low));
            };
        const Drawable drawable = make_drawable(scene.objects[i]);
        world.add_triangles(scene.objects[i], drawable, center, value);
        world.add_strands(scene.objects[i], drawable, center, value, least_radius);
        counts.triangles += drawable.triangles.size();
        counts.strand_segments += drawable.segments.size();
        counts.skipped_primitives += drawable.skipped_primitives;
    }
    world.build(ColorMap(coloring.map), epsilon);
}

Hit Raytracer::Impl::find_hit(const RayPacket& packet, int lane,
                              const Eigen::Vector2f& on_picture) const
{
    Hit out;
    out.behind = backdrop(on_picture.x(), on_picture.y());
    const Vec3f& direction = packet.direction[lane];
    const bool met = packet.part[lane] != RayPacket::none;
    const float to_ground = direction.y() < 0 ? (ground_y - eye.y()) / direction.y() : -1;
    if (has_ground && to_ground > 0 && (!met || to_ground < packet.distance[lane])) {
        const Vec3f x = eye + to_ground * direction;
        const float distance = Vec3f(x.x(), 0, x.z()).norm() / stage_radius;
        out.behind *= 1 + 0.08f * std::exp(-0.35f * distance * distance);
        out.fade = 1 - smooth_step(2.2f, 6, distance);
        if (out.fade <= 0) return out;
        out.kind = Hit::ground;
        out.part = std::int32_t(world.part_count());
        out.distance = to_ground;
        out.origin = x + epsilon * Vec3f::UnitY();
        out.point.normal = Vec3f::UnitY();
        return out;
    }
    if (!met) return out;
    static_cast<SurfaceHit&>(out) = world.describe(packet, lane);
    out.kind = Hit::surface;
    out.part = std::int32_t(packet.part[lane]);
    out.distance = packet.distance[lane];
    return out;
}

Color Raytracer::Impl::light(const Hit& hit, const Incident& incident,
                             const Vec3f& sky_direction) const
{
    if (hit.kind == Hit::nothing) return hit.behind;
    if (hit.kind == Hit::ground) {
        // The ground is the backdrop, darkened by the part of the light that is missing.
        const Color key = std::max(0.0f, rig.key_direction.y()) * rig.key;
        const Color open = key + rig.horizon + 0.67f * (rig.zenith - rig.horizon);
        const Color arrived =
            incident.key_visible * key + (0.12f + 0.88f * incident.sky_visible) * (open - key);
        const Color ratio = arrived.cwiseQuotient(open.cwiseMax(1e-6f));
        return hit.behind.cwiseProduct(Color::Ones() + 0.85f * hit.fade * (ratio - Color::Ones()));
    }
    Incident in = incident;
    if (has_ground && sky_direction.y() < 0 && in.sky_visible > 0) {
        // The floor reflects less where it lies close: it is in the object's own shade.
        const float t = (ground_y - hit.origin.y()) / sky_direction.y();
        if (t > 0) in.sky *= 0.35f + 0.65f * t / (t + 0.3f * stage_radius);
    }
    const Color lit = tone_map(shade(hit.point, in, rig));
    if (!hit.is_data) return lit;
    const float shading = float(coloring.shading);
    return (1 - shading) * hit.point.color + shading * lit;
}

void Raytracer::Impl::trace_packet(int x, int y, int first, int count, PixelSum& sum) const
{
    const auto pixel = std::uint32_t(y) * std::uint32_t(width) + std::uint32_t(x);
    const auto of_area = sequence.scramble(pixel, 0), of_key = sequence.scramble(pixel, 1),
               of_sky = sequence.scramble(pixel, 2);
    const float aspect = float(width) / float(height);
    RayPacket camera_rays, key_rays, sky_rays;
    Eigen::Vector2f on_picture[lanes];
    for (int i = 0; i < count; ++i) {
        const Eigen::Vector2f u = sequence.at(of_area, std::uint32_t(first + i));
        const float px = float(x) + 0.5f + 0.85f * tent_offset(u.x());
        const float py = float(y) + 0.5f + 0.85f * tent_offset(u.y());
        on_picture[i] = {2 * px / float(width) - 1, 1 - 2 * py / float(height)};
        const Vec3f direction =
            forward + aspect * on_picture[i].x() * right + on_picture[i].y() * up;
        camera_rays.set(i, eye, direction.normalized());
    }
    world.intersect(camera_rays, RayWorld::Coherence::coherent);

    // Ask each point for its light: one ray to the lamp, one to the sky.
    Hit hits[lanes];
    Incident incident[lanes];
    bool any = false;
    for (int i = 0; i < count; ++i) {
        hits[i] = find_hit(camera_rays, i, on_picture[i]);
        if (hits[i].kind == Hit::nothing) continue;
        any = true;
        const auto index = std::uint32_t(first + i);
        const Vec3f& n = hits[i].point.normal;
        const Vec3f to_key = rig.towards_key(disk_point(sequence.at(of_key, index)));
        incident[i].key_direction = to_key;
        if (hits[i].point.is_strand || n.dot(to_key) > 0) key_rays.set(i, hits[i].origin, to_key);
        const Vec3f to_sky = hemisphere(n, sequence.at(of_sky, index));
        incident[i].sky = rig.sky(to_sky);
        sky_rays.set(i, hits[i].origin, to_sky);
    }
    if (any) {
        world.occlude(key_rays, RayWorld::Coherence::coherent);
        world.occlude(sky_rays, RayWorld::Coherence::scattered);
    }
    for (int i = 0; i < count; ++i) {
        incident[i].key_visible = key_rays.active[i] && !key_rays.blocked[i] ? 1.0f : 0.0f;
        incident[i].sky_visible = sky_rays.active[i] && !sky_rays.blocked[i] ? 1.0f : 0.0f;
        sum.add(hits[i], light(hits[i], incident[i], sky_rays.direction[i]));
    }
}

Color Raytracer::Impl::render_pixel(int x, int y, PixelFeature& feature) const
{
    // A surface's light is smoothed afterwards, so half of the samples may do; outlines and hair
    // cannot be, and get more. As samples are stratified, the variance overestimates the error.
    const float pixel_angle = 2 * up.norm() / float(height);
    PixelSum sum;
    for (int goal = std::max(1, samples / 2); sum.count < goal;) {
        trace_packet(x, y, sum.count, std::min(lanes, goal - sum.count), sum);
        if (sum.only_background) break;
        if (sum.count < goal) continue;
        const float n = float(goal);
        const bool sheet = sum.one_sheet(pixel_angle);
        const float variance = sheet ? PixelSum::variance(sum.level, sum.squares, goal)
                                     : PixelSum::variance(sum.signal, sum.signal_squares, goal);
        const bool noisy = variance > (sheet ? 2.5e-5f : 1.6e-3f) * n;
        if (goal < samples ? noisy || !sheet : goal < 4 * samples && noisy && !sheet) goal *= 2;
    }
    const float n = float(sum.count);
    feature.surface = PixelFeature::mixed;
    if (sum.one_sheet(pixel_angle)) {
        feature.surface = sum.surface;
        feature.position = sum.position / n;
        feature.normal = sum.normal.normalized();
        feature.color = sum.color / n;
        feature.pixel_size = pixel_angle * sum.distance / n;
        feature.variance = PixelSum::variance(sum.level, sum.squares, sum.count) / n;
    }
    return sum.light / n;
}

Raytracer::Raytracer(const SceneDescription& scene) : impl_(new Impl(scene)) {}
Raytracer::~Raytracer() = default;

bool Raytracer::render(Image& image, const Cancel& cancel) const
{
    const int width = impl_->width, height = impl_->height;
    image = Image(width, height);
    std::vector<PixelFeature> features(std::size_t(width) * std::size_t(height));
    const auto render_tile = [&](int x0, int y0) {
        for (int y = y0; y < std::min(y0 + tile, height); ++y)
            for (int x = x0; x < std::min(x0 + tile, width); ++x)
                image.at(x, y) = impl_->render_pixel(
                    x, y, features[std::size_t(y) * std::size_t(width) + std::size_t(x)]);
    };
    // Cancel is asked by this thread only, so the tiles are handed out in batches.
    const auto across = std::size_t((width + tile - 1) / tile);
    const auto down = std::size_t((height + tile - 1) / tile);
    for (std::size_t first = 0; first < across * down; first += tiles_between_polls) {
        if (cancel.requested()) return false;
        const std::size_t count = std::min(tiles_between_polls, across * down - first);
        parallel_for(count, 1, [&](std::size_t i) {
            render_tile(int((first + i) % across) * tile, int((first + i) / across) * tile);
        });
    }
    denoise(image, features);
    return true;
}

const RenderCounts& Raytracer::counts() const { return impl_->counts; }
const Coloring& Raytracer::coloring() const { return impl_->coloring; }

RenderCounts render_image(const SceneDescription& scene, Image& image)
{
    const Raytracer raytracer(scene);
    raytracer.render(image);
    draw_overlays(image, scene, raytracer.coloring());
    return raytracer.counts();
}

} // namespace selvage
