#include "core/render/raytracer.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/render/attribute_values.h"
#include "core/render/denoise.h"
#include "core/render/drawable.h"
#include "core/render/legend.h"
#include "core/render/sampling.h"
#include "core/render/shading.h"

#include <Eigen/Geometry>
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using Vec3f = Eigen::Vector3f;

constexpr int lanes = 8; // rays per packet
constexpr int tile = 16; // pixels
constexpr std::size_t tiles_between_polls = 96;

struct DeleteDevice {
    void operator()(RTCDevice d) const { rtcReleaseDevice(d); }
};
struct DeleteScene {
    void operator()(RTCScene s) const { rtcReleaseScene(s); }
};

/// What a ray can hit, by Embree's geometry number: the triangles or the strands of one object.
struct Part {
    bool is_strands = false;
    RenderRole role = RenderRole::cloth;
    Color color;
    std::vector<Vec3f> positions;    // triangles: three per triangle
    std::vector<Vec3f> normals;      // likewise; strands: tangents, one per strand point
    std::vector<float> values;       // likewise, in [0,1]; empty: the part has one colour
    std::vector<std::int32_t> first; // strands: first point of each segment
};

/// Eight rays in the layout Embree wants, with all lanes off.
struct alignas(32) Packet {
    alignas(32) RTCRayHit8 rays;
    alignas(32) int valid[lanes] = {};

    void set(int i, const Vec3f& origin, const Vec3f& direction)
    {
        valid[i] = -1;
        RTCRay8& r = rays.ray;
        r.org_x[i] = origin.x(), r.org_y[i] = origin.y(), r.org_z[i] = origin.z();
        r.dir_x[i] = direction.x(), r.dir_y[i] = direction.y(), r.dir_z[i] = direction.z();
        r.tnear[i] = 0, r.tfar[i] = std::numeric_limits<float>::infinity();
        r.time[i] = 0, r.mask[i] = ~0u, r.id[i] = 0, r.flags[i] = 0;
        rays.hit.geomID[i] = rays.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    }
    bool hit(int i) const { return rays.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID; }
    bool occluded(int i) const { return rays.ray.tfar[i] < 0; } // Embree sets -inf
};

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
struct Hit {
    enum Kind { nothing, ground, surface } kind = nothing;
    Color behind;   // backdrop; ground: what its shadow darkens
    float fade = 0; // ground: how much of the shadow shows
    Vec3f origin;   // of rays to the lights
    float distance = 0;
    std::int32_t part = -1; // by geometry number; the ground comes after the last
    SurfacePoint point;
    bool is_data = false; // coloured by an attribute
};

} // namespace

struct Raytracer::Impl {
    explicit Impl(const SceneDescription& scene);

    void add_triangles(const RenderObject&, const Drawable&, const AttributeValues*);
    void add_strands(const RenderObject&, const Drawable&, const AttributeValues*);
    void attach(RTCGeometry geometry, Part part);
    Vec3f local(const RenderObject& object, std::int32_t point) const;
    float unit_value(float value) const;

    struct PixelSum;
    Color render_pixel(int x, int y, PixelFeature& feature) const;
    void trace_packet(int x, int y, int first, int count, PixelSum& sum) const;
    Hit find_hit(const Packet& packet, int lane, const Eigen::Vector2f& on_picture) const;
    void describe_triangle(const Part&, const RTCHit8&, int lane, const Vec3f& direction,
                           Hit&) const;
    void describe_strand(const Part&, const RTCHit8&, int lane, const Vec3f& x,
                         const Vec3f& direction, Hit&) const;
    Color light(const Hit& hit, const Incident& incident, const Vec3f& sky_direction) const;

    int width, height, samples;
    SampleSequence sequence;
    Coloring coloring;
    ColorMap map;
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

