#pragma once

#include "core/render/scene_description.h"

namespace selvage::test
{

/// A square of side 2·half in the plane y = height, facing up, as one quad.
Geometry square_sheet(double half, double height);

/// A sphere of quads with triangles' worth of resolution; radius in metres.
Geometry sphere(double radius, const Vec3& center, int around = 96, int down = 48);

/// A polygon in the plane z = 0.
Geometry outline(const std::vector<Vec2>& corners);

/// Looks along -z at the origin from a distance at which the picture shows heights from -1 to 1.
Camera front_camera();
/// Looks straight down at the origin; the picture's top is towards -z, its height shows 2 m.
Camera top_camera();

/// A small scene without ground and lights other than the sky.
SceneDescription sky_only(int width, int height, int samples);

RenderObject object(Geometry geometry, RenderRole role = RenderRole::cloth,
                    const Color& color = Color::Constant(0.8f));

} // namespace selvage::test
