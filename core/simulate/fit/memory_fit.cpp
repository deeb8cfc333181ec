// Weights and KV cache against memories.
#include "core/simulate/fit/memory_fit.h"

#include "core/cost/estimate/attention.h"
#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace loadline {
namespace {

/// True if such weights in such a memory would not be refused, nor the longest turn beside them.
bool holds(MemoryFit fit, double weights, double memoryBytes) {
    fit.weightBytes = weights;
    fit.memoryBytes = memoryBytes;
    fit.kvBytes = fit.share > 0 ? 0 : fit.kvBytes; // what was used because it was there
    return fit.fits().value_or(false) && weights + fit.longestTurnBytes <= fit.roomBytes();
}

void findRoom(MemoryFit& fit, const ModelShapes& model, const Format& format) {
    const auto roomOf = [&](const Format& served, double turnTokens) {
        return kvCapacityTokens(model, served, fit.memoryBytes, fit.share,
                                turnTokens > 0 ? turnTokens : std::numeric_limits<double>::infinity());
    };
    const auto longest = static_cast<double>(fit.longestTurnTokens);
    fit.roomTokens = roomOf(format, fit.meanConversationTokens);
    fit.fp16RoomTokens = roomOf(fp16Format, fit.meanConversationTokens);
    fit.longestRoomTokens = roomOf(format, longest);
    fit.fp16LongestRoomTokens = roomOf(fp16Format, longest);
}

void findWhatFits(MemoryFit& fit, const ModelShapes& model, const Format& format, const Hardware& device) {
    for (int k = minKBits; k <= maxKBits; ++k) {
        const double bytes = weightBytes(model, withWeights(format, storageOfBits(k)));
        fit.weightsAt.at(static_cast<std::size_t>(k - minKBits)) = bytes;
        if (k < kOf(fit.weights).value_or(0) && holds(fit, bytes, fit.memoryBytes)) {
            fit.fittingKBits = k;
        }
    }
    for (const Hardware& hardware : hardwareTable()) {
        const bool less = fit.fittingDevice == nullptr || hardware.memoryGb < fit.fittingDevice->memoryGb;
        if (less && isSameKind(hardware, device) && holds(fit, fit.weightBytes, memoryBytesOf(hardware))) {
            fit.fittingDevice = &hardware;
        }
    }
}

std::string whatFits(const MemoryFit& fit) {
    const std::string turn = formatGib(fit.longestTurnBytes) + " of KV cache";
    if (fit.fittingKBits == 0 && fit.fittingDevice == nullptr) {
        return fit.longestTurnBytes > 0
                   ? fmt::format(" No device in the list holds it and the longest turn's {}.", turn)
                   : " No device in the list holds it.";
    }
    std::string text;
    if (fit.fittingKBits > 0) {
        text =
            fmt::format(" At k = {} its weights take {}", fit.fittingKBits,
                        formatGib(fit.weightsAt.at(static_cast<std::size_t>(fit.fittingKBits - minKBits))));
    }
    if (fit.fittingDevice != nullptr) {
        text += fmt::format("{} {} the {} ({:.3g} GiB) holds it", text.empty() ? " At" : "; at", fit.format,
                            fit.fittingDevice->key, memoryBytesOf(*fit.fittingDevice) / bytesPerGib);
    }
    return text + (fit.longestTurnBytes > 0 ? ", and the longest turn's " + turn + "." : ".");
}

/// Returns the memory that these weights take, with the KV cache if that is what is too much.
std::string whatIsNeeded(const MemoryFit& fit, double weights) {
    if (weights < fit.roomBytes() && fit.share > 0) {
        return fmt::format("its weights take {} and a sequence's KV cache {} or more, together more than {}",
                           formatGib(weights), formatGib(fit.leastKvBytes), formatShare(fit.share));
    }
    if (weights <= fit.memoryBytes && fit.share > 0) {
        return fmt::format("its weights take {}, more than {}", formatGib(weights), formatShare(fit.share));
    }
    return weights > fit.memoryBytes
               ? "its weights take " + formatGib(weights)
               : fmt::format("weights of {} and up to {} of KV cache take {}", formatGib(weights),
                             formatGib(fit.kvBytes), formatGib(weights + fit.kvBytes));
}

} // namespace

std::optional<bool> MemoryFit::fits() const {
    return known() ? std::optional(!isTooLarge() && neededBytes() <= memoryBytes) : std::nullopt;
}

std::optional<bool> MemoryFit::fp16Fits() const {
    if (!known()) {
        return std::nullopt;
    }
    return share > 0 ? !leavesTooLittle(weightFp16Bytes) : weightFp16Bytes + kvBytes <= memoryBytes;
}

MemoryFit memoryFitOf(const SimulationInputs& inputs, double kvBytes) {
    const ModelShapes& model = inputs.cost.model;
    MemoryFit fit;
    fit.model = model.name;
    fit.weights = inputs.cost.format.weights;
    fit.format = nameOf(inputs.cost.format);
    fit.fp16IsServed = inputs.scope == StepScope::WholeStep;
    if (const Hardware* hardware = hardwareOf(inputs)) {
        fit.device = hardware->key;
        fit.memoryBytes = memoryBytesOf(*hardware);
    }
    if (!model.attention) {
        return fit;
    }
    fit.weightBytes = weightBytes(model, inputs.cost.format);
    fit.weightFp16Bytes = weightBytes(model, fp16Format);
    fit.kvBytes = kvBytes;
    if (takesWhatIsLeft(inputs)) {
        fit.share = memoryShareInForce(inputs);
        fit.leastKvBytes = leastKvBytesOf(inputs);
    }
    if (inputs.arrivals.kind == ArrivalKind::Closed) {
        fit.conversations = inputs.arrivals.users;
    }
    if (inputs.workload) {
        const TurnLengths turns = turnLengthsOf(inputs);
        fit.longestTurnTokens = turns.longest;
        fit.meanTurnTokens = turns.mean;
        fit.meanConversationTokens = turns.meanConversation;
        fit.longestTurnBytes = loadline::kvBytes(*model.attention, static_cast<double>(turns.longest),
                                                 bytesEach(inputs.cost.format.kv));
    }
    if (fit.share > 0) {
        findRoom(fit, model, inputs.cost.format);
    }
    if (fit.fits() == false) {
        findWhatFits(fit, model, inputs.cost.format, *hardwareOf(inputs));
    }
    return fit;
}

