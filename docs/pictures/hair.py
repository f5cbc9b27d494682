#!/usr/bin/env python3
"""Makes the lock, the braid and the curls of docs/hair.md: writes small shots into a folder, runs selvage on them.

    docs/pictures/hair.py build/release/bin/selvage /tmp/hair docs/pictures
"""
import json
import math
import os
import random
import subprocess
import sys

SELVAGE, WORK, OUT = sys.argv[1:4]


def curves(path, strands, width):
    """Houdini's .geo of open curves."""
    points = [p for s in strands for p in s]

    def attribute(name, size, values):
        return [["scope", "public", "type", "numeric", "name", name, "options", {}],
                ["size", size, "storage", "fpreal64", "defaults",
                 ["size", 1, "storage", "fpreal64", "values", [0.0]], "values",
                 ["size", size, "storage", "fpreal64", "tuples", values]]]

    with open(path, "w") as f:
        json.dump(["fileversion", "16.0.450", "hasindex", False, "pointcount", len(points),
                   "vertexcount", len(points), "primitivecount", len(strands),
                   "topology", ["pointref", ["indices", list(range(len(points)))]], "attributes",
                   ["pointattributes", [attribute("P", 3, points),
                                        attribute("width", 1, [[width]] * len(points))]],
                   "primitives", [[["type", "PolygonCurve_run"],
                                   ["startvertex", 0, "nprimitives", len(strands), "nvertices_rle",
                                    [x for s in strands for x in (len(s), 1)]]]]], f)


def picture(name, strands, width, hair, view=("--no-ground", "--size", "400x600"), **shot):
    """Thirty frames, and the last as a picture."""
    curves(os.path.join(WORK, name + ".geo"), strands, width)
    shot.update(selvage=1, frames=[1, 30], substeps=2, solver={"method": "hair"},
                hair=[dict(hair, name=name, geometry=name + ".geo")])
    path = os.path.join(WORK, name + ".json")
    with open(path, "w") as f:
        json.dump(shot, f)
    subprocess.run([SELVAGE, "simulate", path], check=True)
    subprocess.run([SELVAGE, "render", os.path.join(WORK, "sim", name + ".0030.bgeo.sc"),
                    *view, "--samples", "32",
                    "--out", os.path.join(OUT, f"hair_{name}.png")], check=True)


def lock():
    """Helices of five turns, nearly in phase."""
    random.seed(3)
    strands = []
    for _ in range(40):
        phase, r = 0.25 * random.gauss(0, 1), 0.004 * math.sqrt(random.random())
        around = 2 * math.pi * random.random()
        radius = 0.011 * (1 + 0.06 * random.gauss(0, 1))
        strand = []
        for i in range(70):
            t = i / 69
            a, w = 2 * math.pi * 5 * t + phase, radius * min(1, 4 * t)
            strand.append([r * math.cos(around) + w * math.cos(a), 0.25 - 0.22 * t,
                           r * math.sin(around) + w * math.sin(a)])
        strands.append(strand)
    picture("lock", strands, 2e-4, {"material": "hair_curly", "drag": 0.2}, wind=[0.4, 0, 0])


def braid():
    """Three bundles of seven, each on a figure of eight a third of a period apart."""
    strands = []
    for k in range(3):
        for j in range(7):
            r, angle = (0 if j == 6 else 0.0022), 2 * math.pi * j / 6
            strand = []
            for i in range(90):
                s = 0.3 * i / 89
                a = 2 * math.pi * (s / 0.1 + k / 3)
                strand.append([0.012 * math.sin(a) + r * math.cos(angle), 0.35 - s,
                               0.006 * math.sin(2 * a) + r * math.sin(angle)])
            strands.append(strand)
    picture("braid", strands, 1.8e-3, {"material": "yarn", "roots": "both_ends", "sag_free": False})


def curls():
    """Seven locks of sixty in a row, helices of three turns."""
    random.seed(5)
    strands = []
    for lock_number in range(7):
        turn = 0.7 * lock_number
        for _ in range(60):
            phase, r = turn + 0.15 * random.gauss(0, 1), 0.008 * math.sqrt(random.random())
            around = 2 * math.pi * random.random()
            radius = 0.012 * (1 + 0.08 * random.gauss(0, 1))
            x, z = 0.06 * lock_number + r * math.cos(around), r * math.sin(around)
            strand = []
            for i in range(48):
                t = i / 47
                a, w = 2 * math.pi * 3 * t + phase, radius * min(1, 4 * t)
                strand.append([x + w * (math.cos(a) - math.cos(phase)), 0.3 - 0.2 * t,
                               z + w * (math.sin(a) - math.sin(phase))])
            strands.append(strand)
    picture("curls", strands, 1.6e-4, {"material": "hair_curly", "drag": 0.3},
            view=("--size", "960x540"), wind=[0.7, 0, 0])


os.makedirs(WORK, exist_ok=True)
lock()
braid()
curls()
