#pragma once

#include "core/base/cancel.h"
#include "core/contact/contact_islands.h"
#include "core/contact/strand_contacts.h"
#include "core/solver/rod_compliance.h"
#include "core/solver/rod_step.h"
#include "core/solver/step_settings.h"

namespace selvage
{

/// Where a vertex of the contact mesh lies among the rods of a step; rod −1: it moves as given.
struct RodPlace {
    int rod = -1; ///< 4 × group + lane
    int point = 0;
};

struct HairContactSettings {
    HairContact method = HairContact::adaptive;
    double stretch = 0.01;   ///< edges longer than 1 + this make a rod take its stiffness anew
    double move = 1e-6;      ///< [m] unless its last move was smaller: it is stretched for good
    double precision = 1e-3; ///< of sweeps: largest change of a gap, by the contact's thickness
    /// Enough in large islands: the root mean square of these changes. Single contacts of strands
    /// that are wound tightly about each other would go on for thousands of sweeps.
    double mean_precision = 0.02;
    /// Iterations that draw a rod out to more than 1 + this times its length run away from the
    /// solution, and end: the step is too long for the rods' nonlinearity.
    double runaway = 1;
    /// Most per iteration, and in large islands: more would polish a model about to be replaced.
    int sweeps = 20, large_sweeps = 12;
    const Cancel* cancel = nullptr; ///< asked before each iteration; may be null
};

struct HairContactReport {
    int newton_iterations = 0; ///< of the island that took most
    int sweeps = 0;            ///< likewise, of all iterations
    int islands = 0, largest_island = 0;
    int refreshed = 0;            ///< stiffness matrices taken anew
    std::vector<int> failed_rods; ///< of islands that did not get there
    bool ran_away = false;        ///< some of these, see HairContactSettings::runaway
    double seconds_compliance = 0, seconds_sweeps = 0;
};

/// Contact of strands by adaptive nonlinear responses [Tamstorf 2016, ch. 9]. From the fully
/// nonlinear prediction without contact, Newton's method with all contacts inside each iteration:
///   K δ' = K δ − g(δ) + Σ Gᵀ λ,
///   0 ≤ λ_n ⊥ u_n ≥ 0 and Coulomb's law at each contact, u = G δ' + given motion,
/// by Gauss–Seidel sweeps over exact single-contact solutions. Only rods that came out stretched
/// take K anew, only their islands go on. Two methods of comparison stop after the first iteration:
/// `linear` has the same K, `impulse` the inertia alone.
///
/// Memory: K⁻¹ between the touched points of a rod is stored once, in single precision, and serves
/// all its contacts, instead of a column per contact.
class HairContactSolver
{
public:
    /// `places` by vertex of the contact mesh.
    HairContactSolver(std::vector<RodStep>& steps, const std::vector<RodPlace>& places,
                      const HairContactSettings& settings);

    /// Moves the rods whose islands have contacts of keys that are not in `known` (ascending), by
    /// at most so many iterations. Called again, it goes on from where the rods are. `given` [m]:
    /// displacements of all vertices apart from those of free points of rods in this step.
    /// `forces`: where sweeps start from, and where they ended; one per contact, on side a.
    HairContactReport solve(const std::vector<StrandContact>& contacts,
                            const std::vector<std::uint64_t>& known, const VecX& given,
                            std::vector<Vec3>& forces, int iterations);

    std::size_t bytes() const; ///< of contacts and compliances, at the last call

private:
    struct Contact {             // in the order of sweeps
        std::array<int, 4> rod;  ///< index into touched_, −1: moves as given
        std::array<int, 4> slot; ///< of the rod
        std::array<double, 4> weight;
        Mat3 frame; ///< rows: normal, tangents
        Mat3 W;
        bool yields;           ///< whether a force parts the two sides; see set_response
        Vec3 force;            ///< in the frame
        Vec3 before, momentum; ///< of the force: at the start of a sweep, from sweep to sweep
        Vec3 given;            ///< u of vertices that move as given, and the slack
        double friction, tolerance;
    };
    struct TouchedRod {
        int rod;
        RodCompliance compliance;
        std::vector<double> v;     ///< [m] displacements, four per slot: x y z and nothing
        std::vector<double> force; ///< [N] three per slot
        std::vector<float> before, momentum; ///< of v, as of the forces
        int island = 0;
        bool refresh = true;
        bool lost = false; ///< see HairContactSettings::runaway
    };

    /// What a sweep does to gaps, in units of the contacts' tolerances. In the sum of squares none
    /// counts for more than its thickness: strands caught between contacts that contradict each
    /// other, in which no gap ever comes to rest, must not hold up the others.
    struct Change {
        double largest = 0, squares = 0;
        void add(double size, double precision)
        {
            largest = std::max(largest, size);
            const double counted = std::min(size, 1 / precision);
            squares += counted * counted;
        }
        void add(const Change& c) { largest = std::max(largest, c.largest), squares += c.squares; }
    };

    void collect(const std::vector<StrandContact>& contacts, const VecX& given,
                 const std::vector<Vec3>& forces);
    void set_response(Contact& c) const;
    /// Islands of this size use all threads for each colour.
    static bool is_large(const ContactIslands::Island& island) { return island.contacts() > 1024; }
    /// Sweeps until they change nothing more, or too often; returns how many.
    int relax(const ContactIslands::Island& island);
    double sweep_contact(Contact& c);
    Change sweep_island(const ContactIslands::Island& island);
    void remember(const ContactIslands::Island& island);
    void extrapolate(const ContactIslands::Island& island, double keep);
    void gather_forces();
    void linearise(bool at_prediction, HairContactReport& report);
    void move_rods();
    RodVector forces_on(std::size_t group) const;

    std::vector<RodStep>& steps_;
    const std::vector<RodPlace>& places_;
    HairContactSettings settings_;
    std::vector<Contact> contacts_;
    std::vector<TouchedRod> touched_;
    std::vector<int> touched_of_rod_;
    std::vector<std::size_t> groups_; ///< of steps_ with touched rods
    ContactIslands islands_;
    std::vector<char> active_; ///< islands
    bool predicted_ = true;    ///< rods are where they were predicted
};

} // namespace selvage
