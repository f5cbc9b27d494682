#pragma once

#include "core/geometry/geometry.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace selvage
{

/// The inputs of an example shot, made up frame by frame, without files.
class Example
{
public:
    /// File name without folder, frame and ending, and what it holds: {"body", ...}.
    using Files = std::vector<std::pair<std::string, Geometry>>;

    virtual ~Example() = default;

    virtual int first_frame() const { return 1; }
    virtual int last_frame() const = 0;
    virtual double frames_per_second() const { return 24; }

    /// What does not move.
    virtual Files still() const = 0;
    /// What moves, at any frame, fractions included; the same names and topology each time.
    virtual Files at_frame(double frame) const = 0;
};

std::vector<std::string> example_names();

/// InputError when there is no example of that name.
///
/// "cape": a figure stands, walks and turns (`body`), the cape at its start (`cape`), and the cape
/// carried along by the chest as targets for its pinned collar (`cape_anim`); frames 1 to 96.
/// "cushion": two panels to be sewn and blown up (`cushion`) and the bar that they hang from
/// (`bar`); frames 1 to 96.
/// "fringe": a bust that looks around (`bust`) and the hair over its forehead (`fringe`); frames 1
/// to 72. "hair_ball": a ball that turns about three axes (`ball`) and the curls on it (`curls`);
/// frames 1 to 60.
/// "skirt": a figure that dances on the spot (`body`), a skirt at its start (`skirt`), and the
/// skirt carried along by the pelvis as targets for its pinned waist (`skirt_anim`); frames 1
/// to 72. "stack": square cloths (`cloths`) above a round table (`table`); frames 1 to 48.
std::unique_ptr<Example> make_example(const std::string& name);

} // namespace selvage
