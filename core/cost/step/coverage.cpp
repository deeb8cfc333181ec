// Makes step models, and sums their steps by how the times were found.
#include "core/cost/step/coverage.h"

#include "core/base/parallel_for.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/engine/capture_sizes.h"
#include "core/cost/step/step_model.h"
#include "core/text/enum_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

// Published formats: Qwen's -FP8 models, DeepSeek-V3 and MiniMax-M2.5 have FP8 by blocks of 128 x 128,
// gpt-oss has MXFP4 experts, Kimi-K2.5 has int4 experts, the rest of both is bf16 (their config.json).
constexpr auto coveredModelRows = std::to_array<CoveredModel>({
    {.model = "llama-3.1-8b", .weights = "bf16", .experts = ""},
    {.model = "llama-3.1-8b", .weights = "fp8", .experts = ""},
    {.model = "llama-3.1-70b", .weights = "bf16", .experts = ""},
    {.model = "llama-3.1-70b", .weights = "fp8", .experts = ""},
    {.model = "qwen3-32b", .weights = "bf16", .experts = ""},
    {.model = "qwen3-32b", .weights = "fp8_block", .experts = ""},
    {.model = "qwen3-coder-next", .weights = "bf16", .experts = "bf16"},
    {.model = "qwen3-coder-next", .weights = "fp8_block", .experts = "fp8_block"},
    {.model = "gpt-oss-120b", .weights = "bf16", .experts = "w4a16_mxfp4"},
    {.model = "qwen3-235b-a22b", .weights = "bf16", .experts = "bf16"},
    {.model = "qwen3-235b-a22b", .weights = "fp8_block", .experts = "fp8_block"},
    {.model = "deepseek-v3", .weights = "fp8_block", .experts = "fp8_block"},
    {.model = "minimax-m2.5", .weights = "fp8_block", .experts = "fp8_block"},
    {.model = "kimi-k2.5", .weights = "bf16", .experts = "int4_wo"},
});

constexpr std::array coveredSizes = {1, 2, 4, 8};

/// A model on so many GPUs.
StepSetup coveredSetup(const ModelShapes& shapes, const CoveredModel& model, int gpus, bool spreadsExperts) {
    return {.model = shapes,
            .tensorParallel = gpus,
            .moeTensorParallel = spreadsExperts ? 1 : gpus,
            .moeExpertParallel = spreadsExperts ? gpus : 1,
            .weightFormat = std::string(model.weights),
            .expertFormat = model.experts.empty() ? std::string("bf16") : std::string(model.experts)};
}

Status hasRoom(const StepSetup& setup, const Hardware& hardware) {
    const Result<ModelShapes> shard =
        shardOf(setup.model, {.tensor = setup.tensorParallel, .expert = setup.moeExpertParallel});
    if (!shard) {
        return shard.error();
    }
    const Result<std::int64_t> blocks = kvBlocksOf(setup, *shard, hardware);
    if (!blocks) {
        return blocks.error();
    }
    constexpr Tokens needed = coveredDecodes * coveredContext + coveredChunk;
    return *blocks * tokensPerKvBlock > needed
               ? Status(Done{})
               : Status(Error{fmt::format("its weights leave no room for {} sequences of {} tokens",
                                          coveredDecodes, coveredContext),
                              "", "more GPUs"});
}

StepBreakdown coveredBreakdown(StepModel& model, const EngineSettings& engine) {
    const PaddedRows padded = paddedRows(engine, coveredDecodes, true);
    StepBreakdown sum = model.parts({.decodes = coveredDecodes,
                                     .decodeContext = coveredDecodes * coveredContext,
                                     .chunks = {},
                                     .sampledRows = coveredDecodes,
                                     .rows = coveredDecodes,
                                     .paddedRows = padded.rows,
                                     .isCaptured = padded.isCaptured});
    const PaddedRows chunk = paddedRows(engine, coveredChunk, false);
    return sum += model.parts({.decodes = 0,
                               .decodeContext = 0,
                               .chunks = {{.added = coveredChunk, .cached = 0}},
                               .sampledRows = 1,
                               .rows = coveredChunk,
                               .paddedRows = chunk.rows,
                               .isCaptured = chunk.isCaptured});
}

CoverageKind coverageKindOf(SurfaceReach reach, bool isProxy) {
    switch (reach) {
    case SurfaceReach::Measured:
        return CoverageKind::Measured;
    case SurfaceReach::Interpolated:
        return CoverageKind::Interpolated;
    case SurfaceReach::Extrapolated:
        return isProxy ? CoverageKind::Proxied : CoverageKind::Extrapolated;
    case SurfaceReach::Modelled:
        break;
    }
    return CoverageKind::Modelled;
}

