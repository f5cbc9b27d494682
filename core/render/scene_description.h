#pragma once

#include "core/geometry/geometry.h"
#include "core/render/camera.h"
#include "core/render/color_map.h"
#include "core/render/image.h"

#include <optional>
#include <string>
#include <vector>

namespace selvage
{

enum class RenderRole {
    cloth,    ///< two-sided: the back is a little darker and greyer; velvet sheen at the edges
    collider, ///< faint gloss
    hair,     ///< surfaces as cloth; curves are shaded as strands whatever the role
};

/// Where shading normals come from. A simulation moves P and passes N through untouched, so an N
/// on cloth is often that of the rest pose: automatic trusts it on colliders only.
enum class NormalSource { automatic, attribute, computed };

/// One thing to draw. Closed polygons (also in soups) and the outsides of tetrahedra are surfaces;
/// open polygons are round strands of radius `pscale`, or half of `width`, or `default_radius`.
struct RenderObject {
    std::string name;
    Geometry geometry;
    /// The pose by which quads and larger polygons are cut, as the simulation cuts them at its
    /// start: cut otherwise, bent ones may seem to pass through each other. Not used where its
    /// points are not as many; empty: the geometry's own.
    VecX cut_by;
    RenderRole role = RenderRole::cloth;
    Color color = object_color(0); ///< where no attribute colours it

    /// "v" (length of a vector), "P.y" or "v.0" (a component); point, vertex, primitive or detail
    /// attributes, looked for in the order vertex, point, primitive, detail. Empty: `color`.
    std::string color_attribute;

    NormalSource normals = NormalSource::automatic;
    double default_radius = 5e-5; ///< of strands without an attribute [m]
};

/// How numbers become colours, and what the legend says of them.
struct Coloring {
    ColorMapKind map = ColorMapKind::automatic;
    /// In the attribute's own unit; without it the 1st to 99th percentile of what is drawn.
    std::optional<double> low, high;
    bool legend = true;
    std::string title;    ///< empty: the attribute's name
    std::string unit;     ///< empty: known for the common attributes ("%", "m/s"...)
    double shading = 0.7; ///< 0: flat colours exactly as in the legend; 1: lit like any surface
};

/// Lights turn with the camera, so that any view is lit from over the viewer's shoulder.
struct Lights {
    double key_intensity = 0.95;     ///< light reflected by a white surface facing the lamp
    double key_azimuth = -1.0;       ///< from the viewing direction; negative: from the left [rad]
    double key_elevation = 0.8;      ///< above the horizon [rad]
    double key_angular_radius = 0.1; ///< softness of shadows [rad]; 0: sharp
    double sky_intensity = 0.4;      ///< of the dome's zenith
    double rim_intensity = 0.35;     ///< from behind, brightens outlines
};

/// Everything a picture is made of.
struct SceneDescription {
    std::vector<RenderObject> objects;
    Camera camera;
    Lights lights;
    Coloring coloring;

    bool ground = true;
    double ground_height = 0; ///< y of the ground [m]; it shows shadows and fades into the backdrop
    /// Middle and reach of the stage: the ground is drawn around it. Empty: that of the objects.
    BoundingBox stage;

    int width = 960, height = 540;
    int samples = 16; ///< rays per pixel, rounded up to a power of two; noisy pixels get up to 4×
    std::string caption; ///< lower left; empty: none
};

} // namespace selvage
