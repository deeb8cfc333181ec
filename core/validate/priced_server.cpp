// From the words of a measured server to its step model.
#include "core/validate/priced_server.h"

#include <fmt/format.h>

#include <utility>

namespace loadline {

Result<StepSetup> stepSetupOf(const ServerSettings& settings) {
    const ModelShapes* const model = shapesOfModel(settings.model);
    if (model == nullptr) {
        return Error{fmt::format("the sizes of {} are not known", settings.model), "",
                     "a model among --shapes"};
    }
    if (bytesPerWeightOf(settings.gemmFormat) == 0) {
        return Error{fmt::format("\"{}\" is no format of weights", settings.gemmFormat), "", "bf16, fp8"};
    }
    if (model->experts && bytesPerWeightOf(settings.moeFormat) == 0) {
        return Error{fmt::format("\"{}\" is no format of experts", settings.moeFormat), "",
                     "bf16, fp8_block"};
    }
    if (model->experts) {
        const int gpus = settings.tensorParallel * settings.dataParallel;
        if (settings.moeTensorParallel * settings.moeExpertParallel != gpus) {
            return Error{fmt::format("moe_tp {} times moe_ep {} are not its {} GPUs",
                                     settings.moeTensorParallel, settings.moeExpertParallel, gpus),
                         "", "moe_tp x moe_ep = tp x dp"};
        }
    }
    return StepSetup{.model = *model,
                     .tensorParallel = settings.tensorParallel,
                     .dataParallel = settings.dataParallel,
                     .moeTensorParallel = settings.moeTensorParallel,
                     .moeExpertParallel = settings.moeExpertParallel,
                     .weightFormat = settings.gemmFormat,
                     .expertFormat = settings.moeFormat,
                     .engine = settings.engine};
}

PriceServer priceByAtlas(const AtlasLibrary& library) {
    return [&library](const ServerSettings& settings) -> Result<PricedServer> {
        const std::shared_ptr<const AtlasSurfaces> surfaces = library.find(settings.system);
        if (!surfaces) {
            return Error{fmt::format("the atlas has no GPU \"{}\"", settings.system), "", "h200_sxm"};
        }
        const Result<StepSetup> setup = stepSetupOf(settings);
        if (!setup) {
            return setup.error();
        }
        Result<std::unique_ptr<StepModel>> model = StepModel::make(surfaces, *setup);
        if (!model) {
            return model.error();
        }
        const Result<std::int64_t> blocks = kvBlocksOf(*setup, (*model)->shard(), surfaces->hardware());
        if (!blocks) {
            return blocks.error();
        }
        return PricedServer{.prices = std::move(*model), .kvBlocks = *blocks};
    };
}

} // namespace loadline
