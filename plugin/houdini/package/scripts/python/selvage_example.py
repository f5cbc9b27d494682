"""Builds an example scene: a cape-like sheet that hangs from a swinging bar above a sphere.

Run it in Houdini's Python shell, or with hython:

    import selvage_example
    selvage_example.build()

Not run in Houdini where Selvage is tested; written from the documentation of `hou`.
"""
import hou


def build(parent_path="/obj"):
    geo = hou.node(parent_path).createNode("geo", "selvage_example")

    grid = geo.createNode("grid", "cloth")
    grid.parmTuple("size").set((1.0, 1.0))
    grid.parm("rows").set(41)
    grid.parm("cols").set(41)
    grid.parm("ty").set(1.5)

    top = geo.createNode("groupexpression", "top")
    top.setInput(0, grid)
    top.parm("grouptype").set("point")
    top.parm("groupname1").set("top")
    top.parm("snippet1").set("@P.z < -0.49")

    swing = geo.createNode("xform", "swing")
    swing.setInput(0, top)
    swing.parm("tx").setExpression("0.3 * sin(($FF - 1) * 6)")

    ball = geo.createNode("sphere", "ball")
    ball.parm("type").set("polymesh")
    ball.parmTuple("rad").set((0.3, 0.3, 0.3))
    ball.parmTuple("t").set((0.0, 0.8, 0.1))

    solver = geo.createNode("selvage_solver", "solver")
    solver.setInput(0, swing)
    solver.setInput(2, ball)
    solver.parm("pins_group").set("top")
    solver.parm("collision_enabled").set(True)

    solver.setDisplayFlag(True)
    solver.setRenderFlag(True)
    geo.layoutChildren()
    return solver
