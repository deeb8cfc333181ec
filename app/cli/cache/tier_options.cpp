// Reads --model, --tiers and what belongs to them.
#include "app/cli/cache/tier_options.h"

#include "app/choices/cache_choices.h"
#include "app/faces/number_option.h"
#include "app/options/literal_words.h"
#include "core/cache/figure/cache_settings.h"
#include "core/text/plain_words.h"
#include "core/text/word_rule.h"

#include <CLI/CLI.hpp>

#include <string_view>

namespace loadline::app {
namespace {

constexpr NumberRange<double> sessionsOnNode{1, 1e6};
constexpr std::string_view moveOutForm =
    "share=F,index=F,fetch=F of 0..1, kind=files|lookup, bytes=X of 0..1e9, tier=NAME";

std::string modelKeys() {
    std::string keys;
    for (const CacheModel& model : cacheModels()) {
        keys += (keys.empty() ? "" : ", ") + std::string(model.key);
    }
    return keys;
}

std::string nodeList() {
    std::string keys;
    for (const CacheNode& node : cacheNodes()) {
        keys += (keys.empty() ? "" : ", ") + std::string(node.key);
    }
    return keys;
}

/// Sets what "fetch=0.2" says; whether it could.
bool takeMoveOutWord(std::string_view key, std::string_view value, MoveOut& question, std::string& tier) {
    const auto take = [&](double& field, const NumberRange<double>& range) {
        const auto number = parseNumber(value, range);
        field = number.value_or(field);
        return number.has_value();
    };
    if (key == "kind") {
        const auto kind = moveOutKindFromKey(value);
        question.kind = kind.value_or(question.kind);
        return kind.has_value();
    }
    if (key == "tier") {
        tier = value;
        return !value.empty();
    }
    return key == "share"   ? take(question.share, moveOutShares)
           : key == "index" ? take(question.index, moveOutShares)
           : key == "fetch" ? take(question.fetched, moveOutShares)
                            : key == "bytes" && take(question.bytesPerToken, moveOutBytes);
}

/// "0.5", or "share=0.5,fetch=0.2,tier=NVMe".
MoveOut moveOutIn(const std::string& text, std::string& tier) {
    MoveOut question;
    std::string_view rest = text;
    do {
        std::string_view value = cutUpTo(rest, ',');
        const std::string_view key =
            value.find('=') == std::string_view::npos ? "share" : cutUpTo(value, '=');
        if (!takeMoveOutWord(trimmed(key), trimmed(value), question, tier)) {
            throw notTaken("--move-out", std::string(moveOutForm), text);
        }
    } while (!rest.empty());
    return question;
}

} // namespace

void addTierOptions(CLI::App& app, TierOptions& options) {
    addTaken(app, "--model", "KEY",
             "The model that a capacity in GB stands for (" + options.model + "):\n" +
                 brokenAfterCommas(modelKeys()),
             "", [&options](const std::string& text) {
                 if (findCacheModel(text) == nullptr) {
                     throw notTaken("--model", modelKeys(), text);
                 }
                 options.model = text;
             });
    const ChoiceSpec& tp = choices::tensorParallel.spec; // the charts' own words
    addNumber(app, tp.option, options.tensorParallel, tensorParallelRange, tp.help);
    const ChoiceSpec& bytes = choices::kvBytesPerValue.spec;
    addNumber(app, bytes.option, options.bytesPerKvValue, bytesPerKvValue, bytes.help);
    const ChoiceSpec& weights = choices::bytesPerWeight.spec;
    addNumber(app, weights.option, options.bytesPerWeight, bytesPerWeightRange, weights.help);
    addTaken(app, "--tiers", "TIERS",
             "Where blocks can be kept, fastest first: a node (" + nodeList() +
                 "), NAME:GB:GB/s:us,.. or a node and tiers to change, h100-node,HBM:300 (h100-node)",
             "", [&options](const std::string& text) { options.tiers = text; });
    addNumber(app, "--gpus", options.gpus, gpuCounts, "GPUs of the machine (the node's)");
    addNumber(app, "--peak-tflops", options.peakTflops, gpuTflops,
              "Dense peak of a GPU in the precision it computes in (the node's in fp16)");
    addNumber(app, "--mfu", options.mfu, utilisations,
              "Share of the peak that computing prompts reaches (0.5)");
    addNumber(app, "--prefill-t0-s", options.fixedS, fixedTimesS,
              "Seconds that every prompt takes beside its operations (0)");
    addNumber(app, "--bandwidth-share", options.bandwidthShare, utilisations,
              "Share of the GPU memory's bandwidth that decoding reaches (0.7)");
    addNumber(app, "--batch", options.batch, decodeBatches,
              "Sequences that decode together (what fits, at most 256)");
    addNumber(app, "--sessions", options.sessions, sessionsOnNode,
              "Sessions that share the node and begin at once (all, at their recorded times)");
    addNumber(app, "--gpu-hour", options.gpuHour, gpuHourPrices,
              "Dollars of a GPU for an hour: without it costs are in GPU-seconds");
    addTaken(app, "--move-out", "F,..",
             "What if share F of the prompt were read from a tier instead: " + std::string(moveOutForm) +
                 " (index=0, fetch=0.1, kind=files, bytes=4)",
             "",
             [&options](const std::string& text) { options.moveOut = moveOutIn(text, options.moveOutTier); });
}

} // namespace loadline::app
