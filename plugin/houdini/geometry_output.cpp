#include "plugin/houdini/geometry_output.h"

#include "plugin/houdini/compat.h"

#include <GA/GA_Attribute.h>
#include <GA/GA_Handle.h>

namespace selvage::houdini
{
namespace
{

void write_vectors(const Attribute& from, GA_Attribute& to)
{
    const GA_Size n = GA_Size(from.size());
    if (const auto* f = std::get_if<std::vector<float>>(&from.values))
        GA_RWHandleV3(&to).setBlockFromIndices(0, n,
                                               reinterpret_cast<const UT_Vector3F*>(f->data()));
    else if (const auto* d = std::get_if<std::vector<double>>(&from.values))
        GA_RWHandleV3D(&to).setBlockFromIndices(0, n,
                                                reinterpret_cast<const UT_Vector3D*>(d->data()));
    to.bumpDataId();
}

void write_scalars(const Attribute& from, GA_Attribute& to)
{
    const GA_Size n = GA_Size(from.size());
    if (const auto* f = std::get_if<std::vector<float>>(&from.values))
        GA_RWHandleF(&to).setBlockFromIndices(0, n, f->data());
    to.bumpDataId();
}

void write_tuples(const Attribute& from, GA_Attribute& to)
{
    const GA_RWHandleD values(&to);
    const GA_IndexMap& map = to.getIndexMap();
    for (std::size_t i = 0; i < from.size(); ++i)
        for (int c = 0; c < from.tuple_size; ++c)
            values.set(map.offsetFromIndex(GA_Index(i)), c, from.number(i, c));
    to.bumpDataId();
}

} // namespace

void write_result(const Geometry& result, GU_Detail& gdp)
{
    for (const auto& a : result.attributes()) {
        if (a->owner != Owner::point || a->is_array) continue;
        if (a->name == "P") {
            if (a->storage == Storage::real64) compat::make_64_bit(*gdp.getP());
            write_vectors(*a, *gdp.getP());
        } else if (a->name == "v") {
            GA_Attribute* v = gdp.addFloatTuple(GA_ATTRIB_POINT, "v", 3);
            v->setTypeInfo(GA_TYPE_VECTOR);
            write_vectors(*a, *v);
        } else if (a->name == "orient" && a->tuple_size == 4) {
            GA_Attribute* orient = gdp.addFloatTuple(GA_ATTRIB_POINT, "orient", 4);
            orient->setTypeInfo(GA_TYPE_QUATERNION);
            write_tuples(*a, *orient);
        } else if (a->name.rfind("sv_", 0) == 0 && a->tuple_size == 1) {
            write_scalars(*a, *gdp.addFloatTuple(GA_ATTRIB_POINT, a->name.c_str(), 1));
        }
    }
}

void write_hair(const Geometry& hair, const std::vector<std::int32_t>& points, GU_Detail& gdp)
{
    for (const auto& a : hair.attributes()) {
        if (a->owner != Owner::point || a->is_array) continue;
        GA_Attribute* to = nullptr;
        if (a->name == "P") to = gdp.getP();
        if (a->name == "v" && a->tuple_size == 3) to = gdp.findFloatTuple(GA_ATTRIB_POINT, "v", 3);
        if (a->name == "orient" && a->tuple_size == 4) {
            to = gdp.addFloatTuple(GA_ATTRIB_POINT, "orient", 4, GA_Defaults(0.0));
            to->setTypeInfo(GA_TYPE_QUATERNION);
        }
        if (!to) continue;
        const GA_RWHandleD values(to);
        for (std::size_t i = 0; i < points.size(); ++i)
            for (int c = 0; c < a->tuple_size; ++c)
                values.set(gdp.pointOffset(points[i]), c, a->number(i, c));
        to->bumpDataId();
    }
}

void write_contacts(const VecX& gap, const std::vector<std::int32_t>& hair_points, GU_Detail& gdp)
{
    const GA_RWHandleI contact(gdp.addIntTuple(GA_ATTRIB_POINT, "sv_contact", 1));
    const GA_RWHandleF distance(gdp.addFloatTuple(GA_ATTRIB_POINT, "sv_gap", 1, GA_Defaults(-1.0)));
    const auto write = [&](GA_Index point, double g) {
        const GA_Offset p = gdp.pointOffset(point);
        contact.set(p, g < infinity);
        distance.set(p, g < infinity ? float(g) : -1.0f);
    };
    const GA_Index own = GA_Index(gap.size()) - GA_Index(hair_points.size());
    for (GA_Index i = 0; i < own; ++i) write(i, gap[i]);
    for (std::size_t i = 0; i < hair_points.size(); ++i)
        write(hair_points[i], gap[own + Eigen::Index(i)]);
    contact.bumpDataId();
    distance.bumpDataId();
}

} // namespace selvage::houdini
