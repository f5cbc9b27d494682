#include "core/render/ray_world.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <Eigen/Geometry>
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>

namespace selvage
{
namespace
{

using Vec3f = Eigen::Vector3f;
constexpr int lanes = RayPacket::lanes;

struct ReleaseDevice {
    void operator()(RTCDevice d) const { rtcReleaseDevice(d); }
};
struct ReleaseScene {
    void operator()(RTCScene s) const { rtcReleaseScene(s); }
};

/// The triangles or the strands of one object, by Embree's geometry number.
struct Part {
    bool is_strands = false;
    RenderRole role = RenderRole::cloth;
    Color color;
    std::vector<Vec3f> positions;    // triangles: three per triangle
    std::vector<Vec3f> normals;      // likewise; strands: tangents, one per strand point
    std::vector<float> values;       // likewise, in [0,1]; empty: the part has one colour
    std::vector<std::int32_t> first; // strands: first point of each segment
};

std::vector<Vec3f> local_positions(const Geometry& geometry, const Vec3& origin)
{
    const VecX x = geometry.positions();
    std::vector<Vec3f> out(geometry.point_count());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = (x.segment<3>(3 * Eigen::Index(i)) - origin).cast<float>();
    return out;
}

template <class T>
T* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t per_item,
              std::size_t items)
{
    void* memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, per_item * sizeof(T), items);
    if (!memory) throw InputError("The ray tracer ran out of memory for this scene.");
    return static_cast<T*>(memory);
}

void load(const RayPacket& packet, RTCRay8& ray, int* valid)
{
    for (int i = 0; i < lanes; ++i) {
        valid[i] = packet.active[i] ? -1 : 0;
        if (!packet.active[i]) continue;
        const Vec3f &o = packet.origin[i], &d = packet.direction[i];
        ray.org_x[i] = o.x(), ray.org_y[i] = o.y(), ray.org_z[i] = o.z();
        ray.dir_x[i] = d.x(), ray.dir_y[i] = d.y(), ray.dir_z[i] = d.z();
        ray.tnear[i] = 0, ray.tfar[i] = std::numeric_limits<float>::infinity();
        ray.time[i] = 0, ray.mask[i] = ~0u, ray.id[i] = 0, ray.flags[i] = 0;
    }
}

RTCIntersectContext context_for(RayWorld::Coherence coherence)
{
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = coherence == RayWorld::Coherence::coherent
                        ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                        : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    return context;
}

} // namespace

struct RayWorld::Impl {
    void attach(RTCGeometry geometry, Part part)
    {
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene.get(), geometry, unsigned(parts.size()));
        rtcReleaseGeometry(geometry);
        parts.push_back(std::move(part));
    }
    SurfaceHit describe_triangle(const Part&, const RayPacket&, int lane) const;
    SurfaceHit describe_strand(const Part&, const RayPacket&, int lane) const;

    std::unique_ptr<std::remove_pointer_t<RTCDevice>, ReleaseDevice> device;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, ReleaseScene> scene;
    std::vector<Part> parts;
    ColorMap map;
    float epsilon = 0;
};

RayWorld::RayWorld() : impl_(new Impl)
{
    impl_->device.reset(rtcNewDevice(nullptr));
    if (!impl_->device) throw InputError("The ray tracer could not start (Embree has no device).");
    impl_->scene.reset(rtcNewScene(impl_->device.get()));
    rtcSetSceneFlags(impl_->scene.get(), RTC_SCENE_FLAG_ROBUST);
}

RayWorld::~RayWorld() = default;

std::uint32_t RayWorld::part_count() const { return std::uint32_t(impl_->parts.size()); }

void RayWorld::add_triangles(const RenderObject& object, const Drawable& drawable,
                             const Vec3& origin, const UnitValue& value)
{
    const std::size_t n = drawable.triangles.size();
    if (n == 0) return;
    const std::vector<Vec3f> local = local_positions(object.geometry, origin);
    Part part;
    part.role = object.role;
    part.color = object.color;
    const RTCGeometry geometry = rtcNewGeometry(impl_->device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* x = new_buffer<float>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 3, 3 * n);
    auto* index = new_buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 3, n);
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const DrawnTriangle& triangle = drawable.triangles[t];
            const Vec3f& p = local[std::size_t(triangle.corner[k].point)];
            Eigen::Map<Vec3f>(x + 3 * (3 * t + k)) = p;
            index[3 * t + k] = unsigned(3 * t + k);
            part.positions.push_back(p);
            part.normals.push_back(triangle.normal[k]);
            if (value) part.values.push_back(value(triangle.corner[k], triangle.primitive));
        }
    impl_->attach(geometry, std::move(part));
}

