#pragma once

#include "core/energy/membrane_term.h"

namespace selvage
{

/// A barrier that keeps every triangle of a cloth within limits of strain, at every iterate: steps
/// are cut before it. The law is one of a membrane (membrane_term.h) with two functions more:
///   /// The longest step α <= 1 with F + α way feasible that leaves a part of what was left.
///   static double longest_step(const Mat32& F, const Mat32& way, const Moduli&);
///   /// Moves the limits that F exceeds a little beyond F; false where it exceeds none.
///   static bool widen(const Mat32& F, Moduli&);
template <class Law> class LimitTerm final : public Term
{
public:
    using Moduli = typename Law::Moduli;

    /// As in MembraneTerm.
    LimitTerm(const std::vector<std::int32_t>& triangles, const std::vector<MembraneTriangle>& rest,
              const std::vector<Moduli>& moduli, int vertex_count);

    std::string_view name() const override { return Law::name; }
    const Batches& stencils() const override { return barrier_.stencils(); }
    /// Triangles that a start pose or a new rest shape has put beyond their limits would make every
    /// step infeasible: for this step their limits lie just beyond where they are, so that they
    /// come back.
    void begin_step(const StepContext& step) override;
    void evaluate(const VecX& x, Want want, Sink& out) const override
    {
        barrier_.evaluate(x, want, out);
    }
    double max_step(const VecX& x, const VecX& p) const override;

    /// New rest state (animated rest), to be followed by begin_step.
    void set_rest(const std::vector<MembraneTriangle>& rest);
    /// Triangles beyond their limits at the start of the step.
    int exceeded() const { return exceeded_; }

private:
    Mat32 gradient(std::size_t triangle, const VecX& x) const;

    std::vector<std::int32_t> triangles_;
    std::vector<MembraneTriangle> rest_;
    std::vector<Moduli> moduli_, widened_; // one per triangle
    int exceeded_ = 0;
    MembraneTerm<Law> barrier_;
};

/// Of the way to a limit, how much one step may use up.
inline constexpr double most_of_limit = 0.9;
/// How far beyond a strain that exceeds its limit the limit of the step lies.
inline constexpr double beyond_limit = 1.01;

} // namespace selvage
