#pragma once

#include "core/session/geometry_source.h"
#include "plugin/houdini/node_interface.h"
#include "plugin/houdini/node_setup.h"

#include <PRM/PRM_Include.h>
#include <SIM/SIM_Options.h>

#include <map>
#include <memory>
#include <string>

namespace selvage::houdini
{

/// Geometry at the two ends of the step that is being taken.
class StepSource final : public GeometrySource
{
public:
    StepSource(std::string name, std::shared_ptr<const Geometry> geometry)
        : name_(std::move(name)), first_(geometry), start_(geometry), end_(std::move(geometry))
    {
    }
    void set_step(int step, std::shared_ptr<const Geometry> start,
                  std::shared_ptr<const Geometry> end)
    {
        step_ = step;
        start_ = std::move(start);
        end_ = std::move(end);
    }
    std::shared_ptr<const Geometry> at(double frame) override
    {
        return frame > step_ ? end_ : frame > 0 ? start_ : first_;
    }
    bool animated() const override { return true; }
    std::string describe(double) const override { return name_; }

private:
    std::string name_;
    int step_ = 0;
    std::shared_ptr<const Geometry> first_, start_, end_;
};

/// Parameters as the DOP node put them into the data's options.
class OptionValues final : public ValueReader
{
public:
    explicit OptionValues(const SIM_Options& options) : options_(options) {}
    bool has(const std::string& token) const override
    {
        return options_.hasOption(UT_StringHolder(token));
    }
    double number(const std::string& token, int component, double) const override
    {
        const UT_StringHolder name(token);
        switch (kind_of(token)) {
        case Kind::toggle: return options_.getOptionB(name) ? 1 : 0;
        case Kind::integer: return double(options_.getOptionI(name));
        case Kind::vector: return options_.getOptionV3(name)[unsigned(component)];
        case Kind::real: break;
        }
        return options_.getOptionF(name);
    }
    std::string text(const std::string& token) const override
    {
        return compat::text_of(options_.getOptionS(UT_StringHolder(token)));
    }

private:
    enum class Kind { real, toggle, integer, vector };
    /// Options have the types that the node's templates gave them; others read as nothing.
    static Kind kind_of(const std::string& token)
    {
        static const std::map<std::string, Kind> kinds = [] {
            std::map<std::string, Kind> out;
            for (const PRM_Template* t = solver_templates(nullptr);
                 t->getType() != PRM_LIST_TERMINATOR; ++t)
                out[t->getToken()] = t->getType() == PRM_TOGGLE ? Kind::toggle
                                     : t->getType() == PRM_ORD || t->getType() == PRM_INT_J
                                         ? Kind::integer
                                     : t->getVectorSize() == 3 ? Kind::vector
                                                               : Kind::real;
            return out;
        }();
        const auto it = kinds.find(token);
        return it == kinds.end() ? Kind::real : it->second;
    }
    const SIM_Options& options_;
};

} // namespace selvage::houdini