void RayWorld::add_strands(const RenderObject& object, const Drawable& drawable, const Vec3& origin,
                           const UnitValue& value,
                           const std::function<float(const Vec3f&)>& least_radius)
{
    const std::size_t n = drawable.segments.size(), m = drawable.strand_points.size();
    if (n == 0) return;
    const std::vector<Vec3f> local = local_positions(object.geometry, origin);
    Part part;
    part.is_strands = true;
    part.role = object.role;
    part.color = object.color;
    const RTCGeometry geometry =
        rtcNewGeometry(impl_->device.get(), RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    auto* x = new_buffer<float>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 4, m);
    auto* index = new_buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, 1, n);
    auto* flags =
        new_buffer<unsigned char>(geometry, RTC_BUFFER_TYPE_FLAGS, RTC_FORMAT_UCHAR, 1, n);
    for (std::size_t i = 0; i < m; ++i) {
        const StrandPoint& point = drawable.strand_points[i];
        const Vec3f& p = local[std::size_t(point.corner.point)];
        x[4 * i] = p.x(), x[4 * i + 1] = p.y(), x[4 * i + 2] = p.z();
        x[4 * i + 3] = std::max(point.radius, least_radius(p));
        part.normals.push_back(point.tangent);
    }
    if (value) part.values.resize(m);
    for (std::size_t s = 0; s < n; ++s) {
        const DrawnSegment& segment = drawable.segments[s];
        const auto first = std::size_t(segment.first);
        index[s] = unsigned(first);
        flags[s] = (unsigned char)((segment.has_left ? RTC_CURVE_FLAG_NEIGHBOR_LEFT : 0) |
                                   (segment.has_right ? RTC_CURVE_FLAG_NEIGHBOR_RIGHT : 0));
        part.first.push_back(segment.first);
        if (value)
            for (const std::size_t i : {first, first + 1})
                part.values[i] = value(drawable.strand_points[i].corner, segment.primitive);
    }
    impl_->attach(geometry, std::move(part));
}

void RayWorld::build(const ColorMap& map, float epsilon)
{
    impl_->map = map;
    impl_->epsilon = epsilon;
    // Which of two touching triangles a ray meets depends on the search tree, and the tree on how
    // many threads built it: one thread, for the same bits everywhere.
    const ThreadLimit one(1);
    rtcCommitScene(impl_->scene.get());
    if (rtcGetDeviceError(impl_->device.get()) != RTC_ERROR_NONE)
        throw InputError("The ray tracer ran out of memory for this scene.");
}

void RayWorld::intersect(RayPacket& packet, Coherence coherence) const
{
    alignas(32) RTCRayHit8 rays;
    alignas(32) int valid[lanes];
    load(packet, rays.ray, valid);
    std::fill_n(rays.hit.geomID, lanes, RTC_INVALID_GEOMETRY_ID);
    std::fill_n(rays.hit.instID[0], lanes, RTC_INVALID_GEOMETRY_ID);
    RTCIntersectContext context = context_for(coherence);
    rtcIntersect8(valid, impl_->scene.get(), &context, &rays);
    for (int i = 0; i < lanes; ++i) {
        packet.part[i] = packet.active[i] ? rays.hit.geomID[i] : RayPacket::none;
        if (packet.part[i] == RayPacket::none) continue;
        packet.primitive[i] = rays.hit.primID[i];
        packet.distance[i] = rays.ray.tfar[i];
        packet.u[i] = rays.hit.u[i];
        packet.v[i] = rays.hit.v[i];
        packet.normal[i] = {rays.hit.Ng_x[i], rays.hit.Ng_y[i], rays.hit.Ng_z[i]};
    }
}

void RayWorld::occlude(RayPacket& packet, Coherence coherence) const
{
    alignas(32) RTCRay8 rays;
    alignas(32) int valid[lanes];
    load(packet, rays, valid);
    RTCIntersectContext context = context_for(coherence);
    rtcOccluded8(valid, impl_->scene.get(), &context, &rays);
    for (int i = 0; i < lanes; ++i)
        packet.blocked[i] = packet.active[i] && rays.tfar[i] < 0; // Embree sets -inf
}

SurfaceHit RayWorld::describe(const RayPacket& packet, int lane) const
{
    const Part& part = impl_->parts[packet.part[lane]];
    return part.is_strands ? impl_->describe_strand(part, packet, lane)
                           : impl_->describe_triangle(part, packet, lane);
}

SurfaceHit RayWorld::Impl::describe_triangle(const Part& part, const RayPacket& packet,
                                             int lane) const
{
    const std::size_t first = 3 * std::size_t(packet.primitive[lane]);
    const float b[3] = {1 - packet.u[lane] - packet.v[lane], packet.u[lane], packet.v[lane]};
    const Vec3f* x = &part.positions[first];
    const Vec3f& direction = packet.direction[lane];
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
    SurfaceHit out;
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
    if (back && !out.is_data && part.role != RenderRole::collider) s.color = back_color(s.color);
    return out;
}

SurfaceHit RayWorld::Impl::describe_strand(const Part& part, const RayPacket& packet,
                                           int lane) const
{
    const auto first = std::size_t(part.first[std::size_t(packet.primitive[lane])]);
    const float u = std::clamp(packet.u[lane], 0.0f, 1.0f);
    SurfaceHit out;
    out.is_data = !part.values.empty();
    SurfacePoint& s = out.point;
    s.is_strand = true;
    s.towards_viewer = -packet.direction[lane];
    s.normal = packet.normal[lane].normalized();
    s.tangent = ((1 - u) * part.normals[first] + u * part.normals[first + 1]).normalized();
    s.role = part.role;
    s.color = part.color;
    if (out.is_data) s.color = map((1 - u) * part.values[first] + u * part.values[first + 1]);
    out.origin = packet.origin[lane] + packet.distance[lane] * packet.direction[lane] +
                 2 * epsilon * s.normal;
    return out;
}

} // namespace selvage
