#include "tests/support/cloth_scene.h"

#include "core/model/cloth_builder.h"

namespace selvage::test
{

ClothMaterial plain_material(double density, double young, double poisson, double bend)
{
    ClothMaterial m;
    m.density = density;
    m.young_warp = m.young_weft = young;
    m.shear = young / (2 * (1 + poisson));
    m.poisson = poisson;
    m.bend_warp = m.bend_weft = bend;
    m.stretch_damping = m.shear_damping = m.bend_damping = m.mass_damping = 0;
    m.drag_normal = m.drag_tangent = 0;
    return m;
}

State SheetScene::start() const
{
    State s;
    s.x.resize(3 * point_count());
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i <= columns; ++i)
            s.x.segment<3>(3 * point(i, j)) = Vec3(width * i / columns, -height * j / rows, 0);
    s.v = VecX::Zero(s.x.size());
    return s;
}

std::shared_ptr<const Scene> SheetScene::scene() const
{
    Geometry g;
    g.set_point_count(std::size_t(point_count()));
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const int a = point(i, j), b = point(i, j + 1), c = point(i + 1, j + 1),
                      d = point(i + 1, j);
            if ((i + j) % 2) {
                g.add_polygon({a, b, d});
                g.add_polygon({b, c, d});
            } else {
                g.add_polygon({a, b, c});
                g.add_polygon({a, c, d});
            }
        }
    const VecX x = start().x;
    g.set_vectors("P", x, "point", Storage::real64);

    auto scene = std::make_shared<Scene>();
    scene->collisions.enabled = collide;
    NullLog log;
    scene->cloths.push_back(make_cloth("sheet", g, &x, material, log));
    if (!air) scene->cloths[0].material.drag_normal = scene->cloths[0].material.drag_tangent = 0;
    scene->mass = cloth_mass(scene->cloths[0], g);
    scene->mass_damping = VecX::Constant(scene->mass.size(), material.mass_damping);
    if (pin_top)
        for (int i = 0; i <= columns; ++i) scene->pins.push_back({point(i, 0), pin_stiffness});
    return scene;
}

Drive SheetScene::still(const Vec3& gravity) const
{
    Drive d;
    d.gravity = gravity;
    if (pin_top) d.pin_target_0 = start().x.head(3 * (columns + 1));
    d.pin_target_1 = d.pin_target_0;
    return d;
}

} // namespace selvage::test
