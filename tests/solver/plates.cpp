#include "tests/solver/plates.h"

#include "core/energy/sink.h"
#include "core/model/cloth_builder.h"

#include <gtest/gtest.h>

namespace selvage::test
{

VecX Plate::flat() const
{
    VecX x(3 * point_count());
    for (int j = 0; j <= across; ++j)
        for (int i = 0; i <= cells; ++i)
            x.segment<3>(3 * point(i, j)) = Vec3((i - 0.5) * cell(), width * j / across, 0);
    return x;
}

Scene Plate::scene() const
{
    Geometry g;
    g.set_point_count(std::size_t(point_count()));
    for (int j = 0; j < across; ++j)
        for (int i = 0; i < cells; ++i) {
            const int a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                      d = point(i, j + 1);
            g.add_polygon({a, b, c});
            g.add_polygon({a, c, d});
        }
    const VecX x = flat();
    g.set_vectors("P", x, "point", Storage::real64);
    ClothMaterial m;
    m.density = density;
    m.young_warp = m.young_weft = stretch;
    m.shear = stretch / (2 * (1 + poisson));
    m.poisson = m.bend_poisson = poisson;
    m.bend_warp = m.bend_weft = rigidity;
    m.stretch_damping = m.shear_damping = m.bend_damping = m.mass_damping = m.drag_normal =
        m.drag_tangent = 0;
    m.bending_model = model;
    Scene s;
    NullLog log;
    s.cloths.push_back(make_cloth("plate", g, &x, m, log));
    s.mass = cloth_mass(s.cloths[0], g);
    s.mass_damping = VecX::Zero(s.mass.size());
    for (int j = 0; j <= across; ++j)
        for (int i = 0; i < 2; ++i) s.pins.push_back({point(i, j), 0});
    return s;
}

/// E = −Σ M_row ψ, ψ the angle of the last edge of a row in the x-z plane, from x towards z,
/// counted from where it stood when the step began (so that full turns are no jump).
class StaticPlate::EndMoment final : public Term
{
public:
    EndMoment(const Plate& p)
    {
        for (int j = 0; j <= p.across; ++j) {
            pairs_.insert(pairs_.end(), {p.point(p.cells - 1, j), p.point(p.cells, j)});
            share_.push_back((j == 0 || j == p.across ? 0.5 : 1.0) / p.across);
        }
        batches_ = make_batches(2, pairs_, p.point_count());
    }

    double moment = 0; ///< [N·m]

    std::string_view name() const override { return "end moment"; }
    const Batches& stencils() const override { return batches_; }
    void begin_step(const StepContext& step) override { reference_ = *step.x_0; }
    void evaluate(const VecX& x, Want want, Sink& out) const override
    {
        for (std::size_t k = 0; moment != 0 && k < share_.size(); ++k) {
            const int a = 3 * pairs_[2 * k], b = 3 * pairs_[2 * k + 1];
            const auto edge = [&](const VecX& p) { return Vec2(p[b] - p[a], p[b + 2] - p[a + 2]); };
            const Vec2 d = edge(x), r = edge(reference_);
            const double M = moment * share_[k];
            if (want.energy)
                out.energy -= out.scale * M * std::atan2(r[0] * d[1] - r[1] * d[0], r.dot(d));
            if (!want.gradient) continue;
            const Vec2 slope = Vec2(-d[1], d[0]) / d.squaredNorm() * (-out.scale * M);
            for (int c = 0; c < 2; ++c) {
                (*out.gradient)[b + 2 * c] += slope[c];
                (*out.gradient)[a + 2 * c] -= slope[c];
            }
        } // its Hessian couples turning with stretching only: left out
    }

private:
    std::vector<std::int32_t> pairs_;
    std::vector<double> share_;
    VecX reference_;
    Batches batches_;
};

StaticPlate::~StaticPlate() = default;

StaticPlate::StaticPlate(const Plate& plate)
    : x(plate.flat()),
      plate_(plate),
      scene_(plate.scene()),
      terms_(scene_),
      end_moment_(std::make_unique<EndMoment>(plate)),
      filter_(plate.point_count())
{
    std::vector<Term*> all = terms_.all();
    all.push_back(end_moment_.get());
    potential_ = std::make_unique<IncrementalPotential>(all, scene_.mass, scene_.mass_damping);
    if (plate.planar)
        for (int v = 0; v < plate.point_count(); ++v) filter_.block_direction(v, Vec3::UnitY());
    for (const Pin& p : scene_.pins) filter_.fix(p.vertex);
}

void StaticPlate::relax(const VecX& force, double moment, int steps)
{
    end_moment_->moment = moment;
    StepSettings settings;
    settings.max_iterations = 400;
    const VecX still = VecX::Zero(x.size());
    // Long against the slowest swing: inertia only keeps Newton's steps sane.
    const double mass = scene_.mass.sum() / (plate_.length * plate_.width);
    const double h = 30 * std::sqrt(mass * std::pow(plate_.length, 4) / plate_.rigidity);
    for (int k = 0; k < steps; ++k) {
        const VecX x_0 = x;
        VecX x_tilde = x_0;
        for (Eigen::Index i = 0; i < x.size(); ++i)
            x_tilde[i] += h * h * force[i] / scene_.mass[i / 3];
        potential_->begin_step({0, h, h, h, &x_0, &still, &x_0}, x_tilde);
        Budget budget(settings);
        const StepReport r = minimise(*potential_, {filter_, x}, x, h, 1e-9 * plate_.length / h,
                                      settings, scratch_, budget, NeverCancel());
        if (k + 1 < steps) continue;
        EXPECT_EQ(r.status, StepStatus::converged) << r.message;
    }
}

VecX StaticPlate::weight(const Vec3& gravity) const
{
    VecX f(x.size());
    for (Eigen::Index i = 0; i < scene_.mass.size(); ++i)
        f.segment<3>(3 * i) = scene_.mass[i] * gravity;
    return f;
}

Vec3 StaticPlate::tip() const
{
    Vec3 sum = Vec3::Zero();
    const VecX flat = plate_.flat();
    for (int j = 0; j <= plate_.across; ++j) {
        const int v = 3 * plate_.point(plate_.cells, j);
        sum += x.segment<3>(v) - flat.segment<3>(v);
    }
    return sum / (plate_.across + 1);
}

double StaticPlate::energy()
{
    end_moment_->moment = 0;
    return potential_->term_energy(x);
}

MatX StaticPlate::out_of_plane_stiffness()
{
    BlockMatrix H(potential_->pattern());
    H.set_zero();
    for (Term* t : terms_.all()) {
        const ScatterMap map(t->stencils(), *H.pattern);
        Sink sink;
        sink.hessian = &H;
        sink.scatter = &map;
        t->evaluate(x, {false, false, true, Psd::exact}, sink);
    }
    std::vector<int> free;
    for (int j = 0; j <= plate_.across; ++j)
        for (int i = 2; i <= plate_.cells; ++i) free.push_back(plate_.point(i, j));
    const MatX all = H.dense();
    MatX K(Eigen::Index(free.size()), Eigen::Index(free.size()));
    for (std::size_t a = 0; a < free.size(); ++a)
        for (std::size_t b = 0; b < free.size(); ++b)
            K(Eigen::Index(a), Eigen::Index(b)) = all(3 * free[a] + 2, 3 * free[b] + 2);
    return K;
}

} // namespace selvage::test
