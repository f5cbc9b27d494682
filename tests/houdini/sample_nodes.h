#pragma once

class OP_OperatorTable;

// Small nodes of our own that use as much of the HDK as SideFX's public samples do, so that the
// stand-in is known to be wide enough for them.
void add_ring_node(OP_OperatorTable& table);     ///< "test_ring": verb and generated parameters
void add_classic_nodes(OP_OperatorTable& table); ///< "test_ripple", "test_lag", "test_comb"
void add_simulation_data();                      ///< SIM_TestStrands, SIM_TestMix