CoveredSteps coveredStepsOf(const StepBreakdown& parts, bool hasProxy) {
    CoveredSteps steps;
    for (std::size_t part = 0; part < stepPartCount; ++part) {
        const bool isProxy = hasProxy && part == static_cast<std::size_t>(ServedPart::Experts);
        for (std::size_t reach = 0; reach < reachCount; ++reach) {
            const CoverageKind kind = coverageKindOf(static_cast<SurfaceReach>(reach), isProxy);
            steps.us[part][static_cast<std::size_t>(kind)] += parts.us[part][reach];
        }
    }
    return steps;
}

/// Fills in the steps of this setup; the Error: StepModel's.
Status cover(StepCoverage& coverage, const std::shared_ptr<const AtlasSurfaces>& surfaces,
             const StepSetup& setup) {
    const Result<std::unique_ptr<StepModel>> model = StepModel::make(surfaces, setup);
    if (!model) {
        return model.error();
    }
    bool hasProxy = false;
    if (setup.model.experts) {
        const Result<const ExpertSurface*> surface = surfaces->experts();
        if (!surface) {
            return surface.error();
        }
        const Result<ServedExperts> experts = ServedExperts::make(**surface, setup, surfaces->hardware());
        if (!experts) {
            return experts.error();
        }
        hasProxy = experts->isProxy();
        coverage.expertSource = experts->source();
    }
    coverage.tensorParallel = setup.tensorParallel;
    coverage.expertParallel = setup.moeExpertParallel;
    coverage.steps = coveredStepsOf(coveredBreakdown(**model, setup.engine), hasProxy);
    coverage.notCovered.clear();
    return Done{};
}

} // namespace

std::string_view keyOf(CoverageKind kind) {
    return wordOf(kind, {"measured", "interpolated", "proxied", "extrapolated", "modelled"});
}

std::span<const CoveredModel> coveredModels() {
    return coveredModelRows;
}

double CoveredSteps::of(CoverageKind kind) const {
    double sum = 0;
    for (const auto& part : us) {
        sum += part[static_cast<std::size_t>(kind)];
    }
    return sum;
}

double CoveredSteps::of(ServedPart part) const {
    const auto& kinds = us[static_cast<std::size_t>(part)];
    return std::accumulate(kinds.begin(), kinds.end(), 0.0);
}

double CoveredSteps::total() const {
    double sum = 0;
    for (const auto& part : us) {
        sum = std::accumulate(part.begin(), part.end(), sum);
    }
    return sum;
}

std::optional<CoverageKind> CoveredSteps::mostOf(ServedPart part) const {
    const auto& kinds = us[static_cast<std::size_t>(part)];
    const auto* const most = std::ranges::max_element(kinds);
    return *most > 0 ? std::optional(static_cast<CoverageKind>(most - kinds.begin())) : std::nullopt;
}

StepCoverage stepCoverageOf(const std::shared_ptr<const AtlasSurfaces>& surfaces, const CoveredModel& model) {
    StepCoverage coverage{.gpu = surfaces->atlas().gpu(),
                          .model = std::string(model.model),
                          .weights = std::string(model.weights),
                          .experts = std::string(model.experts)};
    const ModelShapes* const shapes = findShapePreset(model.model);
    if (shapes == nullptr) {
        coverage.notCovered = fmt::format("the sizes of {} are not known", model.model);
        return coverage;
    }
    coverage.model = shapes->name;
    for (const int gpus : coveredSizes) {
        for (const bool spreadsExperts : {false, true}) {
            if (spreadsExperts && (!shapes->experts || gpus == 1)) {
                continue;
            }
            const StepSetup setup = coveredSetup(*shapes, model, gpus, spreadsExperts);
            if (const Status room = hasRoom(setup, surfaces->hardware()); !room) {
                if (coverage.tensorParallel == 0) { // told if no other size has room
                    coverage.notCovered = room.error().what;
                }
                continue;
            }
            const Status covered = cover(coverage, surfaces, setup);
            if (covered) {
                return coverage;
            }
            if (coverage.tensorParallel == 0) {
                coverage.tensorParallel = gpus;
                coverage.notCovered = covered.error().what;
            }
        }
    }
    return coverage;
}

std::vector<StepCoverage> stepCoverage(const AtlasLibrary& library, unsigned threads,
                                       const std::stop_token& stop) {
    const std::span<const AtlasName> names = atlasNames();
    std::vector<std::vector<StepCoverage>> byGpu(names.size());
    parallelFor(names.size(), threads, stop, [&](std::size_t at, unsigned /*worker*/) {
        const std::shared_ptr<const AtlasSurfaces> surfaces = library.find(names[at].key);
        if (!surfaces) {
            return;
        }
        for (const CoveredModel& model : coveredModels()) {
            if (stop.stop_requested()) {
                return;
            }
            byGpu[at].push_back(stepCoverageOf(surfaces, model));
        }
    });
    std::vector<StepCoverage> all;
    for (std::vector<StepCoverage>& rows : byGpu) {
        std::ranges::move(rows, std::back_inserter(all));
    }
    return all;
}

} // namespace loadline
