#include "plugin/houdini/register.h"

#include "plugin/houdini/SOP_SelvageSolver.h"
#include "plugin/houdini/helper_nodes.h"

#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>

namespace selvage::houdini
{

void add_sop_operators(OP_OperatorTable& table)
{
    auto* solver = new OP_Operator("selvage_solver", "Selvage Solver", SOP_SelvageSolver::create,
                                   SOP_SelvageSolver::templates(), 1, input_count, nullptr, 0,
                                   SOP_SelvageSolver::input_labels);
    solver->setIconName("SOP_selvage_solver");
    solver->setOpTabSubMenuPath("Selvage");
    table.addOperator(solver);
    add_helper<MaterialWork>(table);
    add_helper<PinWork>(table);
    add_helper<AttachWork>(table);
    add_helper<RestBlendWork>(table);
    add_helper<CheckWork>(table);
    add_helper<TransferWork>(table);
}

} // namespace selvage::houdini
