// Reads --model, --tiers and what belongs to them.
#include "app/cli/cache/tier_options.h"

#include "app/choices/cache_choices.h"
#include "app/faces/number_option.h"
#include "app/options/literal_words.h"
#include "core/cost/device/hardware.h"
#include "core/text/counted.h"
#include "core/text/plain_words.h"
#include "core/text/word_rule.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

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

/// The node that the text begins with, or the one whose tiers these are; null for others.
const CacheNode* findNode(std::string_view text) {
    const CacheNode* node = findCacheNode(trimmed(text.substr(0, text.find(','))));
    const Result<CacheTiers> tiers = cacheTiersFromText(text);
    return node != nullptr || !tiers ? node : findNodeOf(*tiers);
}

/// "1, 2, 4 or 8"
std::string divisorsText(double gpus) {
    std::vector<int> divisors;
    for (int one = 1; one <= gpus && tensorParallelRange.contains(one); ++one) {
        if (problemOf(Replicas{.gpus = gpus, .tensorParallel = one}).empty()) {
            divisors.push_back(one);
        }
    }
    std::string text;
    for (std::size_t i = 0; i < divisors.size(); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == divisors.size() ? " or " : ", ", divisors[i]);
    }
    return text;
}

Result<std::size_t> tierNamed(const CacheTiers& tiers, const CacheTier& memory, const std::string& name) {
    std::string names;
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        // Without a name: below the memory of the GPUs, where there is anything.
        const bool below =
            name.empty() && tiers[i].capacityGB > 0 && tiers[i].bandwidthGBs < memory.bandwidthGBs;
        if (below || lowered(tiers[i].name) == lowered(name)) {
            return i;
        }
        names += (names.empty() ? "" : ", ") + tiers[i].name;
    }
    if (name.empty()) {
        return tiers.size() - 1;
    }
    return Error{"there is no tier to move the context to", name, names};
}

} // namespace

const CacheTier& TierQuestion::memory() const {
    return tiers[memoryTierOf(tiers)];
}

void TierOptions::addTo(CLI::App& app) {
    addTaken(app, "--model", "KEY",
             "The model that a capacity in GB stands for (" + model + "):\n" + brokenAfterCommas(modelKeys()),
             "", [this](const std::string& text) {
                 if (findCacheModel(text) == nullptr) {
                     throw notTaken("--model", modelKeys(), text);
                 }
                 model = text;
             });
    const ChoiceSpec& tp = choices::tensorParallel.spec; // the charts' own words
    addNumber(app, tp.option, tensorParallel, tensorParallelRange, tp.help);
    const ChoiceSpec& bytes = choices::kvBytesPerValue.spec;
    addNumber(app, bytes.option, bytesPerKvValue, loadline::bytesPerKvValue, bytes.help);
    const ChoiceSpec& weights = choices::bytesPerWeight.spec;
    addNumber(app, weights.option, bytesPerWeight, bytesPerWeightRange, weights.help);
    addTaken(app, "--tiers", "TIERS",
             "Where blocks can be kept, fastest first: a node (" + nodeList() +
                 "), NAME:GB:GB/s:us,.. or a node and tiers to change, h100-node,HBM:300 (h100-node)",
             "", [this](const std::string& text) { tiers = text; });
    addNumber(app, "--gpus", gpus, gpuCounts, "GPUs of the machine (the node's)");
    addNumber(app, "--peak-tflops", peakTflops, gpuTflops,
              "Dense peak of a GPU in the precision it computes in (the node's in fp16)");
    addNumber(app, "--mfu", mfu, utilisations, "Share of the peak that computing prompts reaches (0.5)");
    addNumber(app, "--prefill-t0-s", fixedS, fixedTimesS,
              "Seconds that every prompt takes beside its operations (0)");
    addNumber(app, "--bandwidth-share", bandwidthShare, utilisations,
              "Share of the GPU memory's bandwidth that decoding reaches (0.7)");
    addNumber(app, "--batch", batch, decodeBatches,
              "Sequences that decode together (what fits, at most 256)");
    addNumber(app, "--sessions", sessions, sessionsOnNode,
              "Sessions that share the node and begin at once (all, at their recorded times)");
    addNumber(app, "--gpu-hour", gpuHour, gpuHourPrices,
              "Dollars of a GPU for an hour: without it costs are in GPU-seconds");
    addTaken(app, "--move-out", "F,..",
             "What if share F of the prompt were read from a tier instead: " + std::string(moveOutForm) +
                 " (index=0, fetch=0.1, kind=files, bytes=4)",
             "", [this](const std::string& text) { moveOut = moveOutIn(text, moveOutTier); });
}

