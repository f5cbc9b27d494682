#pragma once

#include "core/geometry/geometry.h"

#include <memory>
#include <string>

namespace selvage
{

/// An input of the session: geometry over time. Hosts implement it over their own scene; files over
/// a sequence. Throws InputError where a frame is missing or broken.
class GeometrySource
{
public:
    virtual ~GeometrySource() = default;
    virtual std::shared_ptr<const Geometry> at(double frame) = 0;
    virtual bool animated() const = 0;
    /// True when `at` takes fractional frames; otherwise the session interpolates whole ones.
    virtual bool has_subframes() const { return false; }
    /// For messages: "body.0007.bgeo.sc" or "input 2".
    virtual std::string describe(double frame) const = 0;
};

/// Reads a frame of an input; what goes wrong is told with `who` ("Cloth 'cape', pin target"), the
/// frame and the source's own name in front.
std::shared_ptr<const Geometry> read_input(GeometrySource& source, double frame,
                                           const std::string& who);

/// Throws InputError where the polygons (curves, tetrahedra) of an input's frame are not those of
/// its `start` frame: names the first that differs. Geometry without any says nothing.
void expect_same_primitives(const Geometry& geometry, const Geometry& start,
                            const GeometrySource& source, double frame, const std::string& who);

/// "Cloth 'cape' at frame 7 (cape.0007.bgeo)"; the frame is left out of what does not move.
std::string input_name(const GeometrySource& source, double frame, const std::string& who);

/// Geometry that never changes.
class StaticSource final : public GeometrySource
{
public:
    explicit StaticSource(Geometry geometry, std::string name = "input")
        : geometry_(std::make_shared<const Geometry>(std::move(geometry))), name_(std::move(name))
    {
    }
    std::shared_ptr<const Geometry> at(double) override { return geometry_; }
    bool animated() const override { return false; }
    std::string describe(double) const override { return name_; }

private:
    std::shared_ptr<const Geometry> geometry_;
    std::string name_;
};

/// Positions (and counts) of an animated source at any frame: whole frames are read, fractional
/// ones interpolated linearly between neighbours unless the source has sub-frames. Remembers the
/// two frames it used last. Each sample is checked against the expected number of points and
/// against the primitives of the start frame.
class PositionSampler
{
public:
    /// `who` starts messages: "Cloth 'cape', pin target".
    PositionSampler(std::shared_ptr<GeometrySource> source, std::string who, std::size_t points,
                    double start_frame);
    VecX at(double frame);

private:
    const VecX& whole(double frame);

    std::shared_ptr<GeometrySource> source_;
    std::string who_;
    std::size_t points_;
    double start_frame_;
    std::shared_ptr<const Geometry> start_; ///< read with the first sample
    struct Sample {
        double frame = 0;
        VecX x;
    };
    Sample recent_[2];
    int next_ = 0;
};

} // namespace selvage
