"""Viewer state: click points to add them to the group of the selected Selvage Pin node, or to take
them out again. Not run in Houdini where Selvage is tested; written from the documentation of `hou`.
"""
import hou


class State(object):
    def __init__(self, state_name, scene_viewer):
        self.state_name = state_name
        self.scene_viewer = scene_viewer
        self.node = None

    def onEnter(self, kwargs):
        pins = [n for n in hou.selectedNodes() if n.type().name() == "selvage_pin"]
        self.node = pins[0] if pins else None
        self.scene_viewer.setPromptMessage(
            "Click points to pin or free them." if self.node else "Select a Selvage Pin node first.")

    def onMouseEvent(self, kwargs):
        event = kwargs["ui_event"]
        if self.node is None or event.reason() != hou.uiEventReason.Picked:
            return False
        geometry = self.node.geometry()
        origin, direction = event.ray()
        hit, normal, uvw = hou.Vector3(), hou.Vector3(), hou.Vector3()
        prim = geometry.intersect(origin, direction, hit, normal, uvw)
        if prim < 0:
            return False
        corners = [v.point() for v in geometry.prim(prim).vertices()]
        nearest = min(corners, key=lambda p: (p.position() - hit).lengthSquared())
        self.toggle(str(nearest.number()))
        return True

    def toggle(self, point):
        parm = self.node.parm("group")
        points = parm.evalAsString().split()
        points.remove(point) if point in points else points.append(point)
        parm.set(" ".join(points))


def createViewerStateTemplate():
    template = hou.ViewerStateTemplate("selvage_pick_pins", "Selvage Pick Pins",
                                       hou.sopNodeTypeCategory())
    template.bindFactory(State)
    template.bindIcon("SOP_selvage_pin")
    return template
