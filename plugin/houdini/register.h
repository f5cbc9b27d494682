#pragma once

class OP_OperatorTable;

namespace selvage::houdini
{

/// Adds every node of the plugin; what newSopOperator calls.
void add_sop_operators(OP_OperatorTable& table);

} // namespace selvage::houdini
