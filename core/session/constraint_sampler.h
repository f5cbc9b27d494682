#pragma once

#include "core/geometry/geometry.h"
#include "core/model/link.h"
#include "core/session/session_setup.h"
#include "core/session/surface_links.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace selvage
{

/// `stiffness` and `restlength` of links over time, from animated constraint geometry. A primitive
/// is known again by its type and points, in whichever order primitives come; one that is missing
/// lets go, and holds again when it is back. Values between whole frames are interpolated. Throws
/// InputError where points come or go, or where primitives appear that were not there at the first
/// frame.
class ConstraintSampler
{
public:
    ConstraintSampler(const ConstraintsSetup& setup, int first_frame);

    bool animated() const { return setup_->geometry->animated(); }
    /// Fills link_stiffness and link_length of the drive at a frame.
    void sample(double frame, const std::vector<Link>& links,
                const std::vector<LinkOrigin>& origins, LinkDrive& drive);

private:
    struct Values {
        double frame = 0;
        VecX stiffness, length; ///< per primitive of the first frame; length −1: as at the start
    };
    const Values& at(double frame);

    const ConstraintsSetup* setup_;
    std::string who_;
    std::size_t points_ = 0;
    std::size_t primitives_ = 0;
    using Key = std::pair<std::string, std::vector<int>>; ///< type and points
    std::map<Key, std::vector<std::size_t>> known_;       ///< primitives of the first frame
    Values recent_[2];
    int next_ = 0;
};

} // namespace selvage
