#include "core/io/geometry_sequence_writer.h"

#include "core/base/error.h"
#include "core/io/geometry_file.h"
#include "core/io/pc2.h"
#include "core/io/sequence.h"
#include "core/io/usda.h"

#include <filesystem>
#include <optional>

namespace selvage
{

struct GeometrySequenceWriter::Impl {
    std::string path;
    std::unique_ptr<UsdaWriter> usda;
    std::unique_ptr<PointCacheWriter> cache; ///< made with the first frame, which knows the points
};

bool GeometrySequenceWriter::is_single_file(const std::string& path)
{
    const std::string extension = std::filesystem::path(path).extension().string();
    return extension == ".usda" || extension == ".pc2";
}

GeometrySequenceWriter::GeometrySequenceWriter(const std::string& path, const std::string& name,
                                               double fps)
    : impl_(new Impl)
{
    impl_->path = path;
    if (!is_single_file(path) && !is_geometry_path(path))
        throw InputError("Cannot write '" + path +
                         "': known endings are .bgeo.sc, .bgeo, .geo, .obj, .vdb (a file per "
                         "frame), .usda and .pc2 (one file).");
    if (std::filesystem::path(path).extension() == ".usda") {
        UsdaSettings settings;
        settings.name = name;
        settings.fps = fps;
        impl_->usda = std::make_unique<UsdaWriter>(path, settings);
    }
}

GeometrySequenceWriter::~GeometrySequenceWriter() = default;

void GeometrySequenceWriter::add(double frame, const Geometry& geometry)
{
    if (impl_->usda) return impl_->usda->add(frame, geometry);
    if (!is_single_file(impl_->path))
        return write_geometry(frame_path(impl_->path, frame), geometry);
    if (!impl_->cache)
        impl_->cache = std::make_unique<PointCacheWriter>(impl_->path, geometry.point_count());
    impl_->cache->add(frame, geometry.positions());
}

void GeometrySequenceWriter::finish()
{
    if (impl_->usda) impl_->usda->finish();
    if (impl_->cache) impl_->cache->finish();
}

} // namespace selvage
