#pragma once
/// Maps a variable's name to the index that evalVariableValue gets; the table ends with {0, 0, 0}.
struct CH_LocalVariable {
    const char* name;
    int index;
    int flags;
};
#define CH_STRING_VALUE 1
