#include "core/session/parameter_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace selvage
{
namespace
{

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double tiny = std::numeric_limits<double>::min(); // excludes zero
using T = ParameterType;

// clang-format off
const Parameter table[] = {
    // scope, name, label, type, default, unit, low, high, choices, animatable, methods, help
    {"", "selvage", "Format version", T::integer, "1", "", 1, 1, "", false, "",
     "Version of the shot-file format."},
    {"", "fps", "Frames per second", T::real, "24", "1/s", tiny, 1e6, "", false, "",
     "Playback rate; one frame lasts 1/fps seconds."},
    {"", "frames", "Frame range", T::frame_range, "[1, 24]", "", -1e9, 1e9, "", false, "",
     "First and last frame. The first is the start pose and is written as it is."},
    {"", "unit", "Unit", T::real, "1", "m", 1e-6, 1e6, "", false, "",
     "Metres per unit of all geometry that is read and written: 0.01 for a scene in centimetres. Parameters stay in metres."},
    {"", "substeps", "Substeps", T::integer, "1", "", 1, 10000, "", false, "",
     "Time steps per frame. More resolve fast motion and lose less energy; the look at rest does not depend on them."},
    {"", "time_scale", "Time scale", T::real, "1", "", 0, 1000, "", true, "",
     "Simulated seconds per second of animation: 0.5 is slow motion."},
    {"", "gravity", "Gravity", T::vector3, "[0, -9.81, 0]", "m/s²", -inf, inf, "", true, "",
     "Acceleration of free fall."},
    {"", "wind", "Wind", T::vector3, "[0, 0, 0]", "m/s", -inf, inf, "", true, "",
     "Velocity of the air. Cloth also feels still air when it moves."},
    {"", "air_density", "Air density", T::real, "1.225", "kg/m³", 0, inf, "", true, "",
     "0 switches air drag off."},
    {"", "output", "Output", T::path, "\"sim/$NAME.$F4.bgeo.sc\"", "", 0, 0, "", false, "",
     "Where frames go, relative to the shot file: $NAME is the object, $F4 the frame. .bgeo.sc, .bgeo, .geo, .obj per frame; .usda or .pc2 one file per object."},
    {"", "cache_limit", "Cache limit", T::real, "4096", "MB", 0, inf, "", false, "",
     "Memory for finished frames while scrubbing; older ones are dropped and simulated again when asked for."},

    {"solver", "method", "Method", T::choice, "\"barrier\"", "", 0, 0, "barrier,hair", false, "",
     "How a step is solved. barrier: projected Newton on the incremental potential, for cloth, solids and hair together; nothing passes through anything. hair: elastic rods, each strand with an implicit step of its own, for shots of hair alone; strands collide with each other and with colliders, without a guarantee, and many times faster."},
    {"solver", "hair_contact", "Hair contact", T::choice, "\"adaptive\"", "", 0, 0, "adaptive,linear,impulse,none", false, "hair",
     "How strands push each other and are pushed by colliders. adaptive: responses follow the strands as they bend away, stable at steps of whole frames. linear and impulse answer with the stiffness of the unhindered strand, or with its mass alone: for comparison, they need steps many times shorter. none: strands pass through everything."},
    {"solver", "hair_stretch", "Hair stretch", T::real, "0.01", "", 1e-6, 1, "", false, "hair",
     "Strands in contact that would come out longer than this are solved on. 0.01 cannot be seen; larger is faster."},
    {"solver", "integrator", "Integrator", T::choice, "\"bdf1\"", "", 0, 0, "bdf1,bdf2", false, "",
     "bdf1 (backward Euler) damps fast motion with the step size; bdf2 keeps more of it."},
    {"solver", "tolerance", "Tolerance", T::real, "0.01", "1/s", tiny, 1e3, "", true, "",
     "Newton stops when its next correction is slower than this times the size of the scene per second. Smaller is more accurate and slower."},
    {"solver", "max_iterations", "Newton iterations", T::integer, "300", "", 1, 1000000, "", false, "",
     "Cap per substep; a frame that reaches it is used and marked not_converged."},
    {"solver", "linear", "Linear solver", T::choice, "\"auto\"", "", 0, 0, "auto,pardiso,cholmod,multifrontal,ldlt,pcg,multigrid", false, "",
     "auto takes the fastest direct solver of this build for small scenes, conjugate gradients for larger ones and multigrid for large or stiff ones; the log says which."},
    {"solver", "linear_tolerance", "Linear tolerance", T::real, "0.001", "", 1e-15, 0.5, "", false, "",
     "Relative residual at which conjugate gradients, with or without multigrid, stop."},
    {"solver", "budget_iterations", "Iteration budget", T::integer, "0", "", 0, 1000000, "", false, "",
     "Newton iterations of all kinds after which a substep ends with the state it has, which never intersects; the frame is marked out_of_budget. Colliders may then lag behind and catch up later. 0: no budget."},
    {"solver", "budget_seconds", "Time budget", T::real, "0", "s", 0, inf, "", false, "",
     "The same by the clock. Results then depend on the machine and on its load. 0: no budget."},
    {"solver", "retries", "Retries", T::integer, "2", "", 0, 10, "", false, "",
     "A substep that fails, or ends far from converged, is taken again in two halves, each of which may be halved again, this often. 0: never."},

    {"collision", "enabled", "Collisions", T::boolean, "true", "", 0, 1, "", false, "",
     "Keeps cloth from passing through itself and through colliders."},
    {"collision", "gap", "Contact gap", T::real, "0.001", "m", tiny, 1, "", false, "",
     "Distance, beyond the thickness, at which surfaces begin to push each other. Smaller rests closer and costs more iterations; thickness plus gap should stay below the shortest edge."},
    {"collision", "stick_speed", "Stick speed", T::real, "0.001", "m/s", tiny, 10, "", false, "",
     "Contacts that slide more slowly than this count as sticking."},
    {"collision", "friction_iterations", "Friction iterations", T::integer, "1", "", 1, 100, "", false, "",
     "Friction works with the normal forces at the start of a step; this many times it may take them anew and solve again. 1 is right for moving cloth; 5 or more for things that must stand still under friction alone."},
    {"collision", "on_intersection", "On intersection", T::choice, "\"ignore_pairs\"", "", 0, 0, "error,ignore_pairs,relax", false, "",
     "What to do when surfaces intersect at the start, or are nearer than their thickness. ignore_pairs: exactly these pairs pass through each other until they are apart; points inside closed colliders are drawn out. relax: they are drawn apart before the first frame, with every input held; what cannot be is treated as by ignore_pairs, and listed. error: stop and list them."},
    {"collision", "on_pinch", "On pinch", T::choice, "\"release\"", "", 0, 0, "release,hold", false, "",
     "What to do when colliders or pins pinch cloth that has no place to go. release: the points in the way pass through what pinches them until they are out again; the log lists them. hold: colliders and pins wait, and the log says how far they are behind."},
    {"collision", "release_speed", "Release speed", T::real, "0.2", "m/s", 0, 100, "", false, "",
     "How fast points that are inside a collider, at the start or after a pinch, are drawn out of it."},

    {"preroll", "frames", "Pre-roll frames", T::integer, "0", "", 0, 100000, "", false, "",
     "Frames simulated before the start with every input held at the first frame, so that cloth has settled when the shot begins."},

    {"turbulence", "amplitude", "Turbulence", T::real, "0", "m/s", 0, inf, "", true, "",
     "Root mean square speed of the eddies that are added to `wind`; 0 is a steady wind. They drift along with the mean wind."},
    {"turbulence", "scale", "Eddy size", T::real, "1", "m", tiny, inf, "", false, "",
     "Size of the largest eddies; smaller ones follow down to a sixteenth of it."},
    {"turbulence", "swirl", "Swirl", T::real, "0.5", "1/s", 0, inf, "", false, "",
     "How often the largest eddies turn over; 0 freezes the pattern, which then only drifts."},
    {"turbulence", "gust", "Gusts", T::real, "0", "", 0, 10, "", true, "",
     "How far the mean wind swells and drops, as a part of it; their root mean square is half of this."},
    {"turbulence", "gust_frequency", "Gust frequency", T::real, "0.3", "1/s", 0, inf, "", false, "",
     "How often gusts come."},
    {"turbulence", "seed", "Seed", T::integer, "0", "", 0, 1e9, "", false, "",
     "Another number gives another wind of the same kind."},

    {"cloth", "name", "Name", T::text, "", "", 0, 0, "", false, "",
     "Names the object in messages and in the output."},
    {"cloth", "geometry", "Geometry", T::path, "", "", 0, 0, "", false, "",
     "Polygons of any size, at the first frame the start pose. A sequence ($F4) also drives the pins."},
    {"cloth", "initial", "Start from", T::path, "", "", 0, 0, "", false, "",
     "Geometry whose P and v at the first frame are where the simulation starts, for example an earlier result; the rest shape still comes from `geometry` or `rest`."},
    {"cloth", "material", "Material", T::text, "\"cotton\"", "", 0, 0, "", false, "",
     "Preset that gives every value below; `selvage materials` lists them."},
    {"cloth", "density", "Density", T::real, "", "kg/m²", tiny, inf, "", false, "",
     "Mass per area."},
    {"cloth", "thickness", "Thickness", T::real, "", "m", 0, inf, "", false, "",
     "Distance that layers keep."},
    {"cloth", "young_warp", "Stretch stiffness, warp", T::real, "", "N/m", tiny, inf, "", true, "",
     "Young's modulus times thickness along the warp (v of materialuv or uv; the vertical where there is neither). Painted by point attributes `young_warp` (value) and `young_warp_scale` (multiplier), as is every number of the material; `stretch_scale` and `bend_scale` multiply several."},
    {"cloth", "young_weft", "Stretch stiffness, weft", T::real, "", "N/m", tiny, inf, "", true, "",
     "Across the warp."},
    {"cloth", "shear", "Shear stiffness", T::real, "", "N/m", tiny, inf, "", true, "",
     "Engineering shear modulus times thickness: resistance to skewing warp against weft."},
    {"cloth", "poisson", "Poisson ratio", T::real, "", "", -2, 2, "", false, "",
     "Narrowing in the weft per unit of stretch in the warp; must lie below the square root of young_warp/young_weft."},
    {"cloth", "stretch_limit", "Stretch limit", T::real, "", "", 0, 10, "", false, "",
     "Largest stretch in any direction, as a fraction (0.06: six per cent), that no triangle ever exceeds; 0 does not limit. Softer stretch stiffness with a limit folds more freely than stiff cloth."},
    {"cloth", "stretch_limit_warp", "Stretch limit, warp", T::real, "", "", 0, 10, "", false, "",
     "Largest stretch along the warp alone, never exceeded; compression is limited to the same strain. 0 does not limit."},
    {"cloth", "stretch_limit_weft", "Stretch limit, weft", T::real, "", "", 0, 10, "", false, "",
     "The same along the weft."},
    {"cloth", "stretch_limit_shear", "Shear limit", T::real, "", "", 0, 10, "", false, "",
     "Largest shear between warp and weft, as the sine of the angle by which they leave the square, never exceeded. 0 does not limit."},
    {"cloth", "bend_warp", "Bending stiffness, warp", T::real, "", "N·m", 0, inf, "", true, "",
     "Flexural rigidity when bent along the warp; larger folds with larger values."},
    {"cloth", "bend_weft", "Bending stiffness, weft", T::real, "", "N·m", 0, inf, "", true, "",
     "The same along the weft."},
    {"cloth", "membrane_model", "Stretch model", T::choice, "\"stvk\"", "", 0, 0, "stvk,neo_hookean,baraff_witkin,arap,spline", false, "",
     "How stretch and shear are resisted. stvk: all moduli and the Poisson ratio. neo_hookean: isotropic (mean of warp and weft), never collapses under compression. baraff_witkin: threads and the angle between them, no lateral contraction. arap: isotropic, linear in stretch. spline: measured curves."},
    {"cloth", "warp_curve", "Stretch curve, warp", T::curve, "", "N/m", 0, inf, "", false, "",
     "Pull test along the warp for the spline model: [strain, force per width] pairs, both increasing, the origin left out. Replaces young_warp there."},
    {"cloth", "weft_curve", "Stretch curve, weft", T::curve, "", "N/m", 0, inf, "", false, "",
     "The same along the weft."},
    {"cloth", "shear_curve", "Shear curve", T::curve, "", "N/m", 0, inf, "", false, "",
     "[sine of the shear angle, force per width] pairs for the spline model. Replaces shear there."},
    {"cloth", "bending_model", "Bending model", T::choice, "\"hinge\"", "", 0, 0, "hinge,shape,hinge_angle", false, "",
     "hinge: angles between neighbouring triangles, for cloth, resisting without bound towards a closed fold. hinge_angle: the same in proportion to the angle, however far it is folded. shape: the curvature of each triangle, with a Poisson ratio, for plates and stiff shells (leather, vinyl, paper); about twice the cost."},
    {"cloth", "bend_poisson", "Bending Poisson ratio", T::real, "", "", -0.99, 0.99, "", false, "",
     "Curling across a bend; used by the shape model."},
    {"cloth", "bend_young", "Bending Young's modulus", T::real, "", "Pa", 0, inf, "", false, "",
     "Gives the flexural rigidity of a homogeneous sheet by its thickness h, E h³/12(1 − ν²), in place of both bending stiffnesses; ν is bend_poisson for the shape model, poisson for hinges. 0 does not."},
    {"cloth", "yield_angle", "Yield angle", T::real, "", "rad", 0, 3.2, "", true, "",
     "Bending of an edge beyond its rest angle that leaves no crease. Larger where the mesh is coarser: angles are per edge."},
    {"cloth", "yield_rate", "Yield rate", T::real, "", "1/s", 0, inf, "", true, "",
     "How fast bending beyond the yield angle becomes permanent; 0 is elastic, 10 keeps a fold that was held for a few frames."},
    {"cloth", "stretch_damping", "Stretch damping", T::real, "", "", 0, inf, "", true, "",
     "Damping ratio of stretch at `damping_frequency`: 0 rings on, 1 comes to rest without overshoot. The same at any time step. Slower motion is damped less in proportion, faster motion more."},
    {"cloth", "shear_damping", "Shear damping", T::real, "", "", 0, inf, "", true, "",
     "The same for skewing warp against weft."},
    {"cloth", "bend_damping", "Bend damping", T::real, "", "", 0, inf, "", true, "",
     "The same for bending: higher values calm flutter and let folds form slowly."},
    {"cloth", "damping_frequency", "Damping frequency", T::real, "", "Hz", tiny, inf, "", true, "",
     "Frequency of motion at which the damping ratios hold."},
    {"cloth", "mass_damping", "Motion damping", T::real, "", "1/s", 0, inf, "", true, "",
     "Rayleigh damping proportional to mass: slows all motion, also falling. Use air drag instead where possible."},
    {"cloth", "drag_normal", "Air drag, normal", T::real, "", "", 0, inf, "", true, "",
     "Drag coefficient for air that meets the cloth face on."},
    {"cloth", "drag_tangent", "Air drag, tangential", T::real, "", "", 0, inf, "", true, "",
     "Drag coefficient for air that slides along it."},
    {"cloth", "lift", "Air lift", T::real, "", "", 0, inf, "", true, "",
     "Lift coefficient beyond the lift that unequal drags give: a push across the relative wind, largest at 45°. 0 to 1; larger flutters more."},
    {"cloth", "layer", "Layer", T::integer, "0", "", -1000, 1000, "", false, "",
     "Where surfaces are tangled, at the start or after a pinch, cloth of a higher layer is drawn to the outer side of a lower one, along its normals, and the lower one stays. Point attribute `layer` stands in its place."},
    {"cloth", "self_collision", "Self-collision", T::boolean, "true", "", 0, 1, "", false, "",
     "Whether the cloth collides with itself."},
    {"cloth", "friction", "Friction", T::real, "", "", 0, inf, "", false, "",
     "Coulomb coefficient at rest; a pair has the geometric mean of its two. Point attribute `friction` multiplies it."},
    {"cloth", "dynamic_friction", "Dynamic friction", T::real, "", "", 0, inf, "", false, "",
     "Coulomb coefficient once it slides, at most `friction`; the same where not set. Point attribute `dynamicfriction` multiplies it."},

    {"cloth.pins", "group", "Pin group", T::text, "", "", 0, 0, "", false, "",
     "Point group that follows the target; also `stopped` = 1 and `mass` = 0 points are pinned."},
    {"cloth.pins", "target", "Pin target", T::path, "", "", 0, 0, "", false, "",
     "Animated geometry with the same points; without it pins follow `geometry` when that is a sequence, else they stay."},
    {"cloth.pins", "stiffness", "Pin stiffness", T::real, "0", "N/m", 0, inf, "", false, "",
     "0 pins exactly; otherwise a spring per point."},
    {"cloth.pins", "stiffness_map", "Stiffness map", T::text, "", "", 0, 0, "", false, "",
     "Point attribute that multiplies the stiffness of soft pins: their strength per point; 0 leaves the point free."},
    {"cloth.pins", "strength", "Pin strength", T::real, "1", "", 0, inf, "", true, "",
     "Multiplies the stiffness of soft pins everywhere; keys let go and take hold again."},
    {"cloth.pins", "damping", "Pin damping", T::real, "0", "s", 0, inf, "", false, "",
     "Rayleigh damping of soft pins against the motion of their targets, proportional to stiffness."},
    {"cloth.pins", "falloff", "Pin falloff", T::real, "0", "m", 0, inf, "", false, "",
     "Distance along the surface over which soft pins fade out beyond the group."},
    {"cloth.pins", "falloff_stiffness", "Falloff stiffness", T::real, "", "N/m", 0, inf, "", false, "",
     "Stiffness at the group's edge from which the falloff fades; `stiffness` without it. Needed with exact pins."},

    {"cloth.pressure", "model", "Pressure", T::choice, "\"none\"", "", 0, 0, "none,constant,gas,volume", false, "",
     "What fills closed cloth. constant: the same `pressure` at any volume, a pump; gas: sealed air, whose pressure rises as it is squeezed; volume: keeps a volume by its `stiffness`."},
    {"cloth.pressure", "pressure", "Pressure", T::real, "0", "Pa", -1e5, inf, "", true, "",
     "Inside minus outside; for gas, what it is at `volume`. A cushion has about 100, a soft ball 1000."},
    {"cloth.pressure", "volume", "Volume", T::real, "", "m³", tiny, inf, "", false, "",
     "Volume at which the gas has its pressure, or which is kept; without it that of the rest shape."},
    {"cloth.pressure", "volume_scale", "Volume scale", T::real, "1", "", 1e-3, 1e3, "", true, "",
     "Multiplies the volume: keys inflate and deflate."},
    {"cloth.pressure", "stiffness", "Volume stiffness", T::real, "10000", "Pa", 0, inf, "", true, "",
     "Pressure that answers a loss of the whole volume; used by the volume model."},
    {"cloth.pressure", "ambient", "Ambient pressure", T::real, "101325", "Pa", 0, inf, "", false, "",
     "Of the air outside; used by gas. Lower values make sealed air softer."},
    {"cloth.pressure", "close_holes", "Close holes", T::boolean, "true", "", 0, 1, "", false, "",
     "Holes count as closed by a fan around their middle; otherwise an open cloth is an error."},
    {"cloth.pressure", "per_piece", "Per piece", T::boolean, "true", "", 0, 1, "", false, "",
     "Every connected piece has air of its own. Switch it off for panels that are sewn together."},
    {"cloth.pressure", "flip", "Flip sides", T::boolean, "false", "", 0, 1, "", false, "",
     "For cloth that starts flat, where only the polygons' winding tells the outside (counter-clockwise): takes the other side."},

    {"cloth.rest", "geometry", "Rest shape", T::path, "", "", 0, 0, "", false, "",
     "Geometry with the same points whose edge lengths and angles are at rest. Without it: point attribute `rest`, else the start pose. A sequence ($F4) animates the rest shape: cloth grows, shrinks and bends with it."},
    {"cloth.rest", "from", "Rest shape from", T::choice, "\"auto\"", "", 0, 0, "auto,geometry,attribute,pattern", false, "",
     "The cloth's own rest shape, which `blend` starts from. auto: rest `geometry` at the first frame, else point attribute `rest`, else the start pose; geometry: the start pose; attribute: `rest`; pattern: vertex or point `materialuv`, else `uv`, as a flat pattern in metres, flat across its seams."},
    {"cloth.rest", "blend", "Rest blend", T::real, "1", "", 0, 1, "", true, "",
     "How far the rest shape follows an animated rest `geometry`, edge by edge: 0 keeps the cloth's own shape, 1 takes the animated one. Times point attribute `rest_blend` (0 … 1)."},
    {"cloth.rest", "scale", "Rest scale", T::real, "1", "", 0.001, 1000, "", true, "",
     "Multiplies every rest length: above 1 the cloth grows, below it shrinks. Times point attribute `rest_scale`. Mass stays."},
    {"cloth.rest", "pattern_scale", "Pattern scale", T::real, "1", "m", 1e-6, 1e6, "", false, "",
     "Metres per unit of the pattern's coordinates."},

    {"cloth.local_space", "geometry", "Moving frame", T::path, "", "", 0, 0, "", false, "",
     "Animated geometry whose rigid motion is the frame that the cloth is carried along with."},
    {"cloth.local_space", "group", "Moving frame group", T::text, "", "", 0, 0, "", false, "",
     "Point group of it that defines the motion; all points without it."},
    {"cloth.local_space", "inherit", "Inherited motion", T::real, "1", "", 0, 1, "", true, "",
     "Part of the frame's motion that the cloth feels: 1 simulates in world space, 0 as if the frame stood still."},

    {"solid", "name", "Name", T::text, "", "", 0, 0, "", false, "",
     "Names the object in messages and in the output."},
    {"solid", "geometry", "Geometry", T::path, "", "", 0, 0, "", false, "",
     "Tetrahedra, at the first frame the start pose; polygons among them are carried along. Rest shape: point attribute `rest`, else the start pose. A sequence ($F4) also drives the pins."},
    {"solid", "initial", "Start from", T::path, "", "", 0, 0, "", false, "",
     "Geometry whose P and v at the first frame are where the simulation starts."},
    {"solid", "model", "Model", T::choice, "\"stable_neo_hookean\"", "", 0, 0, "stable_neo_hookean,neo_hookean,fixed_corotational,arap,stvk,mooney_rivlin,arruda_boyce,fung", false, "",
     "Law of stretch. stable_neo_hookean: flesh and rubber, recovers from inversion. neo_hookean: never inverts, needs a start without inverted elements. fixed_corotational: stiff materials. arap: no volume preservation. stvk: small strains only. mooney_rivlin, arruda_boyce, fung: rubber and tissue that harden."},
    {"solid", "density", "Density", T::real, "1000", "kg/m³", tiny, inf, "", false, "",
     "Mass per volume."},
    {"solid", "young", "Stiffness", T::real, "50000", "Pa", tiny, inf, "", false, "",
     "Young's modulus at small strain: flesh 1e4, soft rubber 1e6. Painted by point attributes `young` (value) and `young_scale` (multiplier)."},
    {"solid", "poisson", "Poisson ratio", T::real, "0.45", "", -0.99, 0.4999, "", false, "",
     "Volume preservation: 0.5 would be perfect, 0.45 is flesh, 0.3 foam; arap has none."},
    {"solid", "hardening", "Hardening", T::real, "0.5", "", 0.001, 100, "", false, "",
     "fung: exponent; arruda_boyce: one over the number of chain links; mooney_rivlin: share of its second term (at most 1). Small strains do not change."},
    {"solid", "fiber_stiffness", "Fibre stiffness", T::real, "0", "Pa", 0, inf, "", false, "",
     "Added along point or primitive attribute `fiber`: muscles, tendons."},
    {"solid", "damping", "Damping", T::real, "0.1", "", 0, inf, "", false, "",
     "Damping ratio at `damping_frequency`: 0 rings on, 1 comes to rest without overshoot. The same at any time step."},
    {"solid", "damping_frequency", "Damping frequency", T::real, "10", "Hz", tiny, inf, "", false, "",
     "Frequency of motion at which the damping ratio holds."},
    {"solid", "thickness", "Thickness", T::real, "0", "m", 0, 1, "", false, "",
     "Half of it is kept clear around the surface."},
    {"solid", "friction", "Friction", T::real, "0.4", "", 0, inf, "", false, "",
     "Coulomb coefficient at rest; a pair has the geometric mean of its two. Point attribute `friction` multiplies it."},
    {"solid", "dynamic_friction", "Dynamic friction", T::real, "", "", 0, inf, "", false, "",
     "Coulomb coefficient once it slides, at most `friction`; the same where not set."},
    {"solid", "mass_damping", "Motion damping", T::real, "0", "1/s", 0, inf, "", false, "",
     "Slows all motion, also falling."},

    {"hair", "name", "Name", T::text, "", "", 0, 0, "", false, "hair",
     "Names the object in messages and in the output."},
    {"hair", "geometry", "Geometry", T::path, "", "", 0, 0, "", false, "hair",
     "Open curves from root to tip, three points or more each, at the first frame the start pose. A sequence ($F4) moves the roots and is what soft targets pull to."},
    {"hair", "material", "Material", T::text, "\"hair_straight\"", "", 0, 0, "", false, "hair",
     "Preset that gives every value below: hair_straight, hair_wavy, hair_curly, hair_coily, fur, rope, yarn. Curl is the shape of the curves, not a value."},
    {"hair", "radius", "Radius", T::real, "", "m", 1e-9, 10, "", false, "hair",
     "Of strands whose points have neither `pscale` (radius) nor `width` (diameter). Stiffness grows with its fourth power, weight with its square."},
    {"hair", "flatness", "Flatness", T::real, "", "", 0.05, 1, "", false, "hair",
     "Short over long axis of an elliptical section; 1 is round. Flat strands bend about the long axis, which x of `orient` gives."},
    {"hair", "density", "Density", T::real, "", "kg/m³", tiny, inf, "", false, "hair",
     "Mass per volume of strand."},
    {"hair", "young", "Stiffness", T::real, "", "Pa", tiny, inf, "", false, "hair",
     "Young's modulus: stretch and bending. Point attribute `stiffness_scale` multiplies bending and twist along strands."},
    {"hair", "shear", "Twist stiffness", T::real, "", "Pa", tiny, inf, "", false, "hair",
     "Shear modulus: resistance to twist; it decides how curls turn over."},
    {"hair", "stretch_damping", "Stretch damping", T::real, "", "", 0, inf, "", false, "hair",
     "Damping ratio of stretch at `damping_frequency`, as of cloth."},
    {"hair", "bend_damping", "Bend damping", T::real, "", "", 0, inf, "", false, "hair",
     "The same for bending: higher values calm bouncing curls."},
    {"hair", "twist_damping", "Twist damping", T::real, "", "", 0, inf, "", false, "hair",
     "The same for twist."},
    {"hair", "damping_frequency", "Damping frequency", T::real, "", "Hz", tiny, inf, "", false, "hair",
     "Frequency of motion at which the damping ratios hold."},
    {"hair", "mass_damping", "Motion damping", T::real, "", "1/s", 0, inf, "", false, "hair",
     "Rayleigh damping proportional to mass: slows all motion, also falling."},
    {"hair", "friction", "Friction", T::real, "", "", 0, inf, "", false, "hair",
     "Coulomb coefficient of strands on each other; with a collider, the geometric mean of the two. Hair on hair: 0.1 to 0.3."},
    {"hair", "self_collision", "Self-collision", T::boolean, "true", "", 0, 1, "", false, "hair",
     "Whether the strands collide with each other. Off: with colliders and other hair only, much faster."},
    {"hair", "drag", "Air drag", T::real, "", "", 0, inf, "", false, "hair",
     "Multiplies the drag of air on a thin cylinder, which is already large: 1 is a single strand, 0.1 to 0.3 a strand inside a lock."},
    {"hair", "roots", "Roots", T::choice, "\"first_point\"", "", 0, 0, "first_point,both_ends,none", false, "hair",
     "What follows the animation in place and direction: the first segment of each strand, the first and the last, or nothing."},
    {"hair", "pin_group", "Pinned points", T::text, "", "", 0, 0, "", false, "hair",
     "Points of this group follow the animation in place, besides the roots; so do points with bit 0 of `stopped`, or of zero `mass`. A pinned strand does not simply hang: sag_free leaves it as it is."},
    {"hair", "root_surface", "Root surface", T::text, "", "", 0, 0, "", false, "hair",
     "Name of a collider that carries the roots: each follows the triangle nearest to it at the first frame, or the nearest of polygon `skinprim`, or the place `skinprimuv` on that polygon where it is a triangle or quad (attributes of curves). Empty: the geometry's own animation does."},
    {"hair", "rest", "Rest shape", T::path, "", "", 0, 0, "", false, "hair",
     "Curves with the same points whose lengths and curvature are the rest shape; point attribute `rest` does the same. Else the start pose, see sag_free. A sequence ($F4) changes the rest shape over time, see rest_blend."},
    {"hair", "rest_blend", "Rest blend", T::real, "1", "", 0, 1, "", true, "hair",
     "How far the rest shape follows an animated one: 0 keeps that of the first frame. Point attribute `rest_blend` multiplies it."},
    {"hair", "rest_scale", "Rest length scale", T::real, "1", "", 1e-3, 1e3, "", true, "hair",
     "Multiplies the rest lengths: keys let hair grow and shrink. The mass stays."},
    {"hair", "sag_free", "Sag-free start", T::boolean, "true", "", 0, 1, "", false, "hair",
     "Solves for a rest shape that gravity bends into the start pose, so that the groom keeps its shape. Off: the start pose is the rest shape, and the groom droops from it. Not with a still rest shape of its own, nor where both ends are held; with an animated one, set it to add the changes of that to the solved shape."},
    {"hair", "target_rate", "Target rate", T::real, "0", "Hz", 0, inf, "", false, "hair",
     "Pulls points to the animated groom like springs of this natural frequency; 0 does not. Point or curve attribute `target_scale` multiplies it."},
    {"hair", "radius_ramp", "Radius ramp", T::curve, "", "", 0, inf, "", false, "hair",
     "Multiplies the radius along strands: [place, factor] pairs, place from 0 at the root to 1 at the tip, ascending, linear in between. Point or curve attribute `radius_scale` multiplies it as well."},
    {"hair", "stiffness_ramp", "Stiffness ramp", T::curve, "", "", 0, inf, "", false, "hair",
     "The same for bending and twist; attribute `stiffness_scale`."},
    {"hair", "target_ramp", "Target ramp", T::curve, "", "", 0, inf, "", false, "hair",
     "The same for target_rate; attribute `target_scale`."},
    {"hair", "cohesion", "Cohesion", T::real, "", "N/m", 0, inf, "", false, "hair",
     "Force per length with which strands that run side by side attract each other, as wet or oiled ones do; 0 is off. The weight of a strand of 80 µm is 5e-5 N/m."},
    {"hair", "cohesion_range", "Cohesion range", T::real, "", "m", tiny, 1, "", false, "hair",
     "Cohesion fades from where strands touch to this distance between their surfaces."},

    {"collider", "name", "Name", T::text, "", "", 0, 0, "", false, "",
     "Names the object in messages."},
    {"collider", "geometry", "Geometry", T::path, "", "", 0, 0, "", false, "",
     "Polygons, or a volume with signed distances (.vdb); a sequence ($F4) makes it move. Not written to the output. Not needed with `plane`."},
    {"collider", "grid", "Grid", T::text, "", "", 0, 0, "", false, "",
     "Name of the volume whose signed distance collides, where there are several, or polygons beside it."},
    {"collider", "thickness", "Thickness", T::real, "0.002", "m", 0, 1, "", false, "",
     "Half of it is kept clear around the surface, in addition to half of the cloth's thickness."},
    {"collider", "friction", "Friction", T::real, "0.4", "", 0, inf, "", false, "",
     "Coulomb coefficient at rest; a pair has the geometric mean of its two. Point attribute `friction` multiplies it."},
    {"collider", "dynamic_friction", "Dynamic friction", T::real, "", "", 0, inf, "", false, "",
     "Coulomb coefficient once it slides, at most `friction`; the same where not set."},
    {"collider", "one_sided", "One-sided", T::boolean, "false", "", 0, 1, "", false, "",
     "Pushes only outwards, along the normals of its polygons: what is behind its surface, from the start or because a fast body has swallowed it, is drawn out to the front with collision.release_speed. Planes always are."},

    {"collider.plane", "point", "Point", T::vector3, "[0, 0, 0]", "m", -inf, inf, "", true, "",
     "A point of the plane; where it moves, things on the plane are taken along by friction."},
    {"collider.plane", "normal", "Normal", T::vector3, "[0, 1, 0]", "", -inf, inf, "", true, "",
     "Direction upwards from the plane, of any length."},

    {"pair", "a", "Object", T::text, "", "", 0, 0, "", false, "",
     "Name of a cloth, solid or collider, or a pattern (`*`, `?`) that matches several; or of a part of one: a point group, or a value of `collisiongroup`."},
    {"pair", "b", "Other object", T::text, "", "", 0, 0, "", false, "",
     "Likewise; the same as `a` for contact of an object with itself."},
    {"pair", "collide", "Collide", T::boolean, "true", "", 0, 1, "", false, "",
     "Off: the two pass through each other."},
    {"pair", "friction", "Friction", T::real, "", "", 0, inf, "", false, "",
     "Coulomb coefficient at rest of this pair, in place of the mean of its two."},
    {"pair", "dynamic_friction", "Dynamic friction", T::real, "", "", 0, inf, "", false, "",
     "Coulomb coefficient of this pair once it slides, at most `friction`; the same where only `friction` is set."},

    {"attachment", "name", "Name", T::text, "", "", 0, 0, "", false, "",
     "Names the attachment in messages."},
    {"attachment", "cloth", "Cloth", T::text, "", "", 0, 0, "", false, "",
     "Object whose points are attached; not needed with `constraints`."},
    {"attachment", "group", "Group", T::text, "", "", 0, 0, "", false, "",
     "Point group of it that is attached."},
    {"attachment", "to_cloth", "To cloth", T::text, "", "", 0, 0, "", false, "",
     "Cloth that it is attached to, another one or itself: to the nearest point at the start, or with `on` to the nearest place on its surface."},
    {"attachment", "to_group", "To group", T::text, "", "", 0, 0, "", false, "",
     "Point group of that cloth; all points without it."},
    {"attachment", "to_collider", "To collider", T::text, "", "", 0, 0, "", false, "",
     "Collider whose surface it follows, from the nearest place at the start, or from the nearest place on the polygon that point attribute `attachprim` names."},
    {"attachment", "to_geometry", "To geometry", T::path, "", "", 0, 0, "", false, "",
     "Animated polygons whose surface it follows without colliding."},
    {"attachment", "constraints", "Constraints", T::path, "", "", 0, 0, "", false, "",
     "Polylines that connect points of the cloths: by number where there are as many points as in all cloths together, else the nearest ones. Primitive attribute `restlength` is used."},
    {"attachment", "on", "Attach to", T::choice, "\"points\"", "", 0, 0, "points,surface", false, "",
     "With `to_cloth`: the nearest point, or the nearest place on the surface."},
    {"attachment", "max_distance", "Reach", T::real, "", "m", 0, inf, "", false, "",
     "Points farther from what they would be attached to are left free; without it all are attached."},
    {"attachment", "rest_length", "Rest length", T::real, "", "m", 0, inf, "", false, "",
     "Without it: the distance at the start."},
    {"attachment", "rest_scale", "Rest length scale", T::real, "1", "", 0, 1e3, "", true, "",
     "Multiplies the rest length: keys reel in or let out."},
    {"attachment", "keep_offset", "Keep offset", T::boolean, "false", "", 0, 1, "", false, "",
     "On a collider or geometry: the point is held where it was as seen from its triangle, instead of at a distance."},
    {"attachment", "stiffness", "Stiffness", T::real, "1000", "N/m", 0, inf, "", true, "",
     "Of each point's spring; 0 lets go."},
    {"attachment", "stiffness_map", "Stiffness map", T::text, "", "", 0, 0, "", false, "",
     "Point attribute (primitive attribute of `constraints`) that multiplies stiffness and breaking force."},
    {"attachment", "damping", "Damping", T::real, "0.01", "s", 0, inf, "", false, "",
     "Rayleigh damping of the springs, proportional to stiffness."},
    {"attachment", "resist", "Resists", T::choice, "\"both\"", "", 0, 0, "both,stretch,compression", false, "",
     "stretch is a string that goes slack, compression a strut that only pushes."},
    {"attachment", "break_force", "Breaking force", T::real, "", "N", 0, inf, "", false, "",
     "Pull at which a point comes off for good; without it never."},
    {"attachment", "break_stretch", "Breaking stretch", T::real, "", "m", 0, inf, "", false, "",
     "Distance beyond the rest length at which it comes off for good."},

    {"seam", "name", "Name", T::text, "", "", 0, 0, "", false, "",
     "Names the seam in messages."},
    {"seam", "cloth", "Cloth", T::text, "", "", 0, 0, "", false, "",
     "Object of the first edge; not needed with `constraints`."},
    {"seam", "group", "Group", T::text, "", "", 0, 0, "", false, "",
     "Point or edge group along the first edge: connected points, open or all around."},
    {"seam", "to_cloth", "To cloth", T::text, "", "", 0, 0, "", false, "",
     "Object of the second edge; `cloth` without it."},
    {"seam", "to_group", "To group", T::text, "", "", 0, 0, "", false, "",
     "Point or edge group along the second edge. The edges are joined by length along them, so they need not have the same points."},
    {"seam", "constraints", "Constraints", T::path, "", "", 0, 0, "", false, "",
     "Polylines that say which points come together, as for attachments, instead of groups."},
    {"seam", "close", "Close", T::frame_range, "", "", -1e9, 1e9, "", false, "",
     "Frames over which the threads are drawn in; free before, held after. Without it the seam is shut from the start."},
    {"seam", "rest_length", "Final length", T::real, "0", "m", 0, inf, "", false, "",
     "What is left of the threads when it is shut. With collisions never less than thickness and half the gap."},
    {"seam", "stiffness", "Stiffness", T::real, "10000", "N/m²", 0, inf, "", true, "",
     "Per metre of seam; 0 opens it."},
    {"seam", "damping", "Damping", T::real, "0.01", "s", 0, inf, "", false, "",
     "Rayleigh damping of the threads, proportional to stiffness."},
    {"seam", "break_force", "Breaking force", T::real, "", "N/m", 0, inf, "", false, "",
     "Pull per metre of seam at which it rips; without it never."},
    {"seam", "break_stretch", "Breaking stretch", T::real, "", "m", 0, inf, "", false, "",
     "Gap beyond the threads' length at which it rips."},

    {"constraints", "name", "Name", T::text, "", "", 0, 0, "", false, "",
     "Names the constraints in messages."},
    {"constraints", "geometry", "Geometry", T::path, "", "", 0, 0, "", false, "",
     "Constraint geometry as Vellum has it: primitives whose attribute `type` says what they do (pin, attach, stitch, weld, glue, distance, …), between points that are the cloths' by `id`, by number, or the nearest. A sequence ($F4) animates `stiffness` and `restlength`; a primitive that is missing lets go."},
    {"constraints", "collider", "Collider", T::text, "", "", 0, 0, "", false, "",
     "Collider that attached points follow; without it the only one."},
    {"constraints", "stiffness", "Stiffness", T::real, "1000", "N/m", 0, inf, "", false, "",
     "Of primitives without attribute `stiffness`; pins without it are exact."},
    {"constraints", "stiffness_scale", "Stiffness scale", T::real, "1", "", 0, 1e6, "", true, "",
     "Multiplies all stiffness but that of pins; 0 lets go."},
    {"constraints", "stiffness_limit", "Stiffness limit", T::real, "1e6", "N/m", tiny, inf, "", false, "",
     "Stiffer primitives are held with this, stiffer pins exactly: Vellum's 1e10 stands for rigid."},
    {"constraints", "rest_scale", "Rest length scale", T::real, "1", "", 0, 1e3, "", true, "",
     "Multiplies rest lengths: keys reel in or let out."},
    {"constraints", "damping", "Damping", T::real, "0.01", "s", 0, inf, "", false, "",
     "Rayleigh damping of the springs, proportional to stiffness."},
    {"constraints", "break_force", "Breaking force", T::real, "", "N", 0, inf, "", false, "",
     "Pull at which a link comes off for good; without it never."},
    {"constraints", "break_stretch", "Breaking stretch", T::real, "", "m", 0, inf, "", false, "",
     "Distance beyond the rest length at which it comes off for good."},
};
// clang-format on

constexpr const char* type_names[] = {"integer", "number",    "true/false", "choice",        "text",
                                      "path",    "3 numbers", "2 frames",   "list of [x, y]"};

std::string range_text(const Parameter& p)
{
    if (p.type == T::choice) return fmt::format("{}", p.choices);
    if (p.type != T::integer && p.type != T::real) return "";
    if (p.low == -inf && p.high == inf) return "";
    if (p.high == inf) return p.low == tiny ? "> 0" : fmt::format("≥ {:g}", p.low);
    return p.low == tiny ? fmt::format("> 0, ≤ {:g}", p.high)
                         : fmt::format("{:g} … {:g}", p.low, p.high);
}

struct ScopeTitle {
    std::string_view scope, key, title;
};

constexpr ScopeTitle scopes[] = {
    {"", "", "Shot"},
    {"solver", "\"solver\": { … }", "Solver"},
    {"collision", "\"collision\": { … }", "Collisions"},
    {"preroll", "\"preroll\": { … }", "Pre-roll"},
    {"turbulence", "\"turbulence\": { … }", "Turbulence"},
    {"cloth", "\"cloth\": [ { … }, … ]", "Cloth objects"},
    {"cloth.pins", "\"pins\": { … } in a cloth object", "Pins"},
    {"cloth.pressure", "\"pressure\": { … } in a cloth object", "Pressure"},
    {"cloth.rest", "\"rest\": { … } in a cloth object", "Rest shape"},
    {"cloth.local_space", "\"local_space\": { … } in a cloth object", "Moving frame"},
    {"solid", "\"solids\": [ { … }, … ]", "Solid objects"},
    {"solid.pins", "\"pins\": { … } in a solid object", "Pins of a solid"},
    {"hair", "\"hair\": [ { … }, … ]", "Hair objects"},
    {"collider", "\"colliders\": [ { … }, … ]", "Colliders"},
    {"collider.plane", "\"plane\": { … } in a collider, in place of its geometry", "Plane"},
    {"pair", "\"pairs\": [ { … }, … ]", "Pairs"},
    {"attachment", "\"attachments\": [ { … }, … ]", "Attachments"},
    {"seam", "\"seams\": [ { … }, … ]", "Seams"},
    {"constraints", "\"constraints\": [ { … }, … ]", "Constraint geometry"},
};

} // namespace

const std::vector<Parameter>& parameter_table()
{
    static const std::vector<Parameter> all = [] {
        std::vector<Parameter> rows(std::begin(table), std::end(table));
        // Solids are pinned as cloth is.
        for (const Parameter& p : table) {
            if (p.scope != "cloth.pins") continue;
            rows.push_back(p);
            rows.back().scope = "solid.pins";
        }
        return rows;
    }();
    return all;
}

const Parameter* find_parameter(std::string_view scope, std::string_view name)
{
    for (const Parameter& p : parameter_table())
        if (p.scope == scope && p.name == name) return &p;
    return nullptr;
}

std::vector<std::string> parameter_names(std::string_view scope)
{
    std::vector<std::string> names;
    for (const Parameter& p : parameter_table())
        if (p.scope == scope) names.emplace_back(p.name);
    return names;
}

const char* type_name(ParameterType type) { return type_names[int(type)]; }

std::string parameters_markdown()
{
    std::string page = "# Parameters\n\n"
                       "Generated by `selvage parameters --markdown` from the parameter table; the "
                       "same table makes "
                       "the shot-file reader and the keys of `--set`. Where the default is empty, "
                       "the material preset "
                       "gives the value or the key is optional. *Keys* marks parameters that take "
                       "`{\"keys\": [[frame, value], …]}`, linear in between.\n";
    for (const ScopeTitle& s : scopes) {
        page += fmt::format("\n## {}\n\n", s.title);
        if (!s.key.empty()) page += fmt::format("Under `{}`.\n\n", s.key);
        page += "| key | type | default | unit | range | keys | meaning "
                "|\n|---|---|---|---|---|---|---|\n";
        for (const Parameter& p : parameter_table())
            if (p.scope == s.scope)
                page += fmt::format(
                    "| `{}` | {} | {} | {} | {} | {} | **{}.** {} |\n", p.name, type_name(p.type),
                    p.default_value.empty() ? "" : fmt::format("`{}`", p.default_value), p.unit,
                    range_text(p), p.animatable ? "yes" : "", p.label, p.help);
    }
    return page;
}

std::string parameters_json()
{
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Parameter& p : parameter_table()) {
        nlohmann::ordered_json entry = {{"scope", p.scope}, {"name", p.name},
                                        {"label", p.label}, {"type", type_name(p.type)},
                                        {"unit", p.unit},   {"animatable", p.animatable},
                                        {"help", p.help}};
        if (!p.default_value.empty())
            entry["default"] = nlohmann::ordered_json::parse(p.default_value);
        if (p.type == T::integer || p.type == T::real) {
            if (std::isfinite(p.low)) entry["low"] = p.low;
            if (std::isfinite(p.high)) entry["high"] = p.high;
        }
        if (!p.choices.empty()) entry["choices"] = p.choices;
        all.push_back(std::move(entry));
    }
    return all.dump(2);
}

} // namespace selvage
