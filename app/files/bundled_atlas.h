// The measured kernel tables that come with the program.
#pragma once

#include "core/cost/step/atlas_surfaces.h"

#include <memory>
#include <string_view>

namespace loadline::app {

/// Returns the surfaces of a GPU's tables; any name of it will do ("h200-sxm", "NVIDIA H200"). One object for
/// the whole process, so a table is read once. Null for other names. Thread-safe.
std::shared_ptr<const AtlasSurfaces> bundledAtlas(std::string_view gpu);

} // namespace loadline::app
