#!/usr/bin/env python3
"""Makes the pictures of docs/materials.md: writes small shots below a folder, runs selvage on them.

    docs/pictures/materials.py build/release/bin/selvage /tmp/materials docs/pictures
"""
import json
import math
import os
import subprocess
import sys

SELVAGE, WORK, OUT = sys.argv[1:4]


def geo(path, points, polygons, tets=(), scalars={}, stopped=()):
    """Houdini's .geo; `stopped` points are pinned."""
    indices = [p for prim in list(polygons) + list(tets) for p in prim]
    primitives, rle = [], []
    for polygon in polygons:
        rle += [len(polygon), 1]
    if polygons:
        primitives.append([["type", "Polygon_run"],
                           ["startvertex", 0, "nprimitives", len(polygons), "nvertices_rle", rle]])
    if tets:
        primitives.append([["type", "Tetrahedron_run"],
                           ["startvertex", sum(map(len, polygons)), "nprimitives", len(tets)]])

    def attribute(name, size, storage, values):
        return [["scope", "public", "type", "numeric", "name", name, "options", {}],
                ["size", size, "storage", storage, "defaults",
                 ["size", 1, "storage", "fpreal64", "values", [0.0]], "values",
                 ["size", size, "storage", storage, "tuples", values]]]

    held = set(stopped)
    attributes = [attribute("P", 3, "fpreal64", points)]
    if held:
        attributes.append(attribute("stopped", 1, "int32",
                                    [[int(i in held)] for i in range(len(points))]))
    attributes += [attribute(n, 1, "fpreal64", [[x] for x in v]) for n, v in scalars.items()]
    with open(path, "w") as f:
        json.dump(["fileversion", "16.0.450", "hasindex", False, "pointcount", len(points),
                   "vertexcount", len(indices), "primitivecount", len(polygons) + len(tets),
                   "topology", ["pointref", ["indices", indices]], "attributes",
                   ["pointattributes", attributes], "primitives", primitives], f)


def point_attributes(path):
    with open(path) as f:
        data = json.load(f)
    sections = data[data.index("attributes") + 1]
    out = {}
    for head, body in sections[sections.index("pointattributes") + 1]:
        values = body[body.index("values") + 1]
        out[head[head.index("name") + 1]] = \
            values[values.index("tuples") + 1] if "tuples" in values \
            else values[values.index("arrays") + 1][0]
    return out


def run(name, shot, objects, *options):
    """Simulates, merges the last frame of the objects {name: polygons}, renders it."""
    work, last = os.path.join(WORK, name), shot["frames"][1]
    with open(os.path.join(work, "shot.json"), "w") as f:
        json.dump(shot, f)
    subprocess.run([SELVAGE, "simulate", os.path.join(work, "shot.json")], check=True)
    points, polygons, strain = [], [], []
    for o, faces in objects.items():
        frame = os.path.join(work, "sim", f"{o}.{last:04d}.bgeo.sc")
        subprocess.run([SELVAGE, "convert", frame, os.path.join(work, o + ".last.geo")], check=True)
        a = point_attributes(os.path.join(work, o + ".last.geo"))
        polygons += [[p + len(points) for p in f] for f in faces]
        points += a["P"]
        strain += a.get("sv_strain", [0.0] * len(a["P"]))
    merged = os.path.join(work, "merged.geo")
    geo(merged, points, polygons, scalars={"sv_strain": strain})
    subprocess.run([SELVAGE, "render", merged, "--size", "960x320", "--no-ground", "--out",
                    os.path.join(OUT, name + ".png"), *options], check=True)


def folder(name):
    os.makedirs(os.path.join(WORK, name), exist_ok=True)
    return os.path.join(WORK, name)


def grid(columns, rows, size, at):
    """A hanging sheet, quads, row 0 on top."""
    points = [[at + size * i / columns, -size * j / rows, 0.0]
              for j in range(rows + 1) for i in range(columns + 1)]
    return points, [[a, a + columns + 1, a + columns + 2, a + 1]
                    for j in range(rows) for a in range(j * (columns + 1), j * (columns + 1) + columns)]


def membranes():
    work, cloths, objects = folder("membranes"), [], {}
    models = ["stvk", "neo_hookean", "baraff_witkin", "arap", "spline"]
    for k, model in enumerate(models):
        points, quads = grid(16, 16, 0.5, 0.62 * k)
        geo(os.path.join(work, model + ".geo"), points, quads, stopped=[0, 16])
        cloth = {"name": model, "geometry": model + ".geo", "material": "jersey", "density": 0.8,
                 "young_warp": 30, "young_weft": 30, "shear": 8, "poisson": 0.3,
                 "membrane_model": model}
        if model == "spline":
            curve = [[0.05, 1.5], [0.1, 4], [0.2, 20], [0.3, 60]]
            cloth.update(warp_curve=curve, weft_curve=curve)
        cloths.append(cloth)
        objects[model] = quads
    run("membranes", {"selvage": 1, "fps": 5, "frames": [1, 12], "cloth": cloths}, objects,
        "--color", "sv_strain", "--range", "0", "0.6", "--azimuth", "0", "--elevation", "8")


