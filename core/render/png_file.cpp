#include "core/render/png_file.h"

#include "core/base/error.h"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace selvage
{
namespace
{

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail_to_write(const std::string& path, const std::string& why)
{
    throw FileError("Cannot write picture '" + path + "': " + why +
                    ". Check that the folder exists, is writable and has space left.");
}

/// Removes the unfinished file unless it was renamed away.
struct TemporaryFile {
    std::string path;
    ~TemporaryFile() { std::remove(path.c_str()); }
};

} // namespace

void write_png(const std::string& path, const Image8& image)
{
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) fail_to_write(path, error.message());
    // The process number keeps two renders of the same shot from writing into one file.
    const TemporaryFile temporary{path + ".tmp" + std::to_string(::getpid())};
    File file(std::fopen(temporary.path.c_str(), "wb"));
    if (!file) fail_to_write(path, std::strerror(errno));

    png_image description{};
    description.version = PNG_IMAGE_VERSION;
    description.width = png_uint_32(image.width);
    description.height = png_uint_32(image.height);
    description.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_stdio(&description, file.get(), 0, image.rgb.data(), 0, nullptr))
        fail_to_write(path, description.message);
    if (std::fclose(file.release()) != 0) fail_to_write(path, std::strerror(errno));
    if (std::rename(temporary.path.c_str(), path.c_str()) != 0)
        fail_to_write(path, std::strerror(errno));
}

void write_png(const std::string& path, const Image& image, Dither dither)
{
    write_png(path, to_8_bit(image, dither));
}

Image8 read_png(const std::string& path)
{
    png_image description{};
    description.version = PNG_IMAGE_VERSION;
    Image8 image;
    if (png_image_begin_read_from_file(&description, path.c_str())) {
        description.format = PNG_FORMAT_RGB;
        image.width = int(description.width);
        image.height = int(description.height);
        image.rgb.resize(PNG_IMAGE_SIZE(description));
        const png_color black{0, 0, 0}; // what transparent pixels are laid over
        if (png_image_finish_read(&description, &black, image.rgb.data(), 0, nullptr)) return image;
    }
    const std::string why = description.message;
    png_image_free(&description);
    throw FileError("Cannot read picture '" + path + "': " + why + ".");
}

} // namespace selvage
