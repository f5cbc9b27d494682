#include "core/check/planes.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace selvage
{

CheckPlane parse_plane(const std::string& text)
{
    std::istringstream in(text);
    double n[4];
    for (int i = 0; i < 4; ++i) {
        char comma = ',';
        if (i > 0) in >> comma;
        if (!(in >> n[i]) || comma != ',' || !std::isfinite(n[i]))
            throw InputError(fmt::format("Plane '{}' is not four numbers \"a,b,c,d\".", text));
    }
    const CheckPlane plane = {{n[0], n[1], n[2]}, n[3]};
    if (!(in >> std::ws).eof() || !(plane.normal.norm() > 0))
        throw InputError(fmt::format(
            "Plane '{}' is not four numbers \"a,b,c,d\" with a normal (a, b, c) that is not zero.",
            text));
    return plane;
}

std::vector<PointAtPlane> points_below(const Elements& e, const std::vector<CheckPlane>& planes,
                                       double least, bool allow_released)
{
    std::vector<PointAtPlane> found;
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const double length = planes[k].normal.norm();
        for (std::size_t i = 0; i < e.x.size(); ++i) {
            if (allow_released && e.released[i]) continue;
            const double height = (planes[k].normal.dot(e.x[i]) - planes[k].offset) / length;
            if (height < least)
                found.push_back({e.point_id(std::int32_t(i)), std::int32_t(k), height});
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const PointAtPlane& a, const PointAtPlane& b) {
        return a.height < b.height;
    });
    return found;
}

} // namespace selvage
