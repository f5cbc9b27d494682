#!/usr/bin/env python3
"""Writes the parameter class that a verb's dialog script describes: what HDK's generate_proto.py does.

    generate_proto.py SOP_Star.C SOP_Star.proto.h
"""
import pathlib
import re
import sys

# type of a parameter -> (member type, what its getter returns)
TYPES = {
    "integer": "int64", "ordinal": "int64", "toggle": "bool", "float": "fpreal64", "log": "fpreal64",
    "angle": "fpreal64", "vector2": "UT_Vector2D", "vector": "UT_Vector3D", "vector3": "UT_Vector3D",
    "color": "UT_Vector3D", "direction": "UT_Vector3D", "string": "UT_StringHolder",
    "file": "UT_StringHolder", "oppath": "UT_StringHolder",
}


def parms(script):
    """(name, C++ name, type, menu tokens) of every parameter, folders or not."""
    script = re.sub(r"//[^\n]*|#[^\n]*", "", script)
    for match in re.finditer(r"\bparm\s*{", script):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(script[end], 0)
            end += 1
        body = script[match.end():end - 1]
        word = lambda key: (re.search(rf'\b{key}\s+"?([^"\s]+)', body) or [None, None])[1]
        name = word("name")
        kind = word("type")
        if kind not in TYPES:
            continue
        menu = re.search(r"\bmenu\w*\s*{(.*?)}", body, re.S)
        tokens = re.findall(r'"([^"]*)"\s*"[^"]*"', menu[1]) if menu else []
        cpp = word("cppname") or name[0].upper() + name[1:]
        yield name, cpp, kind, tokens


def main(source, target):
    text = pathlib.Path(source).read_text()
    script = re.search(r'theDsFile\s*=\s*R"\w*\((.*?)\)\w*"', text, re.S)[1]
    base = pathlib.Path(source).stem
    enums, using, members, loads, getters = [], [], [], [], []
    for name, cpp, kind, tokens in parms(script):
        member, value = f"my{cpp}", TYPES[kind]
        if kind == "ordinal" and tokens:
            items = ", ".join(re.sub(r"\W", "_", t).upper() for t in tokens)
            enums.append(f"    enum class {cpp} {{ {items} }};")
            using.append(f"    using {cpp} = {base}Enums::{cpp};")
            getters.append(f"    {cpp} get{cpp}() const {{ return {cpp}({member}); }}")
        else:
            getters.append(f"    {value} get{cpp}() const {{ return {member}; }}")
        members.append(f"    {value} {member}{{}};")
        loads.append(f'        parms.graph()->evalOpParm({member}, parms.nodeIdx(), "{name}", '
                     f"parms.context().getTime(), parms.depnode());")
    new = "\n"
    pathlib.Path(target).write_text(f"""#pragma once
// Made by generate_proto.py from {base}.C.
#include <SOP/SOP_GraphProxy.h>
#include <SOP/SOP_NodeVerb.h>
#include <UT/UT_VectorTypes.h>

namespace {base}Enums
{{
{new.join(enums)}
}}

class {base}Parms : public SOP_NodeParms
{{
public:
    static int version() {{ return 1; }}
{new.join(using)}
    void loadFromOpSubclass(const LoadParms& parms) override
    {{
{new.join(loads)}
    }}
    void copyFrom(const SOP_NodeParms* source) override
    {{
        *this = *static_cast<const {base}Parms*>(source);
    }}
{new.join(getters)}

private:
{new.join(members)}
}};
""")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
