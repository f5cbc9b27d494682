// The entry points that Houdini looks up; nothing else of the library is visible to it.
#include "plugin/houdini/SIM_SelvageSolver.h"
#include "plugin/houdini/register.h"

#include <OP/OP_OperatorTable.h>
#include <UT/UT_DSOVersion.h>

void newSopOperator(OP_OperatorTable* table) { selvage::houdini::add_sop_operators(*table); }

void initializeSIM(void*)
{
    using namespace selvage::houdini;
    IMPLEMENT_DATAFACTORY(SIM_SelvageState);
    IMPLEMENT_DATAFACTORY(SIM_SelvageSolver);
}
