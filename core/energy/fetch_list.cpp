#include "core/energy/fetch_list.h"

namespace selvage
{

FetchList::FetchList(const std::vector<std::int32_t>& chunk_begin, const std::int32_t* touched,
                     std::size_t per_batch, std::int32_t mask, std::size_t count, std::size_t bytes)
{
    std::vector<std::int32_t> last_chunk((count * bytes + line_bytes - 1) / line_bytes, -1);
    begin.reserve(std::size_t(chunk_begin.back()) + 1);
    for (std::size_t chunk = 0; chunk + 1 < chunk_begin.size(); ++chunk)
        for (auto b = chunk_begin[chunk]; b < chunk_begin[chunk + 1]; ++b) {
            const std::int32_t* number = touched + std::size_t(b) * per_batch;
            for (std::size_t k = 0; k < per_batch; ++k) {
                const std::size_t first = std::size_t(number[k] & mask) * bytes;
                for (std::size_t l = first / line_bytes; l <= (first + bytes - 1) / line_bytes;
                     ++l) {
                    if (last_chunk[l] == std::int32_t(chunk)) continue;
                    last_chunk[l] = std::int32_t(chunk);
                    line.push_back(std::uint32_t(l));
                }
            }
            begin.push_back(std::int32_t(line.size()));
        }
}

} // namespace selvage
