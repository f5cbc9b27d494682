#include "plugin/houdini/dop_forces.h"

#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_ForceGravity.h>

#include <Eigen/LU>

namespace selvage::houdini
{
namespace
{

using Forces = std::vector<const SIM_Force*>;

/// The velocity at which forces on the object vanish together, by Newton's method; none where they
/// do not depend on velocity.
std::optional<Vec3> still_air(const Forces& forces, const SIM_Object& object)
{
    constexpr double probe = 0.25; // [m/s]; forces come in 32 bits
    const auto at = [&](const Vec3& v) {
        const UT_Vector3 zero(0, 0, 0), velocity{float(v[0]), float(v[1]), float(v[2])};
        Vec3 sum = Vec3::Zero();
        for (const SIM_Force* force : forces) {
            UT_Vector3 f(0, 0, 0), torque;
            force->getForce(object, zero, velocity, zero, 1.0, f, torque);
            sum += Vec3(f[0], f[1], f[2]);
        }
        return sum;
    };
    Vec3 v = Vec3::Zero();
    double scale = 0;
    for (int i = 0; i < 40; ++i) {
        const Vec3 f = at(v);
        Mat3 slope;
        for (int k = 0; k < 3; ++k)
            slope.col(k) =
                (at(v + probe * Vec3::Unit(k)) - at(v - probe * Vec3::Unit(k))) / (2 * probe);
        const double size = slope.cwiseAbs().maxCoeff();
        if (i == 0) scale = size;
        if (size <= 1e-6 * f.norm() || scale == 0) return std::nullopt;
        if (f.norm() <= 1e-5 * scale) break;
        const Eigen::FullPivLU<Mat3> lu(slope);
        if (!lu.isInvertible()) return std::nullopt;
        v -= lu.solve(f);
        if (!v.allFinite()) return std::nullopt;
    }
    return v;
}

} // namespace

DopForces forces_on(const SIM_Object& object)
{
    SIM_ConstDataArray found;
    object.filterConstSubData(found, nullptr, SIM_DataFilterByType("SIM_Force"),
                              SIM_FORCES_DATANAME, SIM_DataFilterNone());
    DopForces out;
    Forces winds;
    for (exint i = 0; i < found.entries(); ++i) {
        if (const auto* gravity = SIM_DATA_CASTCONST(found(i), SIM_ForceGravity)) {
            const UT_Vector3D g(gravity->getGravity());
            out.gravity = out.gravity.value_or(Vec3::Zero()) + Vec3(g[0], g[1], g[2]);
        } else if (const auto* force = SIM_DATA_CASTCONST(found(i), SIM_Force)) {
            if (still_air({force}, object))
                winds.push_back(force);
            else
                ++out.others;
        }
    }
    if (!winds.empty()) out.wind = still_air(winds, object);
    return out;
}

} // namespace selvage::houdini
