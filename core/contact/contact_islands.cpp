#include "core/contact/contact_islands.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace selvage
{
namespace
{

/// Connected sets of bodies; the root of a set is its smallest member.
class UnionFind
{
public:
    explicit UnionFind(int count) : parent_(std::size_t(count))
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    int root(int a)
    {
        while (parent_[std::size_t(a)] != a) {
            int& p = parent_[std::size_t(a)];
            p = parent_[std::size_t(p)];
            a = p;
        }
        return a;
    }
    void join(int a, int b)
    {
        a = root(a), b = root(b);
        if (a != b) parent_[std::size_t(std::max(a, b))] = std::min(a, b);
    }

private:
    std::vector<int> parent_;
};

/// The lowest colour that neither body has yet, by one bit per colour.
class Colours
{
public:
    explicit Colours(int bodies) : used_(std::size_t(bodies)) {}

    int take(const std::array<int, 2>& bodies)
    {
        for (std::size_t word = 0;; ++word) {
            std::uint64_t used = 0;
            for (const int b : bodies)
                if (b >= 0 && word < used_[std::size_t(b)].size())
                    used |= used_[std::size_t(b)][word];
            if (~used == 0) continue;
            const int bit = __builtin_ctzll(~used);
            for (const int b : bodies) {
                if (b < 0) continue;
                auto& words = used_[std::size_t(b)];
                if (words.size() <= word) words.resize(word + 1, 0);
                words[word] |= std::uint64_t(1) << bit;
            }
            return int(64 * word) + bit;
        }
    }

private:
    std::vector<std::vector<std::uint64_t>> used_;
};

std::array<int, 2> ordered(const std::array<int, 2>& b)
{
    return {std::min(b[0], b[1]), std::max(b[0], b[1])};
}

} // namespace

std::size_t ContactIslands::bytes() const
{
    std::size_t sum = order.capacity() * sizeof(int) + units.capacity() * sizeof(Unit);
    for (const Island& i : islands)
        sum += sizeof(Island) + (i.colours.capacity() + i.bodies.capacity()) * sizeof(int);
    return sum;
}

ContactIslands contact_islands(const std::vector<std::array<int, 2>>& bodies, int body_count)
{
    UnionFind sets(body_count);
    for (const auto& b : bodies)
        if (b[0] >= 0 && b[1] >= 0) sets.join(b[0], b[1]);

    // Islands in the order of their first contacts.
    std::vector<int> island_of(std::size_t(body_count), -1); // by root
    int islands = 0;
    std::vector<int> of(bodies.size());
    for (std::size_t c = 0; c < bodies.size(); ++c) {
        int& island = island_of[std::size_t(sets.root(std::max(bodies[c][0], bodies[c][1])))];
        if (island < 0) island = islands++;
        of[c] = island;
    }

    struct Entry {
        int island, colour;
        std::array<int, 2> bodies;
        int contact;
    };
    std::vector<Entry> entries(bodies.size());
    for (std::size_t c = 0; c < bodies.size(); ++c)
        entries[c] = {of[c], 0, ordered(bodies[c]), int(c)};
    const auto by_unit = [](const Entry& a, const Entry& b) {
        if (a.island != b.island) return a.island < b.island;
        if (a.colour != b.colour) return a.colour < b.colour;
        return a.bodies < b.bodies;
    };
    std::stable_sort(entries.begin(), entries.end(), by_unit);
    Colours colours(body_count);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const bool same = i > 0 && entries[i].island == entries[i - 1].island &&
                          entries[i].bodies == entries[i - 1].bodies;
        entries[i].colour = same ? entries[i - 1].colour : colours.take(entries[i].bodies);
    }
    std::stable_sort(entries.begin(), entries.end(), by_unit);

    ContactIslands out;
    out.islands.resize(std::size_t(islands));
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& e = entries[i];
        ContactIslands::Island& island = out.islands[std::size_t(e.island)];
        const bool first = i == 0 || entries[i - 1].island != e.island;
        if (first) island.first_contact = int(i);
        if (first || entries[i - 1].colour != e.colour)
            island.colours.push_back(int(out.units.size()));
        if (first || entries[i - 1].colour != e.colour || entries[i - 1].bodies != e.bodies) {
            out.units.push_back({e.bodies, int(i), int(i)});
            for (const int b : e.bodies)
                if (b >= 0) island.bodies.push_back(b);
        }
        out.units.back().end = island.last_contact = int(i) + 1;
        out.order.push_back(e.contact);
    }
    for (ContactIslands::Island& island : out.islands) {
        auto& b = island.bodies;
        std::sort(b.begin(), b.end());
        b.erase(std::unique(b.begin(), b.end()), b.end());
    }
    // Each island's last colour ends where the next island begins.
    for (std::size_t k = 0; k < out.islands.size(); ++k)
        out.islands[k].colours.push_back(k + 1 < out.islands.size()
                                             ? out.islands[k + 1].colours.front()
                                             : int(out.units.size()));
    return out;
}

} // namespace selvage
