// The measured kernel tables that come with the program, by GPU.
#pragma once

#include "core/cost/step/atlas_surfaces.h"

#include <functional>
#include <memory>
#include <string_view>

namespace loadline {

/// A source of studies.
struct AtlasLibrary {
    /// Returns the surfaces of a GPU by any of its names; null if there are none. May be called on any
    /// thread.
    std::function<std::shared_ptr<const AtlasSurfaces>(std::string_view gpu)> find;
};

} // namespace loadline
