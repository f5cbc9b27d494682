#pragma once

#include "core/base/log.h"
#include "core/model/drive.h"
#include "core/model/scene.h"
#include "core/model/state.h"
#include "core/session/geometry_source.h"
#include "core/session/session_setup.h"

#include <array>
#include <optional>

namespace selvage
{

/// Where roots sit on an animated surface: they follow its triangles like stickers.
struct RootBinding {
    int collider = 0;
    VecX groom;     ///< [m] the hair's points at the start, three each
    VecX directors; ///< m1 of the first edges at the start, three per strand
    struct Place {
        std::array<int, 4> corners; ///< of a triangle or quad; the last one of a triangle twice
        Vec4 weights;
        Vec3i triangle; ///< whose turning the strand goes with
        Vec3 origin;    ///< the place at the start
        Mat3 frame;     ///< of the triangle at the start
    };
    std::vector<Place> places; ///< one per strand

    /// The groom on the surface whose points are here now.
    HairDrive at(const Hair& hair, const VecX& surface) const;
};

/// Hair as a shot describes it; `collider_geometry` at the start frame. Throws InputError.
struct AssembledHair {
    Hair hair;
    RodFrames frames;
    std::optional<RootBinding> binding;
};
AssembledHair assemble_hair(const HairSetup& setup, const Geometry& geometry, double frame,
                            const std::vector<Collider>& colliders,
                            const std::vector<std::shared_ptr<const Geometry>>& collider_geometry,
                            LogSink& log);

/// Frames of all hairs one after the other, at rest.
void stack_frames(const std::vector<RodFrames>& frames, int rod_points, State& state);

/// A rest shape that gravity bends into the groom, unless the shot gives one of its own.
void solve_rest_shape(const HairSetup& setup, const Geometry& geometry, std::size_t number,
                      const Vec3& gravity, const State& start, Scene& scene, LogSink& log);

/// The material of a hair: preset, then explicit values.
HairMaterial hair_material(const HairSetup& setup);

} // namespace selvage
