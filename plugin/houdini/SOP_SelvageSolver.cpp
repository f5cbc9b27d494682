#include "plugin/houdini/SOP_SelvageSolver.h"

#include "core/base/error.h"
#include "core/session/contact_view.h"
#include "plugin/houdini/geometry_output.h"
#include "plugin/houdini/guides.h"
#include "plugin/houdini/material_input.h"
#include "plugin/houdini/node_interface.h"
#include "plugin/houdini/node_setup.h"

#include <GA/GA_ElementGroup.h>
#include <GOP/GOP_Manager.h>
#include <GU/GU_Detail.h>
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Director.h>
#include <OP/OP_NodeInfoParms.h>
#include <SOP/SOP_Error.h>
#include <UT/UT_InfoTree.h>
#include <UT/UT_Matrix4.h>
#include <UT/UT_String.h>

#include <fmt/format.h>

#include <cmath>

namespace selvage::houdini
{
namespace
{

constexpr int frames_ahead = 240; ///< animated parameters are sampled in runs of this many frames

const char* const input_names[] = {"geometry", "constraints", "colliders", "rest shape"};

std::string input_name(int input)
{
    return fmt::format("Input {} ({})", input + 1, input_names[input]);
}

/// Houdini's frame for a time; what differs from a whole one by rounding only is whole.
double frame_at(fpreal time)
{
    const double frame = OPgetDirector()->getChannelManager()->getSample(time);
    const double whole = std::round(frame);
    return std::abs(frame - whole) < 1e-4 ? whole : frame;
}

/// An input of the node as the session sees it.
class NodeSource final : public GeometrySource
{
public:
    NodeSource(SOP_SelvageSolver& node, int input, bool curves = false)
        : node_(&node), input_(input), curves_(curves)
    {
    }
    std::shared_ptr<const Geometry> at(double frame) override
    {
        return curves_ ? node_->read_curves(input_, frame)
                       : node_->read_input(input_, frame).geometry;
    }
    bool animated() const override { return node_->input_animated(input_); }
    bool has_subframes() const override { return node_->samples_subframes(); }
    std::string describe(double) const override { return fmt::format("input {}", input_ + 1); }

private:
    SOP_SelvageSolver* node_;
    int input_;
    bool curves_; ///< these alone
};

} // namespace

const char* SOP_SelvageSolver::input_labels[] = {"Geometry to simulate", "Constraints (optional)",
                                                 "Colliders (optional)", "Rest shape (optional)",
                                                 nullptr};

PRM_Template* SOP_SelvageSolver::templates() { return solver_templates(&reset_callback); }

OP_Node* SOP_SelvageSolver::create(OP_Network* net, const char* name, OP_Operator* op)
{
    return new SOP_SelvageSolver(net, name, op);
}

SOP_SelvageSolver::SOP_SelvageSolver(OP_Network* net, const char* name, OP_Operator* op)
    : SOP_Node(net, name, op)
{
    mySopFlags.setManagesDataIDs(true);
    mySopFlags.setNeedGuide1(true);
}

SOP_SelvageSolver::~SOP_SelvageSolver() = default;

const char* SOP_SelvageSolver::inputLabel(compat::InputIndex index) const
{
    return int(index) < input_count ? input_labels[int(index)] : "Unused";
}

int SOP_SelvageSolver::reset_callback(void* node, int, fpreal, const PRM_Template*)
{
    // What is handed over is a node; static_cast from there finds the class around it.
    auto* solver = static_cast<SOP_SelvageSolver*>(static_cast<OP_Node*>(node));
    solver->session_.reset();
    solver->forceRecook();
    return 1;
}

OP_ERROR SOP_SelvageSolver::cookMySop(OP_Context& context)
{
    flags().setTimeDep(true);
    context_ = &context;
    log_.messages.clear();
    cook_guard([&] { solve(context); }, [&](const char* what) { addError(SOP_MESSAGE, what); });
    show_messages();
    context_ = nullptr;
    return error();
}

void SOP_SelvageSolver::solve(OP_Context& context)
{
    if (!look_at_inputs(context)) return; // the input's own error is shown
    const double frame = frame_at(context.getTime());
    update_session(int(std::ceil(frame)), recheck_of(frame == last_frame_));
    last_frame_ = frame;

    InterruptCancel cancel("Selvage: simulating");
    const int first = session_->first_frame();
    const int target = std::max(first, int(std::ceil(frame)));
    session_->on_frame = [&](const FrameReport& r) {
        cancel.set_progress(target == first ? 100 : 100 * (r.frame - first) / (target - first),
                            fmt::format("Frame {} of {}", r.frame + 1, target));
    };
    const FrameResult result = session_->cook(frame, cancel);
    session_->on_frame = nullptr;
    if (result.ok()) return output(context, result);

    const int kept = session_->cache().size() ? session_->cache().latest_until(target) : first;
    if (result.status == StepStatus::cancelled)
        addWarning(SOP_MESSAGE,
                   fmt::format("Interrupted. Frames up to {} are kept; the shape shown is the one "
                               "before. Cook this frame again to go on.",
                               kept)
                       .c_str());
    else
        addError(SOP_MESSAGE,
                 fmt::format("Frame {} could not be simulated ({}). {} Frames up to {} are kept.",
                             kept + 1, status_name(result.status), result.report.message, kept)
                     .c_str());
}

bool SOP_SelvageSolver::look_at_inputs(OP_Context& context)
{
    OP_AutoLockInputs inputs(this);
    for (int i = 0; i < input_count; ++i) {
        animated_[i] = false;
        OP_Node* node = getInput(compat::InputIndex(i));
        if (!node) continue;
        if (inputs.lockInput(i, context) >= UT_ERROR_ABORT) return false;
        animated_[i] = node->flags().getTimeDep();
    }
    const GU_Detail& geometry = *inputGeo(input_geometry);
    if (const auto ids = compat::topology_ids(geometry); !(ids == kind_ids_)) {
        kind_ = kind_of(geometry);
        has_curves_ = has_curves(geometry);
        kind_ids_ = ids;
    }
    coupled_ = has_curves_ && kind_ != ObjectKind::hair && evalInt("use_solver_method", 0, 0) &&
               evalInt("solver_method", 0, 0) == 0; // barrier
    const std::string who = input_name(input_geometry);
    material_ = uniform_material(geometry, coupled_ ? Primitives::others : Primitives::all, who);
    hair_material_ = coupled_ ? uniform_material(geometry, Primitives::curves, who) : material_;
    rooted_ = geometry.findIntTuple(GA_ATTRIB_PRIMITIVE, "skinprim", 1) != nullptr;
    if (kind_ == ObjectKind::solid && getInput(input_rest))
        log_.message(Severity::warning,
                     "Input 4 (rest shape) is for cloth and hair. Give tetrahedra their rest shape "
                     "as point attribute rest.");
    if (kind_ == ObjectKind::hair && getInput(input_constraints))
        log_.message(Severity::warning, "Input 2 (constraints) has no effect on hair: its roots "
                                        "follow the curves or, by skinprim, the colliders.");
    if (kind_ == ObjectKind::hair && evalInt("pairs", 0, 0) > 0)
        log_.message(Severity::warning, "Pairs are for cloth and solids and have no effect on "
                                        "hair.");
    return true;
}

const ConvertedInput& SOP_SelvageSolver::read_input(int input, double frame)
{
    if (!context_) throw InputError(input_name(input) + " can only be read while cooking.");
    const double start_frame = evalInt("start_frame", 0, 0);
    if (!animated_[input]) frame = start_frame;
    OP_Context at = *context_;
    at.setTime(OPgetDirector()->getChannelManager()->getTime(frame));
    OP_AutoLockInputs inputs(this);
    if (inputs.lockInput(input, at) >= UT_ERROR_ABORT)
        throw InputError(
            fmt::format("{} could not be cooked at frame {:g}.", input_name(input), frame));
    const GU_Detail* gdp_in = inputGeo(input);
    if (!gdp_in) throw InputError(input_name(input) + " is not connected.");

    Recent* slot = nullptr;
    for (Recent& r : recent_[input])
        if (r.converted.geometry && r.frame == frame) slot = &r;
    const Recent& newest = recent_[input][1 - next_recent_[input]];
    const ConvertedInput* before = newest.converted.geometry ? &newest.converted : nullptr;
    const InputDepth depth = frame == start_frame || input == input_constraints
                                 ? InputDepth::whole
                                 : InputDepth::followed;
    UT_String distance;
    evalString(distance, "collider_grid", 0, 0);
    ConvertedInput converted = input == input_colliders
                                   ? convert_colliders(*gdp_in, before, input_name(input), depth,
                                                       {compat::text_of(distance)})
                                   : convert_input(*gdp_in, before, input_name(input), depth);
    if (input == input_geometry && depth == InputDepth::whole) name_points(*gdp_in, converted);
    if (!slot) {
        slot = &recent_[input][next_recent_[input]];
        next_recent_[input] = 1 - next_recent_[input];
    }
    *slot = {frame, std::move(converted)};
    seen_[{input, frame}] = slot->converted.content_hash;

    std::uint64_t& start = start_topology_[input];
    if (start == 0) start = slot->converted.topology_hash;
    const bool may_change = input == input_constraints; // lines come and go
    if (start != slot->converted.topology_hash && !may_change)
        throw InputError(fmt::format(
            "{} at frame {:g} has {} points and {} primitives wired otherwise than at the start "
            "frame. Points and primitives must stay the same over the shot; change them before the "
            "start frame, or reset.",
            input_name(input), frame, slot->converted.geometry->point_count(),
            slot->converted.geometry->primitive_count()));
    return slot->converted;
}

/// Group fields of the node take what those of other nodes do: numbers, ranges and patterns, too.
/// What is not simply the name of a group becomes one of that name.
void SOP_SelvageSolver::name_points(const GU_Detail& input, ConvertedInput& converted)
{
    Geometry g = *converted.geometry;
    bool changed = false;
    GOP_Manager groups; // those of the node would outlive the input that they are groups of
    for (const NodeFolder& folder : node_folders())
        for (const NodeParameter& row : folder.parameters) {
            if (!names_points(row)) continue;
            UT_String pattern;
            evalString(pattern, row.token.c_str(), 0, 0);
            if (!pattern.isstring() || input.findPointGroup(pattern.c_str())) continue;
            const GA_PointGroup* points =
                groups.parsePointGroups(pattern.c_str(), GOP_Manager::GroupCreator(&input));
            if (!points) continue; // the message names the groups that there are
            Group group;
            group.name = pattern.c_str();
            group.member.assign(g.point_count(), 0);
            for (std::size_t i = 0; i < group.member.size(); ++i)
                group.member[i] = points->containsIndex(GA_Index(i));
            g.set_group(std::move(group));
            changed = true;
        }
    if (changed) converted.geometry = std::make_shared<const Geometry>(std::move(g));
}

std::shared_ptr<const Geometry> SOP_SelvageSolver::read_curves(int input, double frame)
{
    CurvePart part = curves_of(*read_input(input, frame).geometry, input_name(input));
    if (input == input_geometry) curve_points_ = std::move(part.points);
    return part.geometry;
}

SessionSetup SOP_SelvageSolver::setup_for(int frame)
{
    const int first = evalInt("start_frame", 0, 0);
    const int runs = std::max(frame - first, 0) / frames_ahead + 1;
    subframes_ = evalInt("sample_subframes", 0, 0) != 0;
    const auto source = [&](int input) { return std::make_shared<NodeSource>(*this, input); };
    const NodeShape shape{getName().c_str(),
                          kind_,
                          getInput(input_colliders) != nullptr,
                          getInput(input_constraints) != nullptr && kind_ != ObjectKind::hair,
                          rooted_ && !animated_[input_geometry],
                          coupled_};
    SessionSetup s = read_setup(*this, shape, first + runs * frames_ahead);
    const auto use = [&](auto& object, ParameterSet& parameters) {
        if (!material_.empty()) parameters.set("material", material_);
        object.geometry = source(input_geometry);
        if (getInput(input_rest)) object.rest = source(input_rest);
    };
    if (coupled_) {
        HairSetup& hair = s.hairs[0];
        const auto curves = [&](int input) {
            return std::make_shared<NodeSource>(*this, input, /*curves*/ true);
        };
        if (!hair_material_.empty()) hair.hair.set("material", hair_material_);
        hair.geometry = curves(input_geometry);
        if (getInput(input_rest)) hair.rest = curves(input_rest);
    }
    switch (kind_) {
    case ObjectKind::solid: s.solids[0].geometry = source(input_geometry); break;
    case ObjectKind::hair: use(s.hairs[0], s.hairs[0].hair); break;
    case ObjectKind::cloth: use(s.cloths[0], s.cloths[0].cloth); break;
    }
    if (shape.colliders) s.colliders[0].geometry = source(input_colliders);
    if (shape.constraints) s.constraints[0].geometry = source(input_constraints);
    return s;
}

/// What has to be compared with what was simulated. Cooked again at the same time, the node was
/// touched by a change upstream. At another time inputs tell by their versions. Whether time alone
/// makes those go up is the host's affair: once they did for nothing, the frame that was simulated
/// last stands for all.
SOP_SelvageSolver::Recheck SOP_SelvageSolver::recheck_of(bool same_time)
{
    bool touched = false;
    for (int i = 0; i < input_count; ++i) {
        const OP_Node* node = getInput(compat::InputIndex(i));
        const OP_VERSION version = node ? node->getVersionParms() : 0;
        touched = touched || version != versions_[i];
        versions_[i] = version;
    }
    if (same_time) return Recheck::all_frames;
    if (!touched) return Recheck::this_frame;
    return versions_follow_time_ ? Recheck::last_frame : Recheck::all_frames;
}

void SOP_SelvageSolver::update_session(int frame, Recheck recheck)
{
    SessionSetup setup = setup_for(frame);
    // What cannot change under a session: what is simulated, which inputs there are and whether
    // they move.
    std::string wiring = fmt::format("kind {}; coupled {}; method {}; subframes {};", int(kind_),
                                     coupled_, setup.solver.text("method"), subframes_);
    for (int i = 0; i < input_count; ++i)
        if (const OP_Node* node = getInput(compat::InputIndex(i)))
            wiring += fmt::format("{}:{}:{};", i, node->getUniqueId(), animated_[i]);
    const std::string fingerprint = wiring + "|" + setup.fingerprint();
    const bool rewired = fingerprint_.compare(0, wiring.size() + 1, wiring + "|") != 0;
    if (session_ && !rewired && fingerprint_ == fingerprint) {
        forget_changed_frames(frame, recheck);
        if (session_) return;
    } else if (session_ && !rewired) {
        try {
            session_->set_parameters(setup);
        } catch (...) {
            session_.reset(); // half changed: build anew when the parameters are mended
            throw;
        }
        fingerprint_ = fingerprint;
        forget_changed_frames(frame, recheck);
        if (session_) return;
    }

    session_.reset();
    seen_.clear();
    versions_follow_time_ = false;
    curve_points_.clear();
    for (std::uint64_t& t : start_topology_) t = 0;
    for (auto& slots : recent_)
        for (Recent& r : slots) r = Recent();
    const std::size_t before = log_.messages.size();
    session_ = std::make_unique<Session>(std::move(setup), log_);
    fingerprint_ = fingerprint;
    standing_warnings_.clear();
    const Geometry& start = *read_input(input_geometry, session_->first_frame()).geometry;
    if (const std::string text =
            left_out_message(start, kind_, coupled_, input_name(input_geometry));
        !text.empty())
        standing_warnings_.push_back(text);
    for (std::size_t i = before; i < log_.messages.size(); ++i)
        if (log_.messages[i].first == Severity::warning)
            standing_warnings_.push_back(log_.messages[i].second);
    log_.messages.resize(before);
}

/// Compares inputs with what was simulated: those that do not move, and all at the frames that
/// `recheck` says, at least at this one; where one differs, at every frame from the start on. Other
/// frames of moving inputs are left alone: cooking them costs the artist a rig evaluation each.
void SOP_SelvageSolver::forget_changed_frames(int frame, Recheck recheck)
{
    const auto changed_at = [&](const std::pair<int, double>& key, std::uint64_t hash) {
        return getInput(compat::InputIndex(key.first)) &&
               read_input(key.first, key.second).content_hash != hash;
    };
    std::map<double, std::vector<std::pair<int, std::uint64_t>>> by_frame;
    for (const auto& [key, hash] : seen_) by_frame[key.second].emplace_back(key.first, hash);
    const double last = by_frame.empty() ? 0 : by_frame.rbegin()->first;
    const auto find_change = [&](Recheck which) -> double {
        for (const auto& [f, entries] : by_frame)
            for (const auto& [input, hash] : entries) {
                const bool asked = which == Recheck::all_frames || f == frame ||
                                   !animated_[input] || (which == Recheck::last_frame && f == last);
                if (asked && changed_at({input, f}, hash)) return f;
            }
        return infinity;
    };
    const auto restart = [&] { session_.reset(); };
    try {
        double changed = find_change(recheck);
        if (changed == infinity) {
            const bool time_moved = frame != int(std::ceil(last_frame_)); // since the last cook
            if (recheck == Recheck::all_frames && time_moved) versions_follow_time_ = true;
            return;
        }
        if (recheck != Recheck::all_frames)
            changed = std::min(changed, find_change(Recheck::all_frames));
        if (changed <= session_->first_frame()) return restart();
        session_->invalidate_after(int(std::ceil(changed)) - 1);
    } catch (const InputError&) {
        restart(); // building anew tells what is wrong
    }
}

void SOP_SelvageSolver::output(OP_Context& context, const FrameResult& result)
{
    shown_ = result.report;
    OP_AutoLockInputs inputs(this);
    if (inputs.lockInput(input_geometry, context) >= UT_ERROR_ABORT) return;
    duplicateSource(input_geometry, context);
    write_result(result.objects[0].geometry, *gdp);
    if (coupled_) write_hair(result.objects[1].geometry, curve_points_, *gdp);
    if (!evalInt("contact_attributes", 0, context.getTime())) return;
    if (const auto shown = session_->frame(shown_.frame))
        write_contacts(vertex_gaps(session_->scene(), shown->state), curve_points_, *gdp);
}

void SOP_SelvageSolver::show_messages()
{
    for (const std::string& text : standing_warnings_) addWarning(SOP_MESSAGE, text.c_str());
    for (const auto& [severity, text] : log_.messages) {
        if (severity == Severity::info)
            addMessage(SOP_MESSAGE, text.c_str());
        else
            addWarning(SOP_MESSAGE, text.c_str());
    }
}

OP_ERROR SOP_SelvageSolver::cookMyGuide1(OP_Context& context)
{
    myGuide1->clearAndDestroy();
    if (!session_) return error();
    const fpreal t = context.getTime();
    cook_guard(
        [&] {
            if (const auto shown = session_->frame(shown_.frame)) {
                if (evalInt("guide_pins", 0, t))
                    draw_pins(session_->scene(), shown->state, *myGuide1);
                if (evalInt("guide_contacts", 0, t))
                    draw_contacts(session_->scene(), shown->state, *myGuide1);
                if (evalInt("guide_intersections", 0, t))
                    draw_intersections(session_->scene(), shown->state, *myGuide1);
                UT_DMatrix4 to_scene_units(1.0); // states are in metres
                to_scene_units.scale(1 / session_->setup().shot.real("unit"));
                myGuide1->transform(to_scene_units);
            }
        },
        [&](const char* what) { addWarning(SOP_MESSAGE, what); });
    return error();
}

std::vector<std::pair<std::string, std::string>> SOP_SelvageSolver::info_rows() const
{
    const FrameReport& r = shown_;
    std::vector<std::pair<std::string, std::string>> rows = {
        {"Frame", fmt::format("{}: {}", r.frame, status_name(r.status))},
        {"Newton iterations", fmt::format("{} in {} substeps", r.iterations, r.substeps)},
        {"Contacts", fmt::format("{}", r.contacts)},
        {"Largest stretch", fmt::format("{:.2f} %", 100 * r.max_strain)},
        {"Time", fmt::format("{:.2f} s: assembly {:.2f}, linear solve {:.2f}{}, line search {:.2f}",
                             r.seconds.total, r.seconds.assembly, r.seconds.linear,
                             r.linear_solver.empty() ? "" : " (" + r.linear_solver + ")",
                             r.seconds.line_search)}};
    if (r.min_gap < infinity)
        rows.emplace_back("Smallest gap", fmt::format("{:.3g} mm", 1000 * r.min_gap));
    rows.emplace_back("Cache", fmt::format("{} frames, {:.1f} MB", session_->cache().size(),
                                           double(session_->cache().bytes()) / 1e6));
    return rows;
}

/// As text, for opinfo and scripts.
void SOP_SelvageSolver::getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms)
{
    SOP_Node::getNodeSpecificInfoText(context, parms);
    if (!session_) return;
    std::string text;
    for (const auto& [name, value] : info_rows()) text += name + ": " + value + "\n";
    parms.append(text.c_str());
}

/// The info window.
void SOP_SelvageSolver::fillInfoTreeNodeSpecific(UT_InfoTree& tree,
                                                 const OP_NodeInfoTreeParms& parms)
{
    SOP_Node::fillInfoTreeNodeSpecific(tree, parms);
    if (!session_) return;
    UT_InfoTree* branch = tree.addChildMap("Selvage");
    for (const auto& [name, value] : info_rows())
        branch->addProperties(UT_StringHolder(name), UT_StringHolder(value));
}

} // namespace selvage::houdini
