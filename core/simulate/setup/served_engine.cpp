// From a simulation's choices to an engine's setup.
#include "core/simulate/setup/served_engine.h"

#include <fmt/format.h>

namespace loadline {
namespace {

constexpr double usualMemoryShare = 0.9; // vLLM's gpu_memory_utilization

/// The tables' word for weights, or experts; k-bit ones are not theirs.
std::string_view tableWordOf(Storage storage, bool ofExperts) {
    const StorageSpec& spec = specOf(storage);
    const StorageSpec& timed = spec.kernels == WeightKernels::Rule ? specOf(Storage::Fp16) : spec;
    return ofExperts ? timed.expertTable : timed.weightTable;
}

Error untimed(Storage storage, std::string_view what) {
    const StorageSpec& spec = specOf(storage);
    return {.what = fmt::format("no tables hold {} in {}", what, spec.name),
            .where = "",
            .remedy = spec.expertTable.empty() ? "fp16 or fp8"
                                               : fmt::format("--weights fp16 --experts {}", spec.key)};
}

} // namespace

bool ServedEngine::operator==(const ServedEngine& other) const {
    const bool sameModel = model == other.model || (model && other.model && *model == *other.model);
    return surfaces == other.surfaces && parallel == other.parallel && sameModel;
}

EngineSettings engineSettingsOf(const PolicySetup& policy, Storage kv) {
    EngineSettings settings = engineSettingsOf(newestVersion, budgetOf(policy), seqsOf(policy));
    settings.kv = kv == Storage::Fp8 ? KvType::Fp8 : KvType::Bf16;
    settings.memoryUtilisation = policy.memoryShare.value_or(usualMemoryShare);
    return settings;
}

Result<StepSetup> stepSetupOf(const ServedEngine& engine, const PolicySetup& policy, const Format& format) {
    const std::string_view weights = tableWordOf(format.weights, false);
    if (weights.empty()) {
        return untimed(format.weights, "dense layers");
    }
    const std::string_view experts = tableWordOf(format.experts, true);
    if (engine.model->experts && experts.empty()) {
        return untimed(format.experts, "experts");
    }
    const Parallel& parallel = engine.parallel;
    if (parallel.tensor % parallel.expert != 0) {
        return Error{
            fmt::format("experts cannot be spread over {} of {} GPUs", parallel.expert, parallel.tensor), "",
            "an --ep that divides --tp"};
    }
    return StepSetup{.model = *engine.model,
                     .tensorParallel = parallel.tensor,
                     .moeTensorParallel = parallel.tensor / parallel.expert,
                     .moeExpertParallel = parallel.expert,
                     .weightFormat = std::string(weights),
                     .expertFormat = std::string(experts),
                     .engine = engineSettingsOf(policy, format.kv)};
}

Result<std::shared_ptr<const ServedStep>> servedStepOf(const ServedEngine& engine, const PolicySetup& policy,
                                                       const Format& format) {
    const Result<StepSetup> setup = stepSetupOf(engine, policy, format);
    if (!setup) {
        return setup.error();
    }
    return ServedStep::make(engine.surfaces, *setup);
}

std::optional<Error> problemOf(const ServedEngine& engine, const PolicySetup& policy, const Format& format) {
    if (!engine.surfaces) {
        return engine.parallel == Parallel{}
                   ? std::nullopt
                   : std::optional(Error{"transfers among GPUs are known of the atlas's GPUs alone", "",
                                         "a GPU of the atlas, as --profile h100-sxm, or --tp 1"});
    }
    const auto step = servedStepOf(engine, policy, format);
    return step ? std::nullopt : std::optional(step.error());
}

} // namespace loadline
