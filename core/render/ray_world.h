#pragma once

#include "core/render/attribute_values.h"
#include "core/render/drawable.h"
#include "core/render/shading.h"

#include <limits>
#include <memory>

namespace selvage
{

/// Eight rays that are traced together.
struct RayPacket {
    static constexpr int lanes = 8;
    static constexpr std::uint32_t none = ~0u;

    bool active[lanes] = {};
    Eigen::Vector3f origin[lanes], direction[lanes]; ///< directions of unit length

    // Answers of RayWorld::intersect, for active lanes.
    std::uint32_t part[lanes]; ///< none: nothing was met
    std::uint32_t primitive[lanes];
    float distance[lanes], u[lanes], v[lanes];
    Eigen::Vector3f normal[lanes]; ///< geometric, any length
    // Answer of RayWorld::occlude.
    bool blocked[lanes] = {};

    void set(int lane, const Eigen::Vector3f& from, const Eigen::Vector3f& towards)
    {
        active[lane] = true;
        origin[lane] = from;
        direction[lane] = towards;
    }
};

/// What a ray met, ready to be lit.
struct SurfaceHit {
    Eigen::Vector3f origin; ///< where rays to the lights start
    SurfacePoint point;
    bool is_data = false; ///< coloured by an attribute
};

/// Things that rays can meet: the only door to Embree. Positions are relative to an origin near
/// the scene, as single precision serves only there.
class RayWorld
{
public:
    RayWorld();
    ~RayWorld();
    RayWorld(const RayWorld&) = delete;
    RayWorld& operator=(const RayWorld&) = delete;

    /// Numbers for colours, already brought to [0,1]; null: the object's own colour. Each call adds
    /// one part; nothing is added for an empty drawable.
    using UnitValue = std::function<float(const DrawnCorner&, std::int32_t primitive)>;
    void add_triangles(const RenderObject&, const Drawable&, const Vec3& origin, const UnitValue&);
    /// `least_radius` of a position keeps thin strands visible.
    void add_strands(const RenderObject&, const Drawable&, const Vec3& origin, const UnitValue&,
                     const std::function<float(const Eigen::Vector3f&)>& least_radius);
    /// After the last part. Offsets of secondary rays are `epsilon` [m].
    void build(const ColorMap& map, float epsilon);
    std::uint32_t part_count() const;

    enum class Coherence { coherent, scattered };
    void intersect(RayPacket& packet, Coherence coherence) const;
    void occlude(RayPacket& packet, Coherence coherence) const;
    /// The surface met by a lane of an intersected packet.
    SurfaceHit describe(const RayPacket& packet, int lane) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace selvage
