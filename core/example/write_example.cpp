#include "core/example/write_example.h"

#include "core/base/parallel.h"
#include "core/io/geometry_file.h"
#include "core/io/sequence.h"

#include <filesystem>

namespace selvage
{

void write_example(const std::string& example, const std::string& folder)
{
    const std::unique_ptr<Example> e = make_example(example);
    const auto path = [&](const std::string& name) {
        return (std::filesystem::path(folder) / name).string();
    };
    for (const auto& [name, geometry] : e->still())
        write_geometry(path(name + ".bgeo.sc"), geometry);
    const int first = e->first_frame();
    parallel_for(std::size_t(e->last_frame() - first + 1), 1, [&](std::size_t i) {
        const int frame = first + int(i);
        for (const auto& [name, geometry] : e->at_frame(frame))
            write_geometry(frame_path(path(name + ".$F4.bgeo.sc"), frame), geometry);
    });
}

} // namespace selvage