MemoryFit memoryFitOf(const SimulationInputs& inputs, const SimulationResult& runs) {
    MemoryFit fit = memoryFitOf(inputs, kvBytesOfBlocks(inputs, runs.peakKvBlocks));
    fit.kvTurns = fit.kvBytes > 0 ? runs.turns : 0;
    return fit;
}

MemoryFit memoryFitOf(SimulationInputs inputs, Storage weights, double kvBytes) {
    inputs.cost.format = withWeights(inputs.cost.format, weights);
    return memoryFitOf(inputs, kvBytes);
}

std::string misfitSentence(const MemoryFit& fit) {
    if (fit.fits().value_or(true)) {
        return {};
    }
    const std::string what = whatIsNeeded(fit, fit.weightBytes);
    return fmt::format("{} at {} does not fit: {} of the {}'s {:.3g} GiB.{}", fit.model, fit.format, what,
                       fit.device, fit.memoryBytes / bytesPerGib, whatFits(fit));
}

std::string needWordsOf(const MemoryFit& fit) {
    if (fit.fits().value_or(true)) {
        return {};
    }
    const double least = fit.weightBytes + std::max(fit.leastKvBytes, fit.isTooLarge() ? 0 : fit.kvBytes);
    const double room = fit.isTooLarge() ? fit.roomBytes() : fit.memoryBytes;
    return fmt::format("does not fit: needs {} of {}", formatGib(least),
                       least > fit.memoryBytes ? fmt::format("{:.3g} GiB", fit.memoryBytes / bytesPerGib)
                                               : formatGib(room));
}

std::optional<std::int64_t> usersThatFit(const MemoryFit& fit) {
    if (!fit.known()) {
        return std::nullopt;
    }
    if (fit.isTooLarge()) {
        return 0;
    }
    if (!(fit.share > 0) || !(fit.meanConversationTokens > 0)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(static_cast<double>(fit.roomTokens) / fit.meanConversationTokens);
}

bool fp16LacksMemory(const MemoryFit& fit) {
    if (fit.fp16IsServed || !fit.fits().value_or(false)) {
        return false;
    }
    const double left = fit.share * fit.memoryBytes - fit.weightFp16Bytes;
    return !fit.fp16Fits().value_or(true) || (fit.share > 0 && left < fit.kvBytes);
}

std::string fp16SentenceOf(const MemoryFit& fit) {
    if (fit.fp16IsServed || !fit.fits().value_or(true)) {
        return {};
    }
    if (fit.fp16Fits().value_or(true)) {
        const double left = fit.share * fit.memoryBytes - fit.weightFp16Bytes;
        return fp16LacksMemory(fit) && fp16ShortfallOf(fit).empty()
                   ? fmt::format(
                         "fp16's weights of {} would leave at most {} for the KV cache, of which {} used "
                         "{}: fp16 is timed over the same steps.",
                         formatGib(fit.weightFp16Bytes), formatGib(left), specOf(fit.weights).name,
                         formatGib(fit.kvBytes))
                   : std::string();
    }
    return fmt::format(
        "fp16 does not fit: {} of the {}'s {:.3g} GiB, so its times are only what they would be.",
        whatIsNeeded(fit, fit.weightFp16Bytes), fit.device, fit.memoryBytes / bytesPerGib);
}

std::string fp16ShortfallOf(const MemoryFit& fit) {
    if (fit.fp16IsServed || !fit.fits().value_or(false)) {
        return {};
    }
    if (!fit.fp16Fits().value_or(true)) {
        return "fp16 could not serve this: it does not fit";
    }
    if (!(fit.share > 0)) {
        return {};
    }
    auto room = static_cast<double>(fit.fp16RoomTokens);
    const auto longest = static_cast<double>(fit.longestTurnTokens);
    auto ownRoom = static_cast<double>(fit.roomTokens);
    const double all = static_cast<double>(fit.conversations) * fit.meanTurnTokens;
    std::string what;
    std::string who;
    if (fit.meanTurnTokens > room) {
        what = "this";
        who = fmt::format("conversations average {}", formatCount(fit.meanTurnTokens));
    } else if (all > room && all <= ownRoom) { // where both lack it, both let some wait
        what = counted(static_cast<std::uint64_t>(fit.conversations), "conversation") + " at once";
        who = fmt::format("together they average {}", formatCount(all));
    } else if (fit.longestTurnTokens > fit.fp16LongestRoomTokens) {
        room = static_cast<double>(fit.fp16LongestRoomTokens);
        ownRoom = static_cast<double>(fit.longestRoomTokens);
        what = "all of this";
        who = fmt::format("the longest turn takes {}", formatCount(longest));
    } else {
        return {};
    }
    return fmt::format("fp16 could not serve {}: fp16's weights leave at most {} tokens of KV ({}: {}), "
                       "and {}",
                       what, formatCount(room), specOf(fit.weights).name, formatCount(ownRoom), who);
}

Cell fitCell(const std::optional<bool>& fits) {
    return fits ? Cell(std::string(*fits ? "true" : "false")) : Cell();
}

} // namespace loadline
