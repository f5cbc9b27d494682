#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace selvage
{

/// Contacts between bodies, put in the order of a Gauss–Seidel sweep that can run in parallel:
/// islands share no body; within an island, contacts of the same one or two bodies form a unit, and
/// units of one colour share no body. A sweep that goes colour by colour gives the same result in
/// whatever order the units of a colour, or the islands, are taken.
struct ContactIslands {
    struct Unit {
        std::array<int, 2> bodies; ///< the smaller first; −1 where there is none
        int begin, end;            ///< of its contacts in `order`
    };
    struct Island {
        std::vector<int> colours; ///< first unit of each colour, and the end
        std::vector<int> bodies;  ///< ascending
        int first_contact, last_contact;
        int contacts() const { return last_contact - first_contact; }
    };
    std::vector<int> order; ///< contacts, by island, colour, unit; within a unit as they came
    std::vector<Unit> units;
    std::vector<Island> islands; ///< the one with the first contact first

    std::size_t bytes() const;
};

/// `bodies` of each contact: one or two numbers below body_count, −1 for what does not move.
ContactIslands contact_islands(const std::vector<std::array<int, 2>>& bodies, int body_count);

} // namespace selvage
