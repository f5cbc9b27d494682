#pragma once

/// What a node selects: the names that nodes up to Houdini 15 use where later ones have
/// GA_GroupType.
enum GU_SelectionType { GU_SPrimitive, GU_SPoint, GU_SVertex, GU_SEdge };
