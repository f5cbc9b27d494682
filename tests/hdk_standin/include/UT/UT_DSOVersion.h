#pragma once
// Real plugins carry the version of the HDK they were compiled with; include this once per library.
#include <SYS/SYS_Types.h>
#include <SYS/SYS_Version.h>

class OP_OperatorTable;
extern "C" {
SYS_VISIBILITY_EXPORT inline const char* HoudiniDSOVersion() { return SYS_VERSION_RELEASE; }
}
// The hooks that Houdini looks up by name in a plugin.
SYS_VISIBILITY_EXPORT extern void newSopOperator(OP_OperatorTable* table);
SYS_VISIBILITY_EXPORT extern void newDopOperator(OP_OperatorTable* table);
SYS_VISIBILITY_EXPORT extern void newObjectOperator(OP_OperatorTable* table);
SYS_VISIBILITY_EXPORT extern void initializeSIM(void*);
