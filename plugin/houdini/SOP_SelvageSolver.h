#pragma once

#include "core/session/session.h"
#include "plugin/houdini/cook_guard.h"
#include "plugin/houdini/curve_part.h"
#include "plugin/houdini/geometry_input.h"

#include <SOP/SOP_Node.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace selvage::houdini
{

/// The inputs, wired like Vellum's.
enum SolverInput { input_geometry, input_constraints, input_colliders, input_rest, input_count };

/// Selvage Solver: a Session behind a SOP. Simulates on from the last cached frame when it is
/// cooked at a later one, returns cached frames when scrubbed, and simulates again from the first
/// frame that a change of parameters or inputs can touch.
class SOP_SelvageSolver final : public SOP_Node
{
public:
    static PRM_Template* templates();
    static OP_Node* create(OP_Network* net, const char* name, OP_Operator* op);
    static const char* input_labels[];
    static const char* help();

    /// Reads an input at a frame; for the sources of the session, while cooking only.
    const ConvertedInput& read_input(int input, double frame);
    /// The curves of an input alone.
    std::shared_ptr<const Geometry> read_curves(int input, double frame);
    bool input_animated(int input) const { return animated_[input]; }
    bool samples_subframes() const { return subframes_; }
    const Session* session() const { return session_.get(); }

    void getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) override;
    void fillInfoTreeNodeSpecific(UT_InfoTree& tree, const OP_NodeInfoTreeParms& parms) override;
    const char* inputLabel(compat::InputIndex index) const override;

protected:
    SOP_SelvageSolver(OP_Network* net, const char* name, OP_Operator* op);
    ~SOP_SelvageSolver() override;
    OP_ERROR cookMySop(OP_Context& context) override;
    OP_ERROR cookMyGuide1(OP_Context& context) override;

private:
    static int reset_callback(void* node, int index, fpreal time, const PRM_Template*);

    void solve(OP_Context& context);
    bool look_at_inputs(OP_Context& context);
    SessionSetup setup_for(int frame);
    enum class Recheck { this_frame, last_frame, all_frames };
    Recheck recheck_of(bool same_time);
    void update_session(int frame, Recheck recheck);
    void forget_changed_frames(int frame, Recheck recheck);
    void show_messages();
    void name_points(const GU_Detail& input, ConvertedInput& converted);
    void output(OP_Context& context, const FrameResult& result);
    /// What the info window says of the frame that is shown.
    std::vector<std::pair<std::string, std::string>> info_rows() const;

    std::unique_ptr<Session> session_;
    MessageList log_;
    std::vector<std::string> standing_warnings_; ///< found when the scene was built
    FrameReport shown_;                          ///< of the frame that is shown
    std::string fingerprint_;                    ///< of parameters and wiring
    double last_frame_ = 0;                      ///< cooked last
    OP_VERSION versions_[input_count] = {};      ///< of the inputs, then
    bool versions_follow_time_ = false;          ///< they went up, and nothing had changed
    OP_Context* context_ = nullptr;              ///< while cooking
    bool animated_[input_count] = {};
    bool subframes_ = false;
    ObjectKind kind_ = ObjectKind::cloth;
    compat::TopologyIds kind_ids_;           ///< of the geometry that kind_ was found for
    bool has_curves_ = false;                ///< open ones
    bool coupled_ = false;                   ///< curves are hair beside cloth or a solid
    std::vector<std::int32_t> curve_points_; ///< of the first input, where they are coupled
    std::string material_, hair_material_;   ///< from Selvage Material; empty: the parameter
    bool rooted_ = false; ///< curves say on which polygon of the colliders they grow

    /// Content of inputs when they were read, by input and frame.
    std::map<std::pair<int, double>, std::uint64_t> seen_;
    std::uint64_t start_topology_[input_count] = {};
    struct Recent {
        double frame = 0;
        ConvertedInput converted;
    };
    Recent recent_[input_count][2];
    int next_recent_[input_count] = {};
};

} // namespace selvage::houdini
