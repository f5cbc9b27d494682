#include "core/io/geometry_file.h"

#include "core/base/error.h"
#include "core/geometry/vdb_collider.h"
#include "core/io/atomic_file.h"
#include "core/io/blosc_container.h"
#include "core/io/geo_reader.h"
#include "core/io/geo_writer.h"
#include "core/io/obj.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace selvage
{
namespace
{

enum class Format { geo, bgeo, bgeo_sc, obj, vdb, unknown };

Format format_of(const std::string& path)
{
    std::string lower = path;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    const auto ends = [&](std::string_view end) {
        return lower.size() > end.size() &&
               lower.compare(lower.size() - end.size(), end.size(), end) == 0;
    };
    if (ends(".bgeo.sc") || ends(".geo.sc")) return Format::bgeo_sc;
    if (ends(".bgeo")) return Format::bgeo;
    if (ends(".geo")) return Format::geo;
    if (ends(".obj")) return Format::obj;
    if (ends(".vdb")) return Format::vdb;
    return Format::unknown;
}

Format known_format(const std::string& path)
{
    const Format format = format_of(path);
    if (format == Format::unknown && std::filesystem::is_directory(path))
        throw FileError("'" + path +
                        "' is a folder. Name a file in it, or a sequence as in "
                        "cape.$F4.bgeo.sc.");
    if (format == Format::unknown)
        throw InputError(
            "'" + path +
            "' has no known extension. Known are .bgeo.sc, .bgeo, .geo, .obj, .pc2 (positions over "
            "time) and, of volumes, .vdb.");
    return format;
}

/// Runs body; what it throws about the content is said of the file.
template <class Body> auto naming(const std::string& path, Body&& body)
{
    try {
        return body();
    } catch (const FileError&) {
        throw; // names the file already
    } catch (const InputError& e) {
        throw InputError(path + ": " + e.what());
    }
}

std::string vdb_bytes(const Geometry& geometry)
{
    for (const Volume& v : geometry.volumes)
        if (v.field) return write_vdb(geometry.volumes);
    throw InputError("there is no signed distance to write. Polygons go into .bgeo.sc, .bgeo, .geo "
                     "or .obj; `selvage convert --voxel` makes volumes of them.");
}

} // namespace

bool is_geometry_path(const std::string& path) { return format_of(path) != Format::unknown; }

Geometry read_geometry(const std::string& path)
{
    const Format format = known_format(path);
    std::string bytes = read_file(path);
    return naming(path, [&] {
        if (format == Format::vdb) {
            Geometry volumes;
            volumes.volumes = read_vdb(bytes);
            return volumes;
        }
        if (format == Format::obj) return read_obj(bytes);
        if (is_blosc_container(bytes)) bytes = blosc_decompress(bytes);
        return read_geo(bytes);
    });
}

void write_geometry(const std::string& path, const Geometry& geometry)
{
    const Format format = known_format(path);
    const std::string bytes = naming(path, [&] {
        switch (format) {
        case Format::obj: return write_obj(geometry);
        case Format::vdb: return vdb_bytes(geometry);
        case Format::geo: return write_geo(geometry, GeoEncoding::text);
        case Format::bgeo_sc: return blosc_compress(write_geo(geometry, GeoEncoding::binary));
        default: return write_geo(geometry, GeoEncoding::binary);
        }
    });
    write_file(path, bytes);
}

} // namespace selvage
