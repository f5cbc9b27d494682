#pragma once

#include "core/geometry/geometry.h"

#include <memory>
#include <string>

namespace selvage
{

/// Writes frames to wherever a path says: a file per frame (.bgeo.sc, .bgeo, .geo, .obj), or one
/// file for all (.usda, .pc2), which appears with finish().
class GeometrySequenceWriter
{
public:
    /// Frames come in rising order; `name` is the USD prim's. Throws InputError on an ending that
    /// cannot be written.
    GeometrySequenceWriter(const std::string& path, const std::string& name, double fps);
    ~GeometrySequenceWriter();

    void add(double frame, const Geometry& geometry);
    void finish();

    /// True where all frames share one file.
    static bool is_single_file(const std::string& path);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace selvage
