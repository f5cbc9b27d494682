#pragma once

#include "core/base/log.h"
#include "core/model/scene.h"
#include "core/model/state.h"
#include "core/session/attachment_assembly.h"
#include "core/session/hair_assembly.h"
#include "core/session/session_setup.h"
#include "core/solver/step_settings.h"

#include <map>
#include <memory>
#include <string>

namespace selvage
{

/// The scene at the start frame, and what the drive needs to follow the animation.
struct AssembledScene {
    std::shared_ptr<const Scene> scene;
    State start;
    std::vector<std::shared_ptr<const Geometry>> cloth_geometry; ///< at the start frame
    std::vector<std::shared_ptr<const Geometry>> solid_geometry; ///< likewise
    std::vector<std::shared_ptr<const Geometry>> hair_geometry;  ///< likewise
    std::vector<std::optional<RootBinding>> hair_binding;        ///< one per hair
    std::vector<std::size_t> collider_points;
    std::vector<int> pins_of_cloth;      ///< first pin of each cloth, and the end
    std::vector<int> pins_of_solid;      ///< likewise
    std::vector<LinkPlaces> link_places; ///< one per entry of Scene::links
};

/// Reads every input at the start frame; throws InputError naming object, element and remedy.
AssembledScene assemble_scene(const SessionSetup& setup, LogSink& log);

/// The material of a cloth at a frame: preset, then explicit values.
ClothMaterial material_at(const ClothSetup& setup, double frame);

/// The values of a material that a shot may set, by parameter name.
std::map<std::string, double> material_numbers(const ClothMaterial& material);

SolidMaterial solid_material(const SolidSetup& setup);

/// True when a material value changes over time.
bool material_animated(const ClothSetup& setup);

StepSettings step_settings(const SessionSetup& setup, double frame);

} // namespace selvage
