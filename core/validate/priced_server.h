// A measured server's kernels and memory, out of the atlas.
#pragma once

#include "core/cost/step/atlas_library.h"
#include "core/cost/step/step_model.h"
#include "core/validate/predict.h"

namespace loadline {

/// A server's model on its GPUs; the Error: an unknown model or GPU, or no table for it.
Result<StepSetup> stepSetupOf(const ServerSettings& settings);

/// Prices servers by the tables of their GPUs. The library must outlive the function.
PriceServer priceByAtlas(const AtlasLibrary& library);

} // namespace loadline