    std::unique_ptr<std::remove_pointer_t<RTCDevice>, DeleteDevice> device;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, DeleteScene> world;
    std::vector<Part> parts;
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
    std::vector<Drawable> drawables;
    std::vector<std::optional<AttributeValues>> values;
    BoundingBox stage = scene.stage;
    RangeFinder found;
    for (const RenderObject& o : scene.objects) {
        drawables.push_back(make_drawable(o));
        counts.skipped_primitives += drawables.back().skipped_primitives;
        if (scene.stage.empty()) stage.add(drawn_bounds(o, drawables.back()));
        values.emplace_back();
        if (o.color_attribute.empty()) continue;
        values.back() = attribute_values(o.geometry, o.color_attribute);
        if (values.back())
            found.add(*values.back());
        else
            ++counts.uncolored_objects;
    }
    if (!found.empty()) {
        coloring = resolve_coloring(coloring, found);
        map = ColorMap(coloring.map);
    }

    center = stage.empty() ? Vec3(camera.target) : stage.center();
    stage_radius = float(std::max(0.5 * stage.diagonal(), 1e-6));
    epsilon = 1e-5f * stage_radius;
    has_ground = scene.ground;
    ground_y = float(scene.ground_height - center.y());
    const Mat3 axes = camera.axes();
    eye = (camera.position - center).cast<float>();
    const double t = std::tan(0.5 * camera.field_of_view);
    right = (t * axes.row(0).transpose()).cast<float>();
    up = (t * axes.row(1).transpose()).cast<float>();
    forward = axes.row(2).transpose().cast<float>();

    device.reset(rtcNewDevice(nullptr));
    if (!device) throw InputError("The ray tracer could not start (Embree has no device).");
    world.reset(rtcNewScene(device.get()));
    rtcSetSceneFlags(world.get(), RTC_SCENE_FLAG_ROBUST);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const AttributeValues* v = values[i] ? &*values[i] : nullptr;
        if (!drawables[i].triangles.empty()) add_triangles(scene.objects[i], drawables[i], v);
        if (!drawables[i].segments.empty()) add_strands(scene.objects[i], drawables[i], v);
    }
    const ThreadLimit one(1); // which of two touching triangles a ray meets depends on the tree
    rtcCommitScene(world.get());
    if (rtcGetDeviceError(device.get()) != RTC_ERROR_NONE)
        throw InputError("The ray tracer ran out of memory for this scene.");
}

Vec3f Raytracer::Impl::local(const RenderObject& object, std::int32_t point) const
{
    const Attribute& P = object.geometry.get(Owner::point, "P");
    const auto i = std::size_t(point);
    return (Vec3(P.number(i, 0), P.number(i, 1), P.number(i, 2)) - center).cast<float>();
}

float Raytracer::Impl::unit_value(float value) const
{
    return float((value - *coloring.low) / (*coloring.high - *coloring.low));
}

void Raytracer::Impl::attach(RTCGeometry geometry, Part part)
{
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(world.get(), geometry, unsigned(parts.size()));
    rtcReleaseGeometry(geometry);
    parts.push_back(std::move(part));
}

void Raytracer::Impl::add_triangles(const RenderObject& object, const Drawable& drawable,
                                    const AttributeValues* values)
{
    const std::size_t n = drawable.triangles.size();
    counts.triangles += n;
    Part part{false, object.role, object.color, {}, {}, {}, {}};
    const RTCGeometry geometry = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* x = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), 3 * n));
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), n));
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const DrawnTriangle& triangle = drawable.triangles[t];
            const Vec3f p = local(object, triangle.corner[k].point);
            Eigen::Map<Vec3f>(x + 3 * (3 * t + k)) = p;
            index[3 * t + k] = unsigned(3 * t + k);
            part.positions.push_back(p);
            part.normals.push_back(triangle.normal[k]);
            if (values)
                part.values.push_back(
                    unit_value(values->at(triangle.corner[k], triangle.primitive)));
        }
    attach(geometry, std::move(part));
}

