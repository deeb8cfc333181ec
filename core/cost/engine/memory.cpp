// Peak memory of the engine's profiling step.
#include "core/cost/engine/memory.h"

#include "core/cost/engine/constants.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr double bytesOfActivation = 2; // bf16
constexpr EngineVersion leanSampling{.major = 0, .minor = 17};
constexpr EngineVersion largerRuntime{.major = 0, .minor = 18};
constexpr EngineVersion graphsCounted{.major = 0, .minor = 21};

/// Tokens of the whole vocabulary: of the head where the model does not say.
double vocabularyOf(const ModelShapes& model) {
    if (model.vocabulary > 0) {
        return static_cast<double>(model.vocabulary);
    }
    const auto head = std::ranges::find_if(model.gemms, &LayerGemm::isHead);
    return head == model.gemms.end() ? 0.0 : static_cast<double>(head->size.n);
}

/// Values of a row in the widest dense feed-forward layer: gate and up, and what the activation makes of
/// them.
double denseValues(const ModelShapes& shard) {
    double values = 0;
    for (const LayerGemm& gemm : shard.gemms) {
        if (layerPartOf(gemm) == LayerPart::GateUp) {
            const auto columns = static_cast<double>(gemm.size.n);
            values = std::max(values, columns + (shard.gatedActivation ? columns / 2 : columns));
        }
    }
    return values;
}

double expertValues(const ModelShapes& shard) {
    const ExpertFacts& facts = *shard.experts;
    const auto width = static_cast<double>(facts.width);
    const double first = std::max(2 * width, static_cast<double>(shard.hidden));
    return facts.topK * (first + width);
}

double outsideBytesOf(const MemorySetup& setup) {
    if (setup.tensorParallel > 1) {
        return setup.version < leanSampling ? constant::oldParallelOutsideBytes.value
                                            : constant::parallelOutsideBytes.value;
    }
    return setup.version < largerRuntime ? constant::oldOutsideBytes.value : constant::outsideBytes.value;
}

} // namespace

double ReservedMemory::total() const {
    return hidden + std::max(forward, sampling) + experts + graphs + outside;
}

ReservedMemory reservedMemoryOf(const ModelShapes& model, const ModelShapes& shard,
                                const MemorySetup& setup) {
    const auto rows = static_cast<double>(setup.maxNumBatchedTokens);
    const auto sequences = static_cast<double>(std::min<Tokens>(setup.maxNumSeqs, setup.maxNumBatchedTokens));
    const auto width = static_cast<double>(shard.hidden);
    const bool isLean = setup.version >= leanSampling;
    ReservedMemory memory;
    memory.hidden = bytesOfActivation * rows * width;
    memory.forward = bytesOfActivation * rows * (denseValues(shard) + 2 * width);
    memory.sampling = (isLean ? constant::samplingBytes : constant::oldSamplingBytes).value * sequences *
                      vocabularyOf(model);
    if (shard.experts && setup.buffersExperts) {
        const double buffers = bytesOfActivation * rows * expertValues(shard);
        (isLean ? memory.experts : memory.forward) += buffers;
    }
    if (setup.graphs && setup.version >= graphsCounted) {
        memory.graphs = constant::graphBytes.value;
    }
    memory.outside = outsideBytesOf(setup);
    return memory;
}

} // namespace loadline
