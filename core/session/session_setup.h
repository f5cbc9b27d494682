#pragma once

#include "core/session/geometry_source.h"
#include "core/session/parameter_set.h"

#include <memory>
#include <string>
#include <vector>

namespace selvage
{

struct ClothSetup {
    ParameterSet cloth{"cloth"};
    ParameterSet pins{"cloth.pins"};
    ParameterSet rest_parameters{"cloth.rest"};
    ParameterSet local_space{"cloth.local_space"};
    ParameterSet pressure{"cloth.pressure"};
    std::shared_ptr<GeometrySource> geometry;
    std::shared_ptr<GeometrySource> initial;            ///< may be null
    std::shared_ptr<GeometrySource> pin_target;         ///< may be null
    std::shared_ptr<GeometrySource> rest;               ///< may be null
    std::shared_ptr<GeometrySource> frame_of_reference; ///< may be null

    const std::string& name() const { return cloth.text("name"); }
};

struct SolidSetup {
    ParameterSet solid{"solid"};
    ParameterSet pins{"solid.pins"};
    std::shared_ptr<GeometrySource> geometry;
    std::shared_ptr<GeometrySource> initial;    ///< may be null
    std::shared_ptr<GeometrySource> pin_target; ///< may be null

    const std::string& name() const { return solid.text("name"); }
};

struct HairSetup {
    ParameterSet hair{"hair"};
    std::shared_ptr<GeometrySource> geometry;
    std::shared_ptr<GeometrySource> rest; ///< may be null

    const std::string& name() const { return hair.text("name"); }
};

struct ColliderSetup {
    ParameterSet collider{"collider"};
    ParameterSet plane{"collider.plane"};
    std::shared_ptr<GeometrySource> geometry; ///< null for a plane

    const std::string& name() const { return collider.text("name"); }
    bool is_plane() const { return plane.has("point") || plane.has("normal"); }
};

/// How two objects, or all that match two patterns, touch.
struct PairSetup {
    ParameterSet pair{"pair"};

    std::string name() const { return pair.text("a") + "-" + pair.text("b"); }
};

struct AttachmentSetup {
    ParameterSet attachment{"attachment"};
    std::shared_ptr<GeometrySource> constraints; ///< may be null
    std::shared_ptr<GeometrySource> to_geometry; ///< may be null

    const std::string& name() const { return attachment.text("name"); }
};

struct SeamSetup {
    ParameterSet seam{"seam"};
    std::shared_ptr<GeometrySource> constraints; ///< may be null

    const std::string& name() const { return seam.text("name"); }
};

/// Primitives that say themselves what they are: Vellum's constraint geometry.
struct ConstraintsSetup {
    ParameterSet constraints{"constraints"};
    std::shared_ptr<GeometrySource> geometry;

    const std::string& name() const { return constraints.text("name"); }
};

/// All that a host hands to a session: parameters by scope, and inputs over time.
struct SessionSetup {
    ParameterSet shot{""};
    ParameterSet solver{"solver"};
    ParameterSet collision{"collision"};
    ParameterSet preroll{"preroll"};
    ParameterSet turbulence{"turbulence"};
    std::vector<ClothSetup> cloths;
    std::vector<SolidSetup> solids;
    std::vector<HairSetup> hairs;
    std::vector<ColliderSetup> colliders;
    std::vector<PairSetup> pairs;
    std::vector<AttachmentSetup> attachments;
    std::vector<SeamSetup> seams;
    std::vector<ConstraintsSetup> constraints;

    int first_frame() const { return int(shot.vector("frames")[0]); }
    int last_frame() const { return int(shot.vector("frames")[1]); }
    /// Stable text of all explicit values: equal set-ups give equal texts.
    std::string fingerprint() const;
};

} // namespace selvage
