#include "core/base/nearest_name.h"

#include <algorithm>

namespace selvage
{
namespace
{

int edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = int(i);
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = int(j);
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

} // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates)
{
    std::string best;
    int least = std::max(2, int(name.size()) / 2) + 1;
    for (const std::string& c : candidates) {
        const int distance = edit_distance(name, c);
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    return best;
}

} // namespace selvage
