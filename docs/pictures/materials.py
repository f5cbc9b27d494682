#!/usr/bin/env python3
"""Makes the pictures of docs/materials.md and docs/forces.md: writes small shots below a folder, runs selvage on them.

    docs/pictures/materials.py build/release/bin/selvage /tmp/materials docs/pictures
"""
import json
import math
import os
import subprocess
import sys

SELVAGE, WORK, OUT = sys.argv[1:4]


def geo(path, points, polygons, tets=(), scalars={}, vectors={}, stopped=(), groups={}):
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
    attributes += [attribute(n, 3, "fpreal64", v) for n, v in vectors.items()]
    with open(path, "w") as f:
        json.dump(["fileversion", "16.0.450", "hasindex", False, "pointcount", len(points),
                   "vertexcount", len(indices), "primitivecount", len(polygons) + len(tets),
                   "topology", ["pointref", ["indices", indices]], "attributes",
                   ["pointattributes", attributes], "primitives", primitives, "pointgroups",
                   [[["name", n], ["selection", ["unordered", ["boolRLE", [
                       x for i in range(len(points)) for x in (1, i in set(members))]]]]]
                    for n, members in groups.items()]], f)


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


def simulate(name, shot):
    with open(os.path.join(WORK, name, "shot.json"), "w") as f:
        json.dump(shot, f)
    subprocess.run([SELVAGE, "simulate", os.path.join(WORK, name, "shot.json")], check=True)


def frame_of(name, item, frame):
    """Point attributes of a simulated object at a frame."""
    work = os.path.join(WORK, name)
    text = os.path.join(work, f"{item}.{frame}.geo")
    subprocess.run([SELVAGE, "convert",
                    os.path.join(work, "sim", f"{item}.{frame:04d}.bgeo.sc"), text], check=True)
    return point_attributes(text)


def render(name, parts, *options):
    """One picture of parts (points, polygons, strain)."""
    points, polygons, strain = [], [], []
    for at, faces, values in parts:
        polygons += [[p + len(points) for p in f] for f in faces]
        points += at
        strain += values
    merged = os.path.join(WORK, name, "merged.geo")
    geo(merged, points, polygons, scalars={"sv_strain": strain})
    subprocess.run([SELVAGE, "render", merged, "--size", "960x320", "--no-ground", "--out",
                    os.path.join(OUT, name + ".png"), *options], check=True)


def run(name, shot, objects, *options):
    """Simulates, merges the last frame of the objects {name: polygons}, renders it."""
    simulate(name, shot)
    parts = []
    for o, faces in objects.items():
        a = frame_of(name, o, shot["frames"][1])
        parts.append((a["P"], faces, a.get("sv_strain", [0.0] * len(a["P"]))))
    render(name, parts, *options)


def folder(name):
    os.makedirs(os.path.join(WORK, name), exist_ok=True)
    return os.path.join(WORK, name)


def grid(columns, rows, size, at):
    """A hanging sheet, quads, row 0 on top."""
    points = [[at + size * i / columns, -size * j / rows, 0.0]
              for j in range(rows + 1) for i in range(columns + 1)]
    return points, [[a, a + columns + 1, a + columns + 2, a + 1]
                    for j in range(rows) for a in range(j * (columns + 1), j * (columns + 1) + columns)]


LAWS = ["stvk", "neo_hookean", "baraff_witkin", "arap", "spline"]


def law_cloth(name, model, **more):
    cloth = {"name": name, "geometry": name + ".geo", "material": "jersey", "density": 0.8,
             "young_warp": 30, "young_weft": 30, "shear": 8, "poisson": 0.3,
             "membrane_model": model, **more}
    if model == "spline":
        curve = [[0.05, 1.5], [0.1, 4], [0.2, 20], [0.3, 60]]
        cloth.update(warp_curve=curve, weft_curve=curve)
    return cloth


