"""Fabric presets of the Selvage Solver: presets/selvage/*.json of the package and of the user.

    import selvage_presets
    selvage_presets.apply(hou.node("/obj/geo1/solver"), "denim")
    selvage_presets.save(hou.node("/obj/geo1/solver"), "my_denim")

Not run in Houdini where Selvage is tested; written from the documentation of `hou`.
"""
import json
import os

import hou


def folders():
    """Where presets lie: the user's own hide the package's."""
    user = os.path.join(hou.getenv("HOUDINI_USER_PREF_DIR", ""), "presets", "selvage")
    package = os.path.join(hou.getenv("SELVAGE_HOUDINI", ""), "presets", "selvage")
    return [user, package]


def names():
    found = set()
    for folder in folders():
        if os.path.isdir(folder):
            found.update(name[:-5] for name in os.listdir(folder) if name.endswith(".json"))
    return sorted(found)


def read(name):
    for folder in folders():
        path = os.path.join(folder, name + ".json")
        if os.path.isfile(path):
            with open(path) as file:
                return json.load(file)
    raise hou.Error("There is no preset '%s'. There are: %s." % (name, ", ".join(names())))


def apply(node, name):
    """Sets every value of the fabric; parameters that the node lacks are passed over."""
    for parm_name, value in read(name)["parms"].items():
        parm = node.parm(parm_name)
        if parm is not None:
            parm.set(value)


def save(node, name, label=None):
    """Keeps the node's present fabric as a preset of the user."""
    known = read("cotton")["parms"]
    parms = {n: (node.parm(n).evalAsString() if n == "material" else node.parm(n).eval())
             for n in known if node.parm(n) is not None}
    os.makedirs(folders()[0], exist_ok=True)
    with open(os.path.join(folders()[0], name + ".json"), "w") as file:
        json.dump({"label": label or name, "source": "user", "parms": parms}, file, indent=2)


def choose():
    """The shelf tool: asks for a preset and sets it on the selected solvers."""
    nodes = [n for n in hou.selectedNodes() if n.parm("material") is not None]
    if not nodes:
        hou.ui.displayMessage("Select a Selvage Solver first.")
        return
    all_names = names()
    chosen = hou.ui.selectFromList([read(n)["label"] for n in all_names], exclusive=True,
                                   title="Selvage presets")
    for index in chosen:
        for node in nodes:
            apply(node, all_names[index])
