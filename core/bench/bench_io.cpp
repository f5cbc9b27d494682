#include "core/bench/bench.h"
#include "core/example/cloth_grid.h"
#include "core/io/geometry_file.h"

#include <filesystem>

namespace selvage
{

void bench_io(BenchReport& report)
{
    Geometry g = cloth_grid(316, 316, 1, 1);
    g.set_vectors("v", g.positions());
    g.set_scalars("sv_strain", VecX::LinSpaced(Eigen::Index(g.point_count()), 0, 1));
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "selvage-bench";
    for (const char* ending : {".bgeo.sc", ".bgeo", ".geo", ".obj"}) {
        const std::string path = (folder / (std::string("frame") + ending)).string();
        const double write = median_seconds([&] { write_geometry(path, g); });
        const double read = median_seconds([&] { read_geometry(path); });
        report.add({std::string("write 100,489 points, ") + ending, 1e3 * write, "ms", "", 0, ""});
        report.add({std::string("read  100,489 points, ") + ending, 1e3 * read, "ms", "", 0, ""});
    }
    std::filesystem::remove_all(folder);
}

} // namespace selvage
