#include "core/energy/rod_stretch.h"

#include <algorithm>
#include <cassert>

namespace selvage
{

double rod_stretch_energy(const Vec6& x, double k, double rest_length)
{
    return rod_stretch((x.tail<3>() - x.head<3>()).norm(), k, rest_length).energy;
}

Vec6 rod_stretch_gradient(const Vec6& x, double k, double rest_length)
{
    const Vec3 d = x.tail<3>() - x.head<3>();
    const Vec3 pull = rod_stretch(d.norm(), k, rest_length).across * d;
    Vec6 g;
    g.head<3>() = -pull;
    g.tail<3>() = pull;
    return g;
}

Mat6 rod_stretch_hessian(const Vec6& x, double k, double rest_length, Psd psd)
{
    const Vec3 d = x.tail<3>() - x.head<3>();
    const double l = d.norm();
    assert(l > 0);
    const RodStretch<double> s = rod_stretch(l, k, rest_length);
    const double across = psd == Psd::clamp ? std::max(s.across, 0.0) : s.across;
    const Mat3 tt = d * d.transpose() / (l * l);
    const Mat3 K = s.along * tt + across * (Mat3::Identity() - tt);
    return (Mat6() << K, -K, -K, K).finished();
}

} // namespace selvage
