#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/session/session_setup.h"

namespace selvage
{

/// The signed distance among a geometry's volumes: the one with this name, or the only one where
/// the name is empty. Throws InputError that says what there is, and how to convert a fog volume.
std::shared_ptr<const DistanceField> signed_distance_of(const Geometry& geometry,
                                                        const std::string& grid);

/// Whether a collider's geometry stands for a field: it names a grid, or has volumes alone.
bool is_field(const ColliderSetup& collider, const Geometry& geometry);

/// Makes a collider of the field at the start frame.
void set_field(const ColliderSetup& setup, double frame, LogSink& log, Collider& collider);

/// Throws InputError unless contact begins within the narrow band of every field.
void require_wide_bands(const Scene& scene);

} // namespace selvage
