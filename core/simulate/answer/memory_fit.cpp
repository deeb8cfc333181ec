// Weights and KV cache against memories.
#include "core/simulate/answer/memory_fit.h"

#include "core/cost/estimate/attention.h"
#include "core/simulate/run/kv_blocks.h"

#include <fmt/format.h>

namespace loadline {
namespace {

void findWhatFits(MemoryFit& fit, const ModelShapes& model) {
    for (int k = minKBits; k <= maxKBits; ++k) {
        const double bytes = weightBytes(model, k);
        fit.weightsAt.at(static_cast<std::size_t>(k - minKBits)) = bytes;
        if (k < fit.kBits && bytes + fit.kvBytes <= fit.memoryBytes) {
            fit.fittingKBits = k;
        }
    }
    for (const Hardware& hardware : hardwareTable()) {
        const bool less = fit.fittingDevice == nullptr || hardware.memoryGb < fit.fittingDevice->memoryGb;
        if (less && fit.neededBytes() <= memoryBytesOf(hardware)) {
            fit.fittingDevice = &hardware;
        }
    }
}

std::string whatFits(const MemoryFit& fit) {
    std::string text;
    if (fit.fittingKBits > 0) {
        text =
            fmt::format(" At k = {} its weights take {}", fit.fittingKBits,
                        formatGib(fit.weightsAt.at(static_cast<std::size_t>(fit.fittingKBits - minKBits))));
    }
    if (fit.fittingDevice != nullptr) {
        text += fmt::format("{} k = {} the {} ({:g} GiB) holds it", text.empty() ? " At" : "; at", fit.kBits,
                            fit.fittingDevice->key, fit.fittingDevice->memoryGb);
    }
    return text.empty() ? " No device in the list holds it." : text + ".";
}

/// What these weights take, with the KV cache where it is that which is too much.
std::string whatIsNeeded(const MemoryFit& fit, double weights) {
    return weights > fit.memoryBytes
               ? "its weights take " + formatGib(weights)
               : fmt::format("weights of {} and up to {} of KV cache take {}", formatGib(weights),
                             formatGib(fit.kvBytes), formatGib(weights + fit.kvBytes));
}

} // namespace

std::optional<bool> MemoryFit::fits() const {
    return known() ? std::optional(neededBytes() <= memoryBytes) : std::nullopt;
}

std::optional<bool> MemoryFit::fp16Fits() const {
    return known() ? std::optional(weightFp16Bytes + kvBytes <= memoryBytes) : std::nullopt;
}

MemoryFit memoryFitOf(const SimulationInputs& inputs, double kvBytes) {
    const ModelShapes& model = inputs.cost.model;
    MemoryFit fit;
    fit.model = model.name;
    fit.kBits = inputs.cost.kBits;
    if (const Hardware* hardware = hardwareOf(inputs)) {
        fit.device = hardware->key;
        fit.memoryBytes = memoryBytesOf(*hardware);
    }
    if (!model.attention) {
        return fit;
    }
    fit.weightBytes = weightBytes(model, fit.kBits);
    fit.weightFp16Bytes = weightBytes(model, fp16Bits);
    fit.kvBytes = kvBytes;
    if (fit.fits() == false) {
        findWhatFits(fit, model);
    }
    return fit;
}

MemoryFit memoryFitOf(SimulationInputs inputs, int kBits, double kvBytes) {
    inputs.cost.kBits = kBits;
    return memoryFitOf(inputs, kvBytes);
}

double kvBytesOfBlocks(const SimulationInputs& inputs, std::int64_t blocks) {
    const std::optional<AttentionFacts>& attention = inputs.cost.model.attention;
    const auto tokens = static_cast<double>(blocks * inputs.policy.blockTokens);
    return attention ? kvBytesPerToken(*attention) * tokens : 0;
}

std::string sentenceOf(const MemoryFit& fit) {
    if (fit.fits().value_or(true)) {
        return {};
    }
    const std::string what = whatIsNeeded(fit, fit.weightBytes);
    return fmt::format("{} at k = {} does not fit: {} of the {}'s {:g} GiB.{}", fit.model, fit.kBits, what,
                       fit.device, fit.memoryBytes / bytesPerGib, whatFits(fit));
}

std::string fp16SentenceOf(const MemoryFit& fit) {
    if (fit.fp16Fits().value_or(true) || !fit.fits().value_or(true)) {
        return {};
    }
    return fmt::format(
        "fp16 does not fit: {} of the {}'s {:g} GiB, so its times are only what they would be.",
        whatIsNeeded(fit, fit.weightFp16Bytes), fit.device, fit.memoryBytes / bytesPerGib);
}

Cell fitCell(const std::optional<bool>& fits) {
    return fits ? Cell(std::string(*fits ? "true" : "false")) : Cell();
}

std::string formatGib(double bytes) {
    const double gib = bytes / bytesPerGib;
    return fmt::format("{:.{}f} GiB", gib, gib >= 100 ? 0 : gib >= 1 ? 1 : 2);
}

} // namespace loadline
