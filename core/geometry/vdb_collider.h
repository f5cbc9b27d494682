#pragma once

#include "core/geometry/distance_field.h"

namespace selvage
{

/// Whether this build reads volume files.
bool has_openvdb();

/// The grids of a .vdb file, given as its bytes: level sets of floats with their distances, others
/// by name and kind. Throws InputError where they cannot be read, or the build has no OpenVDB.
/// OpenVDB reads them in a process of its own, which damaged files may bring down. Takes at most 64
/// times the memory of the file, and 160 MiB (for the box around its blocks).
std::vector<Volume> read_vdb(const std::string& bytes);

/// The bytes of a .vdb file with the level sets among these volumes.
std::string write_vdb(const std::vector<Volume>& volumes);

/// The signed distance of a closed surface (triangles over x, three coordinates per point), in a
/// narrow band of `band` voxels to both sides.
DistanceSamples distance_of_surface(const VecX& x, const std::vector<Vec3i>& triangles,
                                    double voxel_size, double band = 3);

} // namespace selvage
