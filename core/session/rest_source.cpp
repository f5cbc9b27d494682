#include "core/session/rest_source.h"

#include <fmt/format.h>

namespace selvage
{
namespace
{

bool carries_rest(const Geometry& g)
{
    const Attribute* rest = g.find(Owner::point, "rest");
    return rest && !rest->is_array && rest->tuple_size >= 3 && is_real(rest->storage);
}

/// The rest shape of an input, as positions.
class RestSource final : public GeometrySource
{
public:
    explicit RestSource(std::shared_ptr<GeometrySource> source) : source_(std::move(source)) {}

    std::shared_ptr<const Geometry> at(double frame) override
    {
        const std::shared_ptr<const Geometry> given = source_->at(frame);
        if (!carries_rest(*given)) return given;
        auto at_rest = std::make_shared<Geometry>(*given);
        at_rest->set_vectors("P", given->vectors("rest"), "point",
                             given->get(Owner::point, "rest").storage);
        return at_rest;
    }
    bool animated() const override { return source_->animated(); }
    bool has_subframes() const override { return source_->has_subframes(); }
    std::string describe(double frame) const override { return source_->describe(frame); }

private:
    std::shared_ptr<GeometrySource> source_;
};

void find_rest_shape(const std::shared_ptr<GeometrySource>& geometry, bool own_may_move,
                     int first_frame, const std::string& who, std::shared_ptr<GeometrySource>& rest)
{
    if (!rest && own_may_move && geometry->animated() &&
        carries_rest(*read_input(*geometry, first_frame, who)))
        rest = geometry;
    if (rest) rest = std::make_shared<RestSource>(rest);
}

} // namespace

void find_rest_shapes(SessionSetup& setup)
{
    const int first = setup.first_frame();
    for (ClothSetup& c : setup.cloths) {
        const std::string& from = c.rest_parameters.text("from");
        find_rest_shape(c.geometry, from == "auto" || from == "attribute", first,
                        fmt::format("Cloth '{}'", c.name()), c.rest);
    }
    for (HairSetup& h : setup.hairs)
        find_rest_shape(h.geometry, true, first, fmt::format("Hair '{}'", h.name()), h.rest);
}

} // namespace selvage
