#pragma once

#include "core/session/session_setup.h"

#include <functional>
#include <string>

namespace selvage::test
{

/// Geometry made anew for each whole frame; counts how often it was asked.
class FunctionSource final : public GeometrySource
{
public:
    explicit FunctionSource(std::function<Geometry(double)> make) : make_(std::move(make)) {}
    std::shared_ptr<const Geometry> at(double frame) override
    {
        ++reads;
        return std::make_shared<const Geometry>(make_(frame));
    }
    bool animated() const override { return true; }
    std::string describe(double frame) const override
    {
        return "function at " + std::to_string(frame);
    }

    int reads = 0;

private:
    std::function<Geometry(double)> make_;
};

/// A quad sheet in the plane z = 0 of n × n cells, 1 m wide, point group "top", with an attribute
/// and a group to be passed through.
Geometry sheet_geometry(int n);

/// A sheet hung by its top row, 10 frames, fast settings.
SessionSetup hanging_setup(int n = 8);

} // namespace selvage::test
