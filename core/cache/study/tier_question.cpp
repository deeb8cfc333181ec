// From options to tiers, replicas and a serving setup.
#include "core/cache/study/tier_question.h"

#include "core/cache/figure/cache_settings.h"
#include "core/cost/device/hardware.h"
#include "core/text/counted.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace loadline {
namespace {

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

} // namespace loadline