void Raytracer::Impl::add_strands(const RenderObject& object, const Drawable& drawable,
                                  const AttributeValues* values)
{
    const std::size_t n = drawable.segments.size(), m = drawable.strand_points.size();
    counts.strand_segments += n;
    Part part{true, object.role, object.color, {}, {}, {}, {}};
    const RTCGeometry geometry = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    auto* x = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                          RTC_FORMAT_FLOAT4, 4 * sizeof(float), m));
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, sizeof(unsigned), n));
    auto* flags = static_cast<unsigned char*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_FLAGS, 0, RTC_FORMAT_UCHAR, 1, n));
    for (std::size_t i = 0; i < m; ++i) {
        const StrandPoint& point = drawable.strand_points[i];
        const Vec3f p = local(object, point.corner.point);
        // Thinner than most of a pixel, a hair would break up into dots.
        const double depth = double(forward.dot(p - eye));
        const double least = depth > 0 ? 0.35 * camera.pixel_size(depth, height) : 0;
        x[4 * i] = p.x(), x[4 * i + 1] = p.y(), x[4 * i + 2] = p.z();
        x[4 * i + 3] = std::max(point.radius, float(least));
        part.normals.push_back(point.tangent);
    }
    if (values) part.values.resize(m);
    for (std::size_t s = 0; s < n; ++s) {
        const DrawnSegment& segment = drawable.segments[s];
        index[s] = unsigned(segment.first);
        flags[s] = (unsigned char)((segment.has_left ? RTC_CURVE_FLAG_NEIGHBOR_LEFT : 0) |
                                   (segment.has_right ? RTC_CURVE_FLAG_NEIGHBOR_RIGHT : 0));
        part.first.push_back(segment.first);
        if (values)
            for (const auto i : {std::size_t(segment.first), std::size_t(segment.first) + 1})
                part.values[i] =
                    unit_value(values->at(drawable.strand_points[i].corner, segment.primitive));
    }
    attach(geometry, std::move(part));
}

void Raytracer::Impl::describe_triangle(const Part& part, const RTCHit8& hit, int lane,
                                        const Vec3f& direction, Hit& out) const
{
    const std::size_t first = 3 * std::size_t(hit.primID[lane]);
    const float b[3] = {1 - hit.u[lane] - hit.v[lane], hit.u[lane], hit.v[lane]};
    const Vec3f* x = &part.positions[first];
    const Vec3f flat = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
    const bool back = flat.dot(direction) > 0;
    const float side = back ? -1.0f : 1.0f;

    // Rays to the lights start on the rounded surface that the smooth normals suggest, not on the
    // flat triangle: otherwise facets show at the edge of self-shadows (Hanika 2021).
    const Vec3f p = b[0] * x[0] + b[1] * x[1] + b[2] * x[2];
    Vec3f smooth = Vec3f::Zero(), rounded = Vec3f::Zero();
    float value = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3f n = side * part.normals[first + k];
        smooth += b[k] * n;
        rounded += b[k] * (p - std::min(0.0f, (p - x[k]).dot(n)) * n);
        if (!part.values.empty()) value += b[k] * part.values[first + k];
    }
    out.kind = Hit::surface;
    out.is_data = !part.values.empty();
    out.origin = rounded + epsilon * side * flat;
    SurfacePoint& s = out.point;
    s.towards_viewer = -direction;
    s.normal = smooth.norm() > 1e-3f ? Vec3f(smooth.normalized()) : Vec3f(side * flat);
    // A smooth normal that looks away from the viewer is bent back to the outline.
    const float facing = s.normal.dot(s.towards_viewer);
    if (facing < 0.01f) s.normal = (s.normal + (0.01f - facing) * s.towards_viewer).normalized();
    s.role = part.role;
    s.color = out.is_data ? map(value) : part.color;
    if (back && !out.is_data && part.role == RenderRole::cloth) s.color = back_color(s.color);
}

void Raytracer::Impl::describe_strand(const Part& part, const RTCHit8& hit, int lane,
                                      const Vec3f& x, const Vec3f& direction, Hit& out) const
{
    const auto first = std::size_t(part.first[std::size_t(hit.primID[lane])]);
    const float u = std::clamp(hit.u[lane], 0.0f, 1.0f);
    const Vec3f normal = Vec3f(hit.Ng_x[lane], hit.Ng_y[lane], hit.Ng_z[lane]).normalized();
    out.kind = Hit::surface;
    out.is_data = !part.values.empty();
    out.origin = x + 2 * epsilon * normal;
    SurfacePoint& s = out.point;
    s.is_strand = true;
    s.towards_viewer = -direction;
    s.normal = normal;
    s.tangent = ((1 - u) * part.normals[first] + u * part.normals[first + 1]).normalized();
    s.role = part.role;
    s.color = part.color;
    if (out.is_data) s.color = map((1 - u) * part.values[first] + u * part.values[first + 1]);
}