def membranes():
    work, cloths, objects = folder("membranes"), [], {}
    for k, model in enumerate(LAWS):
        points, quads = grid(16, 16, 0.5, 0.62 * k)
        geo(os.path.join(work, model + ".geo"), points, quads, stopped=[0, 16])
        cloths.append(law_cloth(model, model))
        objects[model] = quads
    run("membranes", {"selvage": 1, "fps": 5, "frames": [1, 12], "cloth": cloths}, objects,
        "--color", "sv_strain", "--range", "0", "0.6", "--azimuth", "0", "--elevation", "8")


def membrane(model):
    """Pulled along the warp, skewed, and with a weight in its middle."""
    name, n, size = "membrane_" + model, 16, 0.5
    work, cloths, objects = folder(name), [], {}
    for k, case in enumerate(["pulled", "skewed", "loaded"]):
        points, quads = grid(n, n, size, 0.95 * k)
        low = range(n * (n + 1), (n + 1) * (n + 1))
        ends = list(range(n + 1)) + list(low)
        rim = ends + [j * (n + 1) + i for j in range(n + 1) for i in (0, n)]
        for frame in range(1, 13):
            t, moved = min(1.0, (frame - 1) / 8), [list(p) for p in points]
            for p in low:
                moved[p][0] += 0.25 * t * (case == "skewed")
                moved[p][1] -= 0.25 * t * (case == "pulled")
            weight = [1e-3 if case != "loaded" or math.dist(p, points[(n // 2) * (n + 2)]) > 0.08
                      else 0.02 for p in points]
            geo(os.path.join(work, f"{case}.{frame:04d}.geo"), moved, quads,
                stopped=rim if case == "loaded" else ends, scalars={"mass": weight})
        cloth = law_cloth(case, model, geometry=case + ".$F4.geo")
        cloth["rest"] = {"from": "geometry"}
        cloths.append(cloth)
        objects[case] = quads
    run(name, {"selvage": 1, "fps": 12, "frames": [1, 12], "gravity": [0, 0, 9.81],
               "collision": {"enabled": False}, "cloth": cloths}, objects,
        "--color", "sv_strain", "--range", "0", "0.6", "--azimuth", "25", "--elevation", "12")


def sheet(columns, rows, width, depth, at, height=0.0):
    """A lying sheet, triangles with diagonals alike, row 0 at z = 0, `at` its place in x."""
    points = [[at + width * i / columns, height, depth * j / rows]
              for j in range(rows + 1) for i in range(columns + 1)]
    faces = []
    for j in range(rows):
        for i in range(columns):
            a = j * (columns + 1) + i
            b, c, d = a + 1, a + columns + 2, a + columns + 1
            faces += [[a, c, b], [a, d, c]]
    return points, faces


def bending():
    """Sheets that stick out from a table's edge."""
    work, cloths, objects = folder("bending"), [], {}
    for k, bend in enumerate([1e-6, 1e-5, 1e-4, 1e-3]):
        name = f"bend{k}"
        points, faces = sheet(12, 30, 0.1, 0.25, 0.16 * k, 0.25)
        geo(os.path.join(work, name + ".geo"), points, faces,
            stopped=[p for p in range(len(points)) if points[p][2] < 0.03])
        cloths.append({"name": name, "geometry": name + ".geo", "material": "cotton",
                       "bend_warp": bend, "bend_weft": bend})
        objects[name] = faces
    run("bending", {"selvage": 1, "fps": 12, "frames": [1, 30], "cloth": cloths}, objects,
        "--azimuth", "40", "--elevation", "15")


def bent_strip(points, held, angle):
    """Rows at the ends of a strip turned as if it were bent to an arc."""
    length, out = points[-1][2], [list(p) for p in points]
    radius = length / angle if angle else 0
    for p in held:
        x, y, z = points[p]
        if angle:
            phi = angle * (z / length - 0.5)
            out[p] = [x, y + radius * (math.cos(phi) - 1), 0.5 * length + radius * math.sin(phi)]
    return out


def plates():
    """Strips bent to an arc at their ends; the sides are free to curl."""
    work, cloths, objects = folder("plates"), [], {}
    for k, poisson in enumerate([0.0, 0.25, 0.45]):
        name = f"plate{k}"
        points, faces = sheet(14, 42, 0.1, 0.3, 0.2 * k)
        held = [p for p in range(len(points)) if not 0.01 < points[p][2] < 0.29]
        for frame in range(1, 17):
            geo(os.path.join(work, f"{name}.{frame:04d}.geo"),
                bent_strip(points, held, 2.2 * min(1.0, (frame - 1) / 12)), faces, stopped=held)
        cloths.append({"name": name, "geometry": name + ".$F4.geo", "material": "vinyl",
                       "bending_model": "shape", "bend_poisson": poisson, "bend_warp": 0.1,
                       "bend_weft": 0.1, "rest": {"from": "geometry"}})
        objects[name] = faces
    run("plates", {"selvage": 1, "fps": 12, "frames": [1, 16], "gravity": [0, 0, 0],
                   "cloth": cloths}, objects, "--color", "P.y", "--azimuth", "0", "--elevation", "30")


def creases():
    """Folded over, held for a second and let go, with three yield rates; seen from the side."""
    work, cloths, objects, n = folder("creases"), [], {}, 24
    for k, rate in enumerate([0, 0.5, 20]):
        name = f"crease{k}"
        points, faces = sheet(10, n, 0.15, 0.3, 0)
        fixed = [p for p in range(len(points)) if points[p][2] < 0.12]
        lid = [p for p in range(len(points)) if points[p][2] > 0.19]
        for frame in range(1, 97):
            turn, moved = 2.7 * min(1.0, (frame - 1) / 18), [list(p) for p in points]
            for p in lid:
                z = points[p][2] - 0.155
                moved[p] = [points[p][0], z * math.sin(turn), 0.155 + z * math.cos(turn)]
            geo(os.path.join(work, f"{name}.{frame:04d}.geo"),
                [[z + 0.45 * k, y, x] for x, y, z in moved], faces, stopped=fixed,
                groups={"lid": lid})
        cloths.append({"name": name, "geometry": name + ".$F4.geo", "material": "linen",
                       "yield_angle": 0.1, "yield_rate": rate, "rest": {"from": "geometry"},
                       "pins": {"group": "lid", "stiffness": 5,
                                "strength": {"keys": [[1, 1], [42, 1], [43, 0]]}}})
        objects[name] = faces
    run("creases", {"selvage": 1, "fps": 24, "frames": [1, 96], "gravity": [0, 0, 0],
                    "cloth": cloths}, objects, "--azimuth", "10", "--elevation", "20")


def limits():
    """A soft, heavy sheet hung by its corners, with and without limits."""
    work, cloths, objects = folder("limits"), [], {}
    for k, limit in enumerate([{}, {"stretch_limit": 0.05}, {"stretch_limit_warp": 0.05},
                               {"stretch_limit_weft": 0.05}, {"stretch_limit_shear": 0.1}]):
        name = f"limit{k}"
        points, quads = grid(16, 16, 0.5, 0.62 * k)
        geo(os.path.join(work, name + ".geo"), points, quads, stopped=[0, 16])
        cloths.append(law_cloth(name, "stvk", density=0.4, **limit))
        objects[name] = quads
    run("limits", {"selvage": 1, "fps": 5, "frames": [1, 12], "cloth": cloths}, objects,
        "--color", "sv_strain", "--range", "0", "0.4", "--azimuth", "0", "--elevation", "8")


def painting():
    """Stiffness and growth painted on parts of a cloth that hangs in the wind."""
    work, cloths, objects, n = folder("painting"), [], {}, 36
    def hem(v):
        return max(0.0, (v - 0.75) / 0.25)
    maps = {"plain": lambda v: {},
            "ruffle": lambda v: {"rest_scale": 1 + 0.5 * hem(v)},
            "stiff": lambda v: {"rest_scale": 1 + 0.5 * hem(v), "bend_scale": 1 + 200 * hem(v)}}
    for k, (name, painted) in enumerate(maps.items()):
        points, quads = grid(n, n, 0.5, 0.65 * k)
        left, top = 0.65 * k, max(p[1] for p in points)
        scalars = {}
        for p in points:
            u, v = (p[0] - left) / 0.5, (top - p[1]) / 0.5
            p[2] += 0.002 * v * math.sin(25 * u)  # where to fold
            for attribute, value in painted(v).items():
                scalars.setdefault(attribute, []).append(value)
        held = [i for i, p in enumerate(points) if p[1] > top - 1e-6]
        geo(os.path.join(work, name + ".geo"), points, quads, stopped=held[::4], scalars=scalars)
        cloths.append({"name": name, "geometry": name + ".geo", "material": "cotton"})
        objects[name] = quads
    run("painting", {"selvage": 1, "fps": 24, "frames": [1, 36], "wind": [0, 0, -0.8],
                     "cloth": cloths}, objects, "--azimuth", "25", "--elevation", "8")


def collar():
    """A jacket's collar, the seam at the neck held, of three materials."""
    work, cloths, objects, columns = folder("collar"), [], {}, 48
    profile = [(0.07, 0.006 * j) for j in range(11)]
    profile += [(0.076 - 0.006 * math.cos(math.pi * j / 6), 0.06 + 0.006 * math.sin(math.pi * j / 6))
                for j in range(1, 6)]
    profile += [(0.082 + 0.003 * j, 0.066 - 0.006 * j) for j in range(1, 13)]
    for k, fabric in enumerate(["leather", "wool", "silk"]):
        points, faces = [], []
        for r, y in profile:
            for i in range(columns + 1):
                phi = (i - columns / 2) * 5.0 / columns
                points.append([0.33 * k + r * math.sin(phi), y, -r * math.cos(phi)])
        for j in range(len(profile) - 1):
            for i in range(columns):
                a = j * (columns + 1) + i
                b, c, d = a + 1, a + columns + 2, a + columns + 1
                faces += [[a, b, d], [b, c, d]] if (i + j) % 2 else [[a, b, c], [a, c, d]]
        geo(os.path.join(work, fabric + ".geo"), points, faces, stopped=range(2 * (columns + 1)))
        cloths.append({"name": fabric, "geometry": fabric + ".geo", "material": fabric})
        objects[fabric] = faces
    run("collar", {"selvage": 1, "fps": 24, "frames": [1, 48], "cloth": cloths}, objects,
        "--azimuth", "0", "--elevation", "25")


def damping():
    """Strips bent up, let go and seen every fifth of a swing: a row per damping ratio."""
    work, cloths, parts, n = folder("damping"), [], [], 20
    release, fps = 25, 50
    length, density, rigidity = 0.2, 0.62, 0.02
    frequency = 3.516 / (2 * math.pi * length ** 2) * math.sqrt(rigidity / density)
    ratios = {"rings": 0, "calm": 0.1, "critical": 1}
    polygons = {}
    for name, ratio in ratios.items():
        points, faces = sheet(n, 6, length, 0.08, 0)
        fixed = [p for p in range(len(points)) if points[p][0] < 0.011]
        tip = [p for p in range(len(points)) if points[p][0] > length - 0.001]
        for frame in range(1, release + fps + 1):
            t, moved = min(1.0, (frame - 1) / 15), [list(p) for p in points]
            for p in tip:
                moved[p][0] -= 0.02 * t
                moved[p][1] += 0.08 * t
            geo(os.path.join(work, f"{name}.{frame:04d}.geo"), moved, faces, stopped=fixed,
                groups={"tip": tip})
        cloths.append({"name": name, "geometry": name + ".$F4.geo", "material": "vinyl",
                       "bend_warp": rigidity, "bend_weft": rigidity, "drag_normal": 0,
                       "drag_tangent": 0, "stretch_damping": 0.1, "bend_damping": ratio,
                       "damping_frequency": frequency, "rest": {"from": "geometry"},
                       "pins": {"group": "tip", "stiffness": 200,
                                "strength": {"keys": [[1, 1], [release, 1], [release + 0.01, 0]]}}})
        polygons[name] = faces
    simulate("damping", {"selvage": 1, "fps": fps, "frames": [1, release + fps], "substeps": 4,
                         "gravity": [0, 0, 0], "solver": {"integrator": "bdf2"},
                         "collision": {"enabled": False}, "cloth": cloths})
    print(f"swings at {frequency:.2f} Hz")
    for row, name in enumerate(ratios):
        for column in range(8):
            frame = release + round(column * fps / (5 * frequency))
            x = frame_of("damping", name, frame)["P"]
            parts.append(([[p[0] + 0.25 * column, p[1] - 0.24 * row, p[2]] for p in x],
                          polygons[name], [0.0] * len(x)))
    render("damping", parts, "--azimuth", "0", "--elevation", "20")


def pressure():
    """The same pillow, flat at rest, with more and more air."""
    work, cloths, objects, n, size = folder("pressure"), [], {}, 28, 0.4
    for k, pascal in enumerate([10, 60, 400]):
        points, top = sheet(n, n, size, size, 0.52 * k)
        for j in range(n):  # diagonals into the corners
            for i in range(n):
                if (i < n // 2) != (j < n // 2):
                    a = j * (n + 1) + i
                    b, c, d = a + 1, a + n + 2, a + n + 1
                    top[2 * (j * n + i):2 * (j * n + i) + 2] = [[a, d, b], [b, d, c]]
        for p in points:
            u, v = (p[0] - 0.52 * k) / size, p[2] / size
            p[1] = 0.01 * math.sin(math.pi * u) * math.sin(math.pi * v)
        below, bottom = {}, []
        for i, p in enumerate(list(points)):
            rim = i % (n + 1) in (0, n) or i // (n + 1) in (0, n)
            below[i] = i if rim else len(points)
            if not rim:
                points.append([p[0], -p[1], p[2]])
        bottom = [[below[a], below[c], below[b]] for a, b, c in top]
        name = f"pillow{k}"
        geo(os.path.join(work, name + ".geo"), points, top + bottom)
        cloths.append({"name": name, "geometry": name + ".geo", "material": "cotton",
                       "mass_damping": 2, "pressure": {"model": "constant", "pressure": {
                           "keys": [[1, 0], [18, pascal]]}}})
        objects[name] = top + bottom
    run("pressure", {"selvage": 1, "fps": 24, "frames": [1, 36], "gravity": [0, 0, 0],
                     "cloth": cloths}, objects, "--azimuth", "15", "--elevation", "38")


def links():
    """Sheets that hang from a bar by links: short, of elastic, and of threads that break."""
    work, cloths, attachments, parts = folder("links"), [], [], []
    n, size, frame = 16, 0.4, 30
    kinds = {"short": {"stiffness": 500},
             "elastic": {"stiffness": 3, "rest_length": 0.02},
             "breaking": {"stiffness": 500, "break_force": 0.25, "stiffness_map": "hold"}}
    bar, box = [], [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4],
                    [1, 5, 7, 3]]
    for k, (name, law) in enumerate(kinds.items()):
        points, quads = grid(n, n, size, 0.5 * k)
        mass = [0.15 * (size / n) ** 2] * len(points)
        for corner in ((n + 1) * (n + 1) - 1, (n + 1) * (n + 1) - 2):
            mass[corner] = 0.03  # a weight in the lower right corner
        hold = [20.0 if p[0] < 0.5 * k + 0.6 * size else 1.0 for p in points]
        geo(os.path.join(work, name + ".geo"), points, quads, scalars={"mass": mass, "hold": hold},
            groups={"edge": range(0, n + 1, 2)})
        cloths.append({"name": name, "geometry": name + ".geo", "material": "cotton"})
        attachments.append({"name": name, "cloth": name, "group": "edge",
                            "to_geometry": "bar.geo", **law})
    for i in (0, 1):
        for j in (0, 1):
            for k in (0, 1):
                bar.append([-0.03 + i * (1.0 + size + 0.06), 0.03 + 0.015 * j, -0.0075 + 0.015 * k])
    geo(os.path.join(work, "bar.geo"), bar, box)
    simulate("links", {"selvage": 1, "fps": 24, "frames": [1, frame], "cloth": cloths,
                       "attachments": attachments})
    for k, name in enumerate(kinds):
        x = frame_of("links", name, frame)["P"]
        parts.append((x, grid(n, n, size, 0.5 * k)[1], [0.0] * len(x)))
    parts.append((bar, box, [0.0] * 8))
    render("links", parts, "--azimuth", "0", "--elevation", "5")


def wind():
    """Flags in the same turbulent wind: without drag, with drag, with lift as well."""
    work, cloths, objects, n = folder("wind"), [], {}, 26
    for k, air in enumerate([{"drag_normal": 0, "drag_tangent": 0}, {"drag_normal": 1.28},
                             {"drag_normal": 1.28, "lift": 1}]):
        points, quads = grid(n, n, 0.5, 0.7 * k)
        name = f"flag{k}"
        geo(os.path.join(work, name + ".geo"), points, quads,
            stopped=[j * (n + 1) for j in range(n + 1)])
        cloths.append({"name": name, "geometry": name + ".geo", "material": "flag", **air})
        objects[name] = quads
    run("wind", {"selvage": 1, "fps": 24, "frames": [1, 40], "substeps": 2, "wind": [4, 0, 0.5],
                 "turbulence": {"amplitude": 1, "scale": 0.6}, "cloth": cloths}, objects,
        "--azimuth", "15", "--elevation", "12")


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


def block(nx, ny, nz, h, x, y):
    """Points, skin, tetrahedra and the end at x of a block of cubes."""
    def at(i, j, k):
        return (k * (ny + 1) + j) * (nx + 1) + i
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
    return points, skin, tets, [at(0, j, k) for j in range(ny + 1) for k in range(nz + 1)]


SOLID_LAWS = ["stable_neo_hookean", "neo_hookean", "fixed_corotational", "arap", "stvk",
              "mooney_rivlin", "arruda_boyce", "fung"]


def solids():
    work, solid_objects, objects = folder("solids"), [], {}
    for number, model in enumerate(SOLID_LAWS):
        points, skin, tets, held = block(8, 2, 2, 0.05, 0.6 * (number % 4), -0.35 * (number // 4))
        geo(os.path.join(work, model + ".geo"), points, skin, tets, stopped=held)
        solid_objects.append({"name": model, "geometry": model + ".geo", "model": model,
                              "young": 4e4, "poisson": 0.45})
        objects[model] = skin
    run("solids", {"selvage": 1, "fps": 5, "frames": [1, 12], "solids": solid_objects}, objects,
        "--azimuth", "0", "--elevation", "10")


def worked_block(name, **material):
    """A block of 12 x 12 x 24 cm held at both ends: squashed to 0.55 of its length, pulled to 1.7,
    twisted by 150 degrees."""
    work, solid_objects, objects = folder(name), [], {}
    for case, at in {"squashed": 0, "pulled": 0.25, "twisted": 0.8}.items():
        points, skin, tets, low = block(8, 4, 4, 0.03, at, 0)
        high = [i for i, p in enumerate(points) if p[0] > at + 0.239]
        for frame in range(1, 17):
            t, moved = min(1.0, (frame - 1) / 11), [list(p) for p in points]
            angle = math.radians(150) * t * (case == "twisted")
            for i in high:
                x, y, z = points[i]
                moved[i] = [x + 0.24 * t * {"pulled": 0.7, "squashed": -0.45, "twisted": 0}[case],
                            0.06 + math.cos(angle) * (y - 0.06) - math.sin(angle) * (z - 0.06),
                            0.06 + math.sin(angle) * (y - 0.06) + math.cos(angle) * (z - 0.06)]
            geo(os.path.join(work, f"{case}.{frame:04d}.geo"), moved, skin, tets,
                stopped=low + high)
        solid_objects.append({"name": case, "geometry": case + ".$F4.geo", "young": 4e4,
                              "poisson": 0.45, **material})
        objects[case] = skin
    run(name, {"selvage": 1, "fps": 12, "frames": [1, 16], "gravity": [0, 0, 0],
               "collision": {"enabled": False}, "solids": solid_objects}, objects,
        "--azimuth", "20", "--elevation", "14")


def fibers():
    """A rope-like block that hangs by one end: without fibres, with them along it."""
    work, solid_objects, objects = folder("fibers"), [], {}
    for k, stiffness in enumerate([0, 1e5, 1e6]):
        name = f"fibers{k}"
        points, skin, tets, held = block(10, 2, 2, 0.04, 0.6 * k, 0)
        geo(os.path.join(work, name + ".geo"), points, skin, tets, stopped=held,
            vectors={"fiber": [[1.0, 0.0, 0.0]] * len(points)})
        solid_objects.append({"name": name, "geometry": name + ".geo", "young": 2e4,
                              "poisson": 0.45, "fiber_stiffness": stiffness})
        objects[name] = skin
    run("fibers", {"selvage": 1, "fps": 5, "frames": [1, 12], "solids": solid_objects}, objects,
        "--azimuth", "0", "--elevation", "10")


def curvature_change(triangles, a, b):
    """[1/m] RMS over edges of the mean curvature's difference between two poses of the points."""
    def minus(p, q):
        return [p[i] - q[i] for i in range(3)]

    def cross(p, q):
        return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]

    def dot(p, q):
        return sum(x * y for x, y in zip(p, q))

    def angle(x, i, j, k, l):
        e = minus(x[j], x[i])
        n, m = cross(e, minus(x[k], x[i])), cross(minus(x[l], x[i]), e)
        length = math.sqrt(dot(e, e))
        area = 0.5 * (math.sqrt(dot(n, n)) + math.sqrt(dot(m, m)))
        return math.atan2(dot(cross(n, m), e) / length, dot(n, m)), 2 / 3 * area / length

    corners = {}
    for t in triangles:
        for i in range(3):
            corners[t[i], t[(i + 1) % 3]] = t[(i + 2) % 3]
    total, count = 0.0, 0
    for (i, j), k in corners.items():
        if i < j and (j, i) in corners:
            l = corners[j, i]
            now, (posed, distance) = angle(a, i, j, k, l)[0], angle(b, i, j, k, l)
            total += (0.5 * (now - posed) / distance) ** 2
            count += 1
    return math.sqrt(total / count)


def inflated_rest():
    """A closed, inflated figure's arm bends: without and with an animated rest shape."""
    work, cloths, parts = folder("inflated_rest"), [], []
    straight, cap, around, frames = 41, 8, 32, 16
    rings = straight + 2 * cap

    def posed(angle, shift):
        points, step = [], 0.6 / (straight - 1)
        center, heading = [shift, 0.0, 0.0], 0.0
        before, after = [], []

        def ring(out, ahead, r):
            c, s = math.cos(heading), math.sin(heading)
            for i in range(around):
                phi = 2 * math.pi * i / around
                u, w = r * math.cos(phi), r * math.sin(phi)
                out.append([center[0] + ahead * c - u * s, center[1] + ahead * s + u * c, w])

        def caps(out, numbers, side):
            for k in numbers:
                a = 0.5 * math.pi * k / (cap + 1)
                ring(out, side * 0.1 * math.sin(a), 0.1 * math.cos(a))
        caps(before, range(cap, 0, -1), -1)
        poles = [[center[0] - 0.1, 0.0, 0.0]]
        for k in range(straight):
            bulge = 0.1 * (1 + 0.12 * math.sin(math.pi * k / (straight - 1)) ** 2)
            ring(points, 0, bulge)
            s = (k + 0.5) / (straight - 1)
            if k + 1 < straight:
                center[0] += step * math.cos(heading)
                center[1] += step * math.sin(heading)
                if 1 / 3 < s < 2 / 3:
                    heading += angle * 3 / (straight - 1)
        caps(after, range(1, cap + 1), 1)
        poles.append([center[0] + 0.1 * math.cos(heading), center[1] + 0.1 * math.sin(heading), 0.0])
        return before + points + after + poles
    triangles, last = [], rings * around
    for k in range(rings - 1):
        for i in range(around):
            a, b = k * around + i, k * around + (i + 1) % around
            c, d = b + around, a + around
            triangles += [[a, b, c], [a, c, d]] if (k + i) % 2 else [[a, b, d], [b, c, d]]
    for i in range(around):
        j, end = (i + 1) % around, (rings - 1) * around
        triangles += [[last, j, i], [last + 1, end + i, end + j]]
    held = [r * around + i for r in range(rings) for i in range(around)
            if r <= cap or r >= rings - cap - 1] + [last, last + 1]
    blends = {"without": 0, "mostly": 0.75, "with": 1}
    for number, (name, blend) in enumerate(blends.items()):
        for frame in range(1, frames + 1):
            angle = 0.9 * min(1.0, (frame - 1) / 12)
            geo(os.path.join(work, f"{name}.{frame:04d}.geo"), posed(angle, 0.85 * number),
                triangles, stopped=held)
        cloths.append({"name": name, "geometry": name + ".$F4.geo", "material": "vinyl",
                       "pressure": {"model": "constant", "pressure": 300},
                       "rest": {"from": "geometry", "geometry": name + ".$F4.geo",
                                "blend": blend}})
    simulate("inflated_rest", {"selvage": 1, "fps": 12, "frames": [1, frames],
                               "gravity": [0, 0, 0], "cloth": cloths})
    for number, name in enumerate(blends):
        x = frame_of("inflated_rest", name, frames)["P"]
        change = curvature_change(triangles, x, posed(0.9, 0.85 * number))
        print(f"{name} animated rest: RMS change of mean curvature {change:.2g} /m")
        parts.append((x, triangles, [0.0] * len(x)))
    render("inflated_rest", parts, "--azimuth", "0", "--elevation", "20")


def recovery():
    """Blocks thrown into a heap of random points come back; frames 1, 3 and the last."""
    work, solid_objects, parts = folder("recovery"), [], []
    models = ["stable_neo_hookean", "fixed_corotational", "arap", "mooney_rivlin"]
    import random
    rng = random.Random(3)
    for number, model in enumerate(models):
        points, skin, tets, _ = block(4, 4, 4, 0.04, 0.3 * number, 0)
        geo(os.path.join(work, model + ".geo"), points, skin, tets)
        heap = [[x + 0.08 * rng.uniform(-1, 1), 0.08 + 0.08 * rng.uniform(-1, 1),
                 0.08 + 0.08 * rng.uniform(-1, 1)] for x in [0.3 * number + 0.08] * len(points)]
        geo(os.path.join(work, model + "_start.geo"), heap, skin, tets)
        solid_objects.append({"name": model, "geometry": model + ".geo", "model": model,
                              "initial": model + "_start.geo", "young": 4e4, "poisson": 0.4})
    simulate("recovery", {"selvage": 1, "fps": 24, "frames": [1, 48], "gravity": [0, 0, 0],
                          "collision": {"enabled": False}, "solids": solid_objects})
    for row, frame in enumerate([1, 3, 48]):
        for model in models:
            x = frame_of("recovery", model, frame)["P"]
            lowered = [[p[0], p[1] - 0.25 * row, p[2]] for p in x]
            parts.append((lowered, block(4, 4, 4, 0.04, 0, 0)[1], [0.0] * len(x)))
    render("recovery", parts, "--azimuth", "10", "--elevation", "8")


pictures = {f.__name__: f for f in (membranes, bending, plates, collar, creases, limits, painting,
                                    damping, pressure, links, wind, drape, solids, fibers,
                                    recovery, inflated_rest)}
pictures.update({"membrane_" + law: lambda law=law: membrane(law) for law in LAWS})
pictures.update({"solid_" + law: lambda law=law: worked_block("solid_" + law, model=law)
                 for law in SOLID_LAWS})
for name, make in pictures.items():
    if len(sys.argv) == 4 or name in sys.argv[4:]:
        make()
