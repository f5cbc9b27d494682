#pragma once

#include "plugin/houdini/helper_sop.h"

namespace selvage::houdini
{

/// Selvage Material: names the fabric that a Selvage Solver takes (primitive attribute
/// sv_material) and paints factors of its numbers.
struct MaterialWork final : HelperWork {
    static const HelperInfo info;
    void work(fpreal time) override;

private:
    void paint(const std::string& parm, const std::string& attribute, fpreal time);
};

/// Selvage Pin: marks points that follow the animation (mass, stopped or a group).
struct PinWork final : HelperWork {
    static const HelperInfo info;
    void work(fpreal time) override;
};

/// Selvage Attach/Sew: constraint geometry in Vellum's form, lines between the points to be joined
/// with type, stiffness and restlength.
struct AttachWork final : HelperWork {
    static const HelperInfo info;
    void work(fpreal time) override;
};

/// Selvage Rest Blend: rest positions between those of two inputs, and a painted weight.
struct RestBlendWork final : HelperWork {
    static const HelperInfo info;
    void work(fpreal time) override;
};

/// Selvage Check: intersections, broken numbers and stretch of any geometry.
struct CheckWork final : HelperWork {
    static const HelperInfo info;
    void work(fpreal time) override;
};

/// Selvage Transfer: carries the motion of a simulated mesh over to a denser one.
struct TransferWork final : HelperWork {
    static const HelperInfo info;
    void work(fpreal time) override;
};

} // namespace selvage::houdini