Result<TierQuestion> TierOptions::resolved(double longestTurn) const {
    const CacheNode* known = findNode(tiers);
    TierQuestion question{.tiers = {},
                          .node = known != nullptr ? known : &cacheNodes().front(),
                          .knownNode = known,
                          .replicas = {},
                          .published = {},
                          .serving = {},
                          .batch = batch,
                          .sessions = sessions,
                          .gpuHour = gpuHour,
                          .moveOut = moveOut};
    const CacheModel& kept = *findCacheModel(model);
    const bool ofNode = findCacheNode(trimmed(std::string_view(tiers).substr(0, tiers.find(',')))) != nullptr;
    if (gpus && *gpus != question.node->gpus && ofNode) {
        return Error{fmt::format("--gpus {:g}, and the tiers of {} are those of {}", *gpus,
                                 question.node->key,
                                 counted(static_cast<std::uint64_t>(question.node->gpus), "GPU")),
                     tiers, "--tiers with what all the GPUs have: NAME:GB:GB/s:us, .."};
    }
    const KvLayout layout{.model = &kept, .tensorParallel = 1, .bytesPerValue = bytesPerKvValue};
    const double bytesEach = bytesPerWeight.value_or(publishedWeightsOf(kept).bytesEach);
    const double weights = weightsGB(kept, bytesEach);
    question.replicas = {.gpus = gpus.value_or(question.node->gpus), .tensorParallel = 1};
    const CacheNode& node = *question.node;
    const double memoryGB = node.tiers[node.memoryTier].capacityGB * question.replicas.gpus / node.gpus;
    question.replicas.tensorParallel = tensorParallel.value_or(
        usualTensorParallel(layout, question.replicas.gpus, memoryGB, weights, longestTurn));
    if (std::string problem = problemOf(question.replicas); !problem.empty()) {
        return Error{
            std::move(problem), fmt::format("--tp {}", question.replicas.tensorParallel),
            fmt::format("--tp {}, of the GPUs of {}", divisorsText(question.replicas.gpus), node.name)};
    }
    Result<CacheTiers> read = cacheTiersFromText(tiers, weights * question.replicas.count());
    if (!read) {
        return read.error();
    }
    question.tiers = std::move(*read);
    question.published = bytesPerWeight ? PublishedWeights() : publishedWeightsOf(kept);
    const Hardware& gpu = *findHardware(node.hardware);
    question.serving = {.layout = {.model = &kept,
                                   .tensorParallel = question.replicas.tensorParallel,
                                   .bytesPerValue = bytesPerKvValue},
                        .compute = {.gpus = static_cast<double>(question.replicas.tensorParallel),
                                    .peakTflops = peakTflops.value_or(gpu.fp16Tflops),
                                    .mfu = mfu,
                                    .fixedS = fixedS},
                        .tier = {},
                        .bytesPerWeight = bytesEach,
                        .gpuBandwidthGBs = gpu.bandwidthGbS,
                        .bandwidthShare = bandwidthShare};
    const Result<std::size_t> to = tierNamed(question.tiers, question.memory(), moveOutTier);
    if (!to) {
        return to.error();
    }
    question.moveOutTo = *to;
    return question;
}

} // namespace loadline::app
