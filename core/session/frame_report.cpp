#include "core/session/frame_report.h"

#include <nlohmann/json.hpp>

namespace selvage
{

void FrameReport::add(const StepReport& step)
{
    ++substeps;
    iterations += step.iterations;
    linear_iterations += step.linear_iterations;
    contacts = step.contacts;
    rest_repairs = step.rest_repairs;
    beyond_limit = step.beyond_limit;
    broken_links = step.broken_links;
    released = step.released;
    ignored_pairs = step.ignored_pairs;
    let_go.insert(let_go.end(), step.let_go.begin(), step.let_go.end());
    held_up = step.held_up;
    min_gap = std::min(min_gap, step.min_gap);
    searches += step.searches;
    contact_bytes = std::max(contact_bytes, step.contact_bytes);
    max_strain = std::max(max_strain, step.max_strain);
    energy = step.energy;
    if (int(step.status) > int(status)) status = step.status;
    seconds += step.seconds;
    if (!step.linear_solver.empty()) linear_solver = step.linear_solver;
    if (!step.message.empty()) message = step.message;
}

void FrameReport::add_failed(const StepReport& step)
{
    ++retries;
    iterations += step.iterations;
    linear_iterations += step.linear_iterations;
    searches += step.searches;
    seconds += step.seconds;
}

std::string FrameReport::json() const
{
    nlohmann::ordered_json j = {{"frame", frame},
                                {"seconds", seconds.total},
                                {"substeps", substeps},
                                {"iterations", iterations},
                                {"contacts", contacts},
                                {"min_gap", nullptr},
                                {"max_strain", max_strain},
                                {"energy", energy},
                                {"linear_iterations", linear_iterations},
                                {"status", status_name(status)},
                                {"linear_solver", linear_solver},
                                {"seconds_assembly", seconds.assembly},
                                {"seconds_linear", seconds.linear},
                                {"seconds_broad_phase", seconds.broad_phase},
                                {"seconds_ccd", seconds.ccd},
                                {"seconds_line_search", seconds.line_search}};
    if (std::isfinite(min_gap)) j["min_gap"] = min_gap;
    if (searches > 0) j["searches"] = searches;
    if (contact_bytes > 0) j["contact_bytes"] = contact_bytes;
    if (rest_repairs > 0) j["rest_repairs"] = rest_repairs;
    if (beyond_limit > 0) j["beyond_limit"] = beyond_limit;
    if (broken_links > 0) j["broken_links"] = broken_links;
    if (released > 0) j["released"] = released;
    if (ignored_pairs > 0) j["ignored_pairs"] = ignored_pairs;
    if (!let_go.empty()) j["let_go"] = let_go.size();
    if (held_up > 0) j["held_up"] = held_up;
    if (retries > 0) j["retries"] = retries;
    if (!message.empty()) j["message"] = message;
    return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace selvage
