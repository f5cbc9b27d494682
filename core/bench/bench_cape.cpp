#include "core/bench/bench.h"
#include "core/example/example.h"
#include "core/session/session.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

/// What an example gives under a name, frame by frame.
class ExampleSource final : public GeometrySource
{
public:
    ExampleSource(std::shared_ptr<const Example> example, std::string name)
        : example_(std::move(example)), name_(std::move(name))
    {
    }
    std::shared_ptr<const Geometry> at(double frame) override
    {
        for (auto& [name, geometry] : example_->at_frame(frame))
            if (name == name_) return std::make_shared<const Geometry>(std::move(geometry));
        return nullptr;
    }
    bool animated() const override { return true; }
    bool has_subframes() const override { return true; }
    std::string describe(double) const override { return name_; }

private:
    std::shared_ptr<const Example> example_;
    std::string name_;
};

SessionSetup cape_setup(const std::shared_ptr<const Example>& example)
{
    SessionSetup s;
    s.shot.set("substeps", 2.0);
    s.solver.set("integrator", std::string("bdf2"));
    s.collision.set("gap", 4e-3);
    ClothSetup c;
    c.cloth.set("name", std::string("cape"));
    c.cloth.set("material", std::string("wool"));
    c.pins.set("group", std::string("collar"));
    for (auto& [name, geometry] : example->still())
        if (name == "cape") c.geometry = std::make_shared<StaticSource>(geometry, name);
    c.pin_target = std::make_shared<ExampleSource>(example, "cape_anim");
    s.cloths.push_back(std::move(c));
    ColliderSetup body;
    body.collider.set("name", std::string("body"));
    body.geometry = std::make_shared<ExampleSource>(example, "body");
    s.colliders.push_back(std::move(body));
    return s;
}

} // namespace

/// As in examples/cape, without files: ten frames from the middle of the first steps.
void bench_cape(BenchReport& report)
{
    const std::shared_ptr<const Example> example = make_example("cape");
    NullLog log;
    Session session(cape_setup(example), log);
    FrameReport sum;
    session.on_frame = [&](const FrameReport& r) {
        if (r.frame <= 2) return;
        sum.iterations += r.iterations;
        sum.linear_iterations += r.linear_iterations;
        sum.substeps += r.substeps;
        sum.contacts = std::max(sum.contacts, r.contacts);
        sum.seconds += r.seconds;
        sum.linear_solver = r.linear_solver;
    };
    session.cook(12, NeverCancel());
    const double steps = sum.substeps;
    report.add({fmt::format("step of {} vertices, cape and body ({:.1f} Newton, {:.0f} linear "
                            "iterations, {}, up to {} contacts)",
                            session.scene().vertex_count(), sum.iterations / steps,
                            sum.linear_iterations / steps, sum.linear_solver, sum.contacts),
                1e3 * sum.seconds.total / steps, "ms", "", 0, ""});
    const auto add_part = [&](const char* part, double seconds) {
        report.add({fmt::format("  of it {}", part), 1e3 * seconds / steps, "ms", "step",
                    seconds / sum.seconds.total, ""});
    };
    add_part("assembly", sum.seconds.assembly);
    add_part("linear solves", sum.seconds.linear);
    add_part("search for pairs", sum.seconds.broad_phase);
    add_part("continuous collision detection", sum.seconds.ccd);
    add_part("line search", sum.seconds.line_search);
}

} // namespace selvage
