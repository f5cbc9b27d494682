#pragma once

#include "core/model/state.h"
#include "plugin/houdini/dop_colliders.h"
#include "plugin/houdini/geometry_input.h"

#include <SIM/SIM_Data.h>

#include <memory>

namespace selvage::houdini
{

/// What the next step of an object depends on, apart from its geometry. DOPs keep a frame by
/// copying data with makeEqual: a snapshot is never changed once made, so copies may share it and
/// scrubbing back brings back exactly what was there. Simulation files hold all of it.
class SIM_SelvageState : public SIM_Data
{
public:
    struct Snapshot {
        int step = 0;
        State state;
        ObjectKind kind = ObjectKind::cloth;
        bool coupled = false; ///< open curves are hair beside what `kind` says
        bool rooted = false;  ///< curves grow on what collides, and nothing else drives them
        std::string material, hair_material; ///< from Selvage Material; empty: the parameter
        // Geometry is in the world's space, and null where there is none.
        std::shared_ptr<const Geometry> start;       ///< the object's when it was made
        std::shared_ptr<const Geometry> targets;     ///< of pins and roots, at this step
        std::shared_ptr<const Geometry> constraints; ///< when it was made
        std::shared_ptr<const Geometry> start_rest;  ///< the rest shape when it was made
        std::shared_ptr<const Geometry> rest;        ///< at this step
        DopColliders colliders;                      ///< at this step
        /// The same where each was when it came, those that came later well out of the way.
        std::shared_ptr<const Geometry> start_colliders;
    };
    std::shared_ptr<const Snapshot> snapshot;
    /// Keeps it, and tells DOPs that the data has changed, as its size in their cache.
    void keep(std::shared_ptr<const Snapshot> s)
    {
        snapshot = std::move(s);
        handleModification();
    }

    static const char* data_name() { return "SelvageState"; }

protected:
    explicit SIM_SelvageState(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void saveSubclass(std::ostream& out) const override;
    bool loadSubclass(UT_IStream& in) override;
    int64 getMemorySizeSubclass() const override;

private:
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_SelvageState, SIM_Data, "Selvage State", getEmptyDopDescription());
};

} // namespace selvage::houdini
