// The engine of a simulated server whose kernels the atlas holds.
#pragma once

#include "core/cost/format/format.h"
#include "core/cost/shapes/shard.h"
#include "core/cost/step/served_step.h"
#include "core/simulate/setup/setup.h"

#include <memory>
#include <optional>

namespace loadline {

/// GPUs of one kind that serve a model together.
struct ServedEngine {
    std::shared_ptr<const AtlasSurfaces> surfaces; ///< their measured kernels; null: none
    std::shared_ptr<const ModelShapes> model;      ///< whole; a simulation's own is one GPU's share
    Parallel parallel;

    /// Models are compared by value.
    bool operator==(const ServedEngine& other) const;
};

/// vLLM's settings of these limits, in its newest version: CUDA graphs by its defaults.
EngineSettings engineSettingsOf(const PolicySetup& policy, Storage kv);

/// The model in this format on the engine's GPUs: k-bit weights are left in bf16, as no engine's kernels take
/// them. The Error: a format that the tables have no word for. Precondition: a model.
Result<StepSetup> stepSetupOf(const ServedEngine& engine, const PolicySetup& policy, const Format& format);

/// The kernels of the model in this format. Errors of the two above and of StepModel. Precondition: surfaces.
Result<std::shared_ptr<const ServedStep>> servedStepOf(const ServedEngine& engine, const PolicySetup& policy,
                                                       const Format& format);

/// Returns why the model cannot be served so; nothing if it can. GPUs that share a model need surfaces.
std::optional<Error> problemOf(const ServedEngine& engine, const PolicySetup& policy, const Format& format);

} // namespace loadline
