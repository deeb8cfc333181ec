// KV tokens and bytes over a recorded run.
#include "core/simulate/fit/kv_need.h"

#include "core/base/statistics.h"
#include "core/cost/estimate/attention.h"
#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/run/batch_recorder.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace loadline {
namespace {

double peak(const std::vector<WeightedValue>& sample) {
    double most = 0;
    for (const WeightedValue& one : sample) {
        most = std::max(most, one.value);
    }
    return most;
}

} // namespace

Result<KvNeed> kvNeed(const SimulationInputs& inputs, std::int64_t maxSteps, const std::stop_token& stop) {
    const auto recording = recordBatch(inputs, maxSteps, stop);
    if (!recording) {
        return recording.error();
    }
    KvNeed need = weightsAlone(inputs);
    need.steps = recording->steps();
    const std::optional<AttentionFacts>& attention = inputs.cost.model.attention;
    const double perValue = bytesEach(inputs.cost.format.kv);
    const BlocksBeside beside = blocksBesideOf(inputs);
    std::vector<WeightedValue> tokens;
    std::vector<WeightedValue> bytes;
    for (std::int64_t i = 0; i < recording->steps(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const auto weight = static_cast<double>(recording->strip.us[at]);
        double stepTokens = 0;
        double stepBytes = 0;
        std::int64_t besideBlocks = 0;
        for (const BatchRow& row : recording->rowsOf(i)) {
            if (row.kind == BatchRow::Kind::Waiting || row.kind == BatchRow::Kind::Preempted) {
                continue;
            }
            const double held = static_cast<double>(row.computedBefore) + row.tokens;
            stepTokens += held;
            stepBytes += attention ? kvBytes(*attention, held, perValue) : 0;
            besideBlocks += beside.of(static_cast<Tokens>(held));
        }
        if (recording->strip.usedBlocks[at] >= 0) {
            const auto whole = static_cast<double>((recording->strip.usedBlocks[at] - besideBlocks) *
                                                   inputs.policy.blockTokens);
            stepBytes +=
                attention ? kvBytesPerToken(*attention, perValue) * (whole - stepTokens) : 0; // shared once
            stepTokens = whole;
        }
        tokens.push_back({stepTokens, weight});
        bytes.push_back({stepBytes, weight});
    }
    need.p50Tokens = weightedQuantileOf(tokens, 0.5);
    need.p99Tokens = weightedQuantileOf(tokens, 0.99);
    need.peakTokens = peak(tokens);
    need.contextsKnown =
        inputs.arrivals.order == TurnOrder::Replayed || inputs.arrivals.kind == ArrivalKind::Trace;
    if (attention) {
        need.bytesPerToken = kvBytesPerToken(*attention, perValue);
        need.p99Bytes = weightedQuantileOf(bytes, 0.99);
        need.peakBytes = peak(bytes);
    }
    return need;
}

KvNeed weightsAlone(const SimulationInputs& inputs) {
    KvNeed need;
    need.weightBytes = weightBytes(inputs.cost.model, inputs.cost.format);
    need.weightFp16Bytes = weightBytes(inputs.cost.model, fp16Format);
    need.share = takesWhatIsLeft(inputs) ? memoryShareInForce(inputs) : 0;
    const Hardware* hardware = hardwareOf(inputs);
    need.memoryBytes = hardware != nullptr ? memoryBytesOf(*hardware) : 0;
    return need;
}

KvNeed withPeakOf(KvNeed need, const SimulationInputs& inputs, const SimulationResult& runs) {
    const auto tokens =
        static_cast<double>((runs.peakKvBlocks - runs.peakBesideBlocks) * inputs.policy.blockTokens);
    need.peakTokens = std::max(need.peakTokens, tokens);
    need.peakBytes = std::max(need.peakBytes, kvBytesOfBlocks(inputs, runs.peakKvBlocks));
    return need;
}

namespace {

/// "leave room for as much", "would leave 5.6 GiB for it", "leave no room for it"
std::string withFp16(const KvNeed& need) {
    const double left = (need.share > 0 ? need.share : 1) * need.memoryBytes - need.weightFp16Bytes;
    if (left >= need.peakBytes) {
        return "leave room for as much";
    }
    return left > 0 ? "would leave " + formatGib(left) + " for it" : "leave no room for it";
}

} // namespace

std::string kvNeedSentence(const KvNeed& need, Storage weights) {
    if (need.steps == 0) {
        return "";
    }
    std::string text =
        fmt::format("99 % of the time the KV cache holds {} tokens or less", formatCount(need.p99Tokens));
    if (need.bytesPerToken <= 0) {
        text += "; how many bytes that is these shapes do not tell.";
    } else {
        text += fmt::format(" ({}); at most {} ({})", formatGib(need.p99Bytes), formatCount(need.peakTokens),
                            formatGib(need.peakBytes));
        if (need.memoryBytes > 0) {
            const bool fits = need.weightBytes + need.peakBytes <= need.memoryBytes;
            text += fmt::format(". With weights of {} at {} that {} the device's {:.0f} GiB; fp16's "
                                "weights of {} {}",
                                formatGib(need.weightBytes), specOf(weights).name,
                                fits ? "fits into" : "does not fit into", need.memoryBytes / bytesPerGib,
                                formatGib(need.weightFp16Bytes), withFp16(need));
        }
        text += ".";
    }
    return need.contextsKnown
               ? text
               : text + " Turns are drawn singly: what their sessions held before is not in it.";
}

} // namespace loadline
