#pragma once

#include "core/geometry/geometry.h"
#include "plugin/houdini/SOP_SelvageSolver.h"

#include <SOP/SOP_Node.h>

#include <functional>
#include <string>
#include <vector>

namespace selvage::test
{

/// A node whose geometry a test makes for each frame.
class SOP_TestSource final : public SOP_Node
{
public:
    SOP_TestSource(OP_Network* net, const char* name, OP_Operator* op);
    std::function<void(double frame, GU_Detail& gdp)> make;
    bool animated = false;
    std::string fails_with; ///< an error instead of geometry

protected:
    OP_ERROR cookMySop(OP_Context& context) override;
};

/// Core geometry as a detail. `holes` puts elements in front and takes them out again, so that
/// offsets are not indices.
void fill(const Geometry& geometry, GU_Detail& gdp, bool holes = false);

std::vector<float> positions_of(const GU_Detail& gdp, const char* attribute = "P");

/// The sheet of tests/support, swinging sideways over the frames.
Geometry swinging_sheet(double frame, int n = 6);

/// A block of tetrahedra whose upper points are in the group "top".
Geometry hung_block();

/// The points around each quad of a sheet.
std::vector<std::vector<int>> quads_of(const Geometry& sheet);

/// A network as an artist would have it.
class Stage
{
public:
    Stage();
    SOP_TestSource& add_source(std::function<void(double, GU_Detail&)> make, bool animated = false);
    SOP_TestSource& add_source(const Geometry& geometry, bool holes = false);
    /// Solver with fast, thread-independent settings.
    houdini::SOP_SelvageSolver& add_solver(SOP_Node& geometry);
    OP_Node* add(const char* type) { return network.createNode(type); }

    /// Null on errors.
    const GU_Detail* cook(SOP_Node& node, double frame);
    /// Empty on errors.
    std::vector<float> positions(SOP_Node& node, double frame);

    OP_Network network;
};

std::string messages(const SOP_Node& node, UT_ErrorSeverity at_least = UT_ERROR_WARNING);
void set(OP_Node& node, const char* parm, double value);
void set(OP_Node& node, const char* parm, const char* text);

} // namespace selvage::test
