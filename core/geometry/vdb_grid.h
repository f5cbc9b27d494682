#pragma once

#include "core/base/error.h"
#include "core/geometry/distance_field.h"

// Statics of the library's templates must be the library's own. Compiled hidden, they are ours, but
// std::call_once, which sets them, is never hidden: the library would set ours and read its own.
#pragma GCC visibility push(default)
#include <openvdb/openvdb.h>
#pragma GCC visibility pop

/// OpenVDB's grids as volumes and back. For those who see the library's types themselves: the
/// reader of files, and hosts that bring an OpenVDB of their own, against which this is compiled
/// once more. To be compiled with -fno-visibility-inlines-hidden.
namespace selvage::vdb
{

constexpr int side = DistanceSamples::side;
/// More blocks than these in the box around a grid are a stray voxel far away.
constexpr double most_blocks = 3e7;

inline Mat3 axes_of(const openvdb::math::Transform& transform, Vec3& origin)
{
    if (!transform.isLinear())
        throw InputError("its transform is not linear. Resample it with a plain voxel size.");
    const openvdb::Vec3d o = transform.indexToWorld(openvdb::Vec3d(0, 0, 0));
    origin = {o[0], o[1], o[2]};
    Mat3 axes;
    for (int k = 0; k < 3; ++k) {
        openvdb::Vec3d unit(0, 0, 0);
        unit[k] = 1;
        const openvdb::Vec3d x = transform.indexToWorld(unit);
        axes.col(k) = Vec3(x[0], x[1], x[2]) - origin;
    }
    return axes;
}

inline openvdb::Coord corner_of(const DistanceSamples& s, int x, int y, int z)
{
    return {side * (x + s.first_block[0]), side * (y + s.first_block[1]),
            side * (z + s.first_block[2])};
}

/// Throws InputError, without the grid's name, on what cannot be a signed distance.
inline DistanceSamples samples_of(const openvdb::FloatGrid& grid)
{
    static_assert(openvdb::FloatTree::LeafNodeType::DIM == side, "blocks are OpenVDB's leaves");
    DistanceSamples s;
    s.axes = axes_of(grid.transform(), s.origin);
    s.background = grid.background();
    openvdb::CoordBBox box;
    if (!grid.tree().evalLeafBoundingBox(box)) throw InputError("it is empty.");
    for (int k = 0; k < 3; ++k) {
        s.first_block[k] = box.min()[k] >> 3;
        s.block_count[k] = (box.max()[k] >> 3) + 1 - s.first_block[k];
    }
    if (s.block_count.cast<double>().prod() > most_blocks)
        throw InputError("its voxels are spread too far. Remove stray ones, or use larger voxels.");
    s.block.reserve(std::size_t(s.block_count.prod()));
    openvdb::FloatGrid::ConstAccessor at = grid.getConstAccessor();
    for (int x = 0; x < s.block_count[0]; ++x)
        for (int y = 0; y < s.block_count[1]; ++y)
            for (int z = 0; z < s.block_count[2]; ++z) {
                const openvdb::Coord corner = corner_of(s, x, y, z);
                const auto* leaf = at.probeConstLeaf(corner);
                if (!leaf) {
                    s.block.push_back(at.getValue(corner) < 0 ? DistanceSamples::inside
                                                              : DistanceSamples::outside);
                    continue;
                }
                s.block.push_back(std::int32_t(s.values.size() / DistanceSamples::size));
                const float* values = leaf->buffer().data();
                s.values.insert(s.values.end(), values, values + DistanceSamples::size);
            }
    return s;
}

/// Kind and, of a level set of floats, the distances; the name is left empty. Throws as samples_of.
inline Volume volume_of(const openvdb::GridBase::ConstPtr& base)
{
    Volume v;
    if (base->getGridClass() == openvdb::GRID_FOG_VOLUME) v.kind = Volume::Kind::fog;
    const auto grid = openvdb::gridConstPtrCast<openvdb::FloatGrid>(base);
    if (!grid || base->getGridClass() != openvdb::GRID_LEVEL_SET) return v;
    v.kind = Volume::Kind::signed_distance;
    v.field = std::make_shared<DistanceField>(samples_of(*grid));
    return v;
}

inline openvdb::FloatGrid::Ptr grid_of(const Volume& volume)
{
    const DistanceSamples& s = volume.field->samples();
    const auto grid = openvdb::FloatGrid::create(float(s.background));
    openvdb::math::Mat4d map = openvdb::math::Mat4d::identity();
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) map(k, c) = s.axes(c, k); // rows are images of the axes
    map.setTranslation(openvdb::Vec3d(s.origin[0], s.origin[1], s.origin[2]));
    grid->setTransform(openvdb::math::Transform::createLinearTransform(map));
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    grid->setName(volume.name);
    std::size_t b = 0;
    for (int x = 0; x < s.block_count[0]; ++x)
        for (int y = 0; y < s.block_count[1]; ++y)
            for (int z = 0; z < s.block_count[2]; ++z, ++b) {
                const openvdb::Coord corner = corner_of(s, x, y, z);
                if (s.block[b] == DistanceSamples::outside) continue;
                if (s.block[b] == DistanceSamples::inside) {
                    grid->tree().addTile(1, corner, -float(s.background), false);
                    continue;
                }
                auto* leaf = grid->tree().touchLeaf(corner);
                for (int k = 0; k < DistanceSamples::size; ++k) {
                    const float v =
                        s.values[std::size_t(s.block[b]) * DistanceSamples::size + std::size_t(k)];
                    if (std::abs(v) < float(s.background))
                        leaf->setValueOn(openvdb::Index(k), v);
                    else
                        leaf->setValueOff(openvdb::Index(k), v);
                }
            }
    return grid;
}

} // namespace selvage::vdb