Hit Raytracer::Impl::find_hit(const Packet& packet, int lane,
                              const Eigen::Vector2f& on_picture) const
{
    Hit out;
    out.behind = backdrop(on_picture.x(), on_picture.y());
    const RTCRay8& r = packet.rays.ray;
    const Vec3f direction(r.dir_x[lane], r.dir_y[lane], r.dir_z[lane]);
    const float to_ground = direction.y() < 0 ? (ground_y - eye.y()) / direction.y() : -1;
    if (has_ground && to_ground > 0 && (!packet.hit(lane) || to_ground < r.tfar[lane])) {
        const Vec3f x = eye + to_ground * direction;
        const float distance = Vec3f(x.x(), 0, x.z()).norm() / stage_radius;
        out.behind *= 1 + 0.08f * std::exp(-0.35f * distance * distance);
        out.fade = 1 - smooth_step(2.2f, 6, distance);
        if (out.fade <= 0) return out;
        out.kind = Hit::ground;
        out.part = std::int32_t(parts.size());
        out.distance = to_ground;
        out.origin = x + epsilon * Vec3f::UnitY();
        out.point.normal = Vec3f::UnitY();
        return out;
    }
    if (!packet.hit(lane)) return out;
    out.part = std::int32_t(packet.rays.hit.geomID[lane]);
    out.distance = r.tfar[lane];
    const Part& part = parts[std::size_t(out.part)];
    if (part.is_strands)
        describe_strand(part, packet.rays.hit, lane, eye + r.tfar[lane] * direction, direction,
                        out);
    else
        describe_triangle(part, packet.rays.hit, lane, direction, out);
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

/// Sums over the samples of one pixel.
struct Raytracer::Impl::PixelSum {
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

void Raytracer::Impl::trace_packet(int x, int y, int first, int count, PixelSum& sum) const
{
    const auto pixel = std::uint32_t(y) * std::uint32_t(width) + std::uint32_t(x);
    const float aspect = float(width) / float(height);
    Packet camera_rays, key_rays, sky_rays;
    Eigen::Vector2f on_picture[lanes];
    const auto of_area = sequence.scramble(pixel, 0), of_key = sequence.scramble(pixel, 1),
               of_sky = sequence.scramble(pixel, 2);
    for (int i = 0; i < count; ++i) {
        const Eigen::Vector2f u = sequence.at(of_area, std::uint32_t(first + i));
        const float px = float(x) + 0.5f + 0.85f * tent_offset(u.x());
        const float py = float(y) + 0.5f + 0.85f * tent_offset(u.y());
        on_picture[i] = {2 * px / float(width) - 1, 1 - 2 * py / float(height)};
        const Vec3f direction =
            forward + aspect * on_picture[i].x() * right + on_picture[i].y() * up;
        camera_rays.set(i, eye, direction.normalized());
    }
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect8(camera_rays.valid, world.get(), &context, &camera_rays.rays);

    // Ask each point for its light: one ray to the lamp, one to the sky.
    Hit hits[lanes];
    Incident incident[lanes];
    Vec3f sky_direction[lanes];
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
        sky_direction[i] = hemisphere(n, sequence.at(of_sky, index));
        incident[i].sky = rig.sky(sky_direction[i]);
        sky_rays.set(i, hits[i].origin, sky_direction[i]);
    }
    if (any) {
        rtcOccluded8(key_rays.valid, world.get(), &context, &key_rays.rays.ray);
        context.flags = RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
        rtcOccluded8(sky_rays.valid, world.get(), &context, &sky_rays.rays.ray);
    }
    for (int i = 0; i < count; ++i) {
        incident[i].key_visible = key_rays.valid[i] && !key_rays.occluded(i) ? 1.0f : 0.0f;
        incident[i].sky_visible = sky_rays.valid[i] && !sky_rays.occluded(i) ? 1.0f : 0.0f;
        sum.add(hits[i], light(hits[i], incident[i], sky_direction[i]));
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
        const bool noisy = variance > (sheet ? 2.5e-5f : 1e-3f) * n;
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