def drape():
    work, cloths, objects, rings = folder("drape"), [], {}, 20
    fabrics = ["silk", "wool", "cotton", "denim"]
    first = [0] + [1 + 3 * k * (k - 1) for k in range(1, rings + 2)]
    for number, fabric in enumerate(fabrics):
        points, triangles = [[0.4 * number, 0.2, 0.0]], []
        for k in range(1, rings + 1):
            r = 0.15 * k / rings
            for i in range(6 * k):
                phi = math.pi * i / (3 * k)
                lift = 1e-3 * max(0, (r - 0.09) / 0.06) * math.cos(6 * phi)
                points.append([0.4 * number + r * math.cos(phi), 0.2 + lift, r * math.sin(phi)])

        def at(k, i):
            return 0 if k == 0 else first[k] + i % (6 * k)
        for k in range(1, rings + 1):
            for side in range(6):
                for i in range(k):
                    o, n = side * k + i, side * (k - 1) + i
                    triangles.append([at(k, o + 1), at(k, o), at(k - 1, n)])
                    if i + 1 < k:
                        triangles.append([at(k, o + 1), at(k - 1, n), at(k - 1, n + 1)])
        held = range(first[int(0.6 * rings) + 1])
        geo(os.path.join(work, fabric + ".geo"), points, triangles, stopped=held)
        cloths.append({"name": fabric, "geometry": fabric + ".geo", "material": fabric})
        objects[fabric] = triangles
    run("drape", {"selvage": 1, "frames": [1, 24], "cloth": cloths}, objects,
        "--azimuth", "0", "--elevation", "25")


def solids():
    work, solid_objects, objects = folder("solids"), [], {}
    models = ["stable_neo_hookean", "neo_hookean", "fixed_corotational", "arap", "stvk",
              "mooney_rivlin", "arruda_boyce", "fung"]
    nx, ny, nz, h = 8, 2, 2, 0.05

    def at(i, j, k):
        return (k * (ny + 1) + j) * (nx + 1) + i
    for number, model in enumerate(models):
        x, y = 0.6 * (number % 4), -0.35 * (number // 4)
        points = [[x + h * i, y + h * j, h * k] for k in range(nz + 1) for j in range(ny + 1)
                  for i in range(nx + 1)]
        tets, faces = [], {}
        for k in range(nz):
            for j in range(ny):
                for i in range(nx):
                    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
                        c, path = [i, j, k], [at(i, j, k)]
                        for axis in order:
                            c[axis] += 1
                            path.append(at(*c))
                        if order in ((0, 2, 1), (2, 1, 0), (1, 0, 2)):
                            path[2], path[3] = path[3], path[2]
                        tets.append(path)
                        a, b, c4, d = path
                        for f in ((b, c4, d), (a, d, c4), (a, b, d), (a, c4, b)):
                            faces.setdefault(tuple(sorted(f)), []).append(list(f))
        skin = [f[0] for f in faces.values() if len(f) == 1]
        held = [at(0, j, k) for j in range(ny + 1) for k in range(nz + 1)]
        geo(os.path.join(work, model + ".geo"), points, skin, tets, stopped=held)
        solid_objects.append({"name": model, "geometry": model + ".geo", "model": model,
                              "young": 4e4, "poisson": 0.45})
        objects[model] = skin
    run("solids", {"selvage": 1, "fps": 5, "frames": [1, 12], "solids": solid_objects}, objects,
        "--azimuth", "0", "--elevation", "10")


def animated_rest():
    work, cloths = folder("animated_rest"), []
    rings, around, frames = 37, 28, 16

    def posed(angle, shift):
        points, center, heading = [], [shift, 0.0, 0.0], 0.0
        for k in range(rings):
            for i in range(around):
                phi = 2 * math.pi * i / around
                u, w = 0.09 * math.cos(phi), 0.09 * math.sin(phi)
                points.append([center[0] - u * math.sin(heading), center[1] + u * math.cos(heading), w])
            s = (k + 0.5) / (rings - 1)
            step = 0.6 / (rings - 1)
            center = [center[0] + step * math.cos(heading), center[1] + step * math.sin(heading), 0.0]
            if 1 / 3 < s < 2 / 3:
                heading += angle * 3 / (rings - 1)
        return points
    triangles = []
    for k in range(rings - 1):
        for i in range(around):
            a, b = k * around + i, k * around + (i + 1) % around
            c, d = b + around, a + around
            triangles += [[a, b, c], [a, c, d]] if (k + i) % 2 else [[a, b, d], [b, c, d]]
    held = [r * around + i for r in (0, 1, rings - 2, rings - 1) for i in range(around)]
    for number, name in enumerate(["static", "animated"]):
        for frame in range(1, frames + 1):
            angle = 1.2 * min(1.0, (frame - 1) / 12)
            geo(os.path.join(work, f"{name}.{frame:04d}.geo"), posed(angle, 0.8 * number), triangles,
                stopped=held)
        cloth = {"name": name, "geometry": name + ".$F4.geo", "material": "vinyl",
                 "rest": {"from": "geometry"}}
        if name == "animated":
            cloth["rest"]["geometry"] = name + ".$F4.geo"
        cloths.append(cloth)
    run("animated_rest", {"selvage": 1, "fps": 12, "frames": [1, frames], "gravity": [0, 0, 0],
                          "cloth": cloths}, {"static": triangles, "animated": triangles},
        "--azimuth", "0", "--elevation", "20")


for make in (membranes, drape, solids, animated_rest):
    if len(sys.argv) == 4 or make.__name__ in sys.argv[4:]:
        make()
