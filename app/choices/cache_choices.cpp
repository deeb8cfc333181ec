// What can be chosen of the charts of caches, by its names.
#include "app/choices/cache_choices.h"

#include "core/cache/tier/kv_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::app {
namespace choices {
namespace {

constexpr NumberRange<double> ttls{1, 1e9};
const std::string cacheGroup = "Caches";
/// The word for a node's tiers beside the weights of whatever model is chosen.
const std::string usualTiers(cacheNodes().front().key);

bool isCacheModel(const std::string& word) {
    return std::ranges::find(cacheModels(), word, &CacheModel::key) != cacheModels().end();
}

ChoiceSpec tiersSpec(ChoiceSpec spec) {
    spec.usual = usualTiers;
    spec.accepts = [](const std::string& word) {
        return word.size() <= mostBytesOfText && cacheTiersFromText(word);
    };
    return spec;
}

Choice<SplitFleet> splitChoice(ChoiceSpec spec) {
    spec.usual = textOf(SplitFleet());
    spec.accepts = [](const std::string& word) { return fleetFromText(word).has_value(); };
    return {std::move(spec),
            [](const std::string& word) { return fleetFromText(word).value_or(SplitFleet()); },
            [](const SplitFleet& fleet) { return textOf(fleet); }};
}

ChoiceSpec withTest(ChoiceSpec spec, std::function<bool(const std::string&)> accepts) {
    spec.accepts = std::move(accepts);
    return spec;
}

} // namespace

const Choice<std::string> trace =
    textChoice({.setting = "cache/trace",
                .option = "--trace",
                .help = "Of this request trace (a file, an archive or a folder), not of sessions",
                .form = "PATH",
                .group = cacheGroup});
const Choice<bool> traceShown = flagChoice({.setting = "cache/trace_shown"}, true);
const Choice<bool> subAgents =
    flagChoice({.setting = "cache/sub_agents",
                .option = "--sub-agents",
                .help = "Count sub-agents' requests too: each is dealt to a replica as a session is",
                .group = cacheGroup},
               false);
const Choice<LruCount> lruCount =
    wordChoice({.setting = "cache/lru",
                .option = "--lru",
                .help = "cache-capacity: what counts as a hit (contiguous)",
                .group = cacheGroup},
               LruCount::Contiguous, {LruCount::Contiguous, LruCount::Fwd, LruCount::Rev});
const Choice<double> ttlS = numberChoice({.setting = "cache/ttl_s",
                                          .option = "--ttl-s",
                                          .help = "cache-ttl: seconds until a block is forgotten (300)",
                                          .group = cacheGroup},
                                         CacheSettings().ttlS, ttls);
const Choice<std::string> cacheModel = [] {
    ChoiceSpec spec = withTest({.setting = "cache/model",
                                .option = "--cache-model",
                                .help = "Model that bytes of KV cache stand for (llama-3.3-70b)",
                                .form = "MODEL",
                                .usual = CacheSettings().model,
                                .limits = "a model that 'loadline cache --json' lists",
                                .group = cacheGroup},
                               isCacheModel);
    return textChoice(std::move(spec));
}();
const Choice<double> kvBytesPerValue = numberChoice({.setting = "cache/kv_bytes",
                                                     .option = "--kv-bytes",
                                                     .help = "Bytes of a value of K or V (2)",
                                                     .group = cacheGroup},
                                                    CacheSettings().bytesPerValue, bytesPerKvValue);
const Choice<std::optional<double>> bytesPerWeight = optionalChoice(
    {.setting = "cache/weight_bytes",
     .option = "--weight-bytes",
     .help = "Bytes of a weight, which the memory of a node holds beside the blocks (as the model was "
             "published: MXFP4 experts of gpt-oss, fp8 of deepseek-v3 and kimi-k2, else 2)",
     .group = cacheGroup},
    bytesPerWeightRange);
const Choice<std::optional<int>> tensorParallel = optionalChoice(
    {.setting = "cache/tp",
     .option = "--tp",
     .help = "GPUs of a replica, which holds the weights once and computes a prompt; beyond the "
             "KV heads each keeps a copy of one, and of a latent always (the fewest, a power of "
             "two, with room for 131072 tokens or the longest turn)",
     .group = cacheGroup},
    tensorParallelRange);
const Choice<std::string> tiers =
    textChoice(tiersSpec({.setting = "cache/tiers",
                          .option = "--tiers",
                          .help = "Where blocks are kept: a node and tiers to change, or NAME:GB:GB/s:us, .. "
                                  "(h100-node, beside the weights)",
                          .form = "TIERS",
                          .group = cacheGroup}));
const Choice<SplitFleet> split = splitChoice(
    {.setting = "cache/split",
     .option = "--split",
     .help = "cache-split: GPUs, the share of their time that is prefill without reuse, and a hit "
             "rate instead of the counted one (gpus=64,prefill=0.5)",
     .form = "gpus=N,prefill=P,hit=H",
     .group = cacheGroup});
const Choice<std::string> chain =
    textChoice({.setting = "cache/chain",
                .option = "--chain",
                .help = "cache-requests: conversation of the trace (the one with most prompt tokens)",
                .form = "ID",
                .group = cacheGroup});

} // namespace choices

std::string traceOf(const Choices& all) {
    return all[choices::traceShown] ? all[choices::trace] : std::string();
}

SubAgents subAgentsOf(const Choices& all) {
    return all[choices::subAgents] ? SubAgents::Count : SubAgents::Apart;
}

CacheSettings cacheSettings(const Choices& all, const CacheFigure* shown) {
    const CacheSettings settings{.count = all[choices::lruCount],
                                 .ttlS = all[choices::ttlS],
                                 .model = all[choices::cacheModel],
                                 .bytesPerValue = all[choices::kvBytesPerValue],
                                 .bytesPerWeight = all[choices::bytesPerWeight],
                                 .tensorParallel = all[choices::tensorParallel],
                                 .tiers = {},
                                 .fleet = all[choices::split],
                                 .longestTurn = shown != nullptr ? shown->longestTurn() : 0,
                                 .chain = all[choices::chain]};
    return *withTiers(settings, all[choices::tiers]);
}

void setCacheSettings(Choices& all, const CacheSettings& settings) {
    all.set(choices::lruCount, settings.count);
    all.set(choices::ttlS, settings.ttlS);
    all.set(choices::cacheModel, settings.model);
    all.set(choices::kvBytesPerValue, settings.bytesPerValue);
    all.set(choices::tensorParallel, settings.tensorParallel);
    all.set(choices::bytesPerWeight, settings.bytesPerWeight);
    all.set(choices::tiers, tiersTextOf(settings));
    all.set(choices::split, settings.fleet);
    all.set(choices::chain, settings.chain);
}

} // namespace loadline::app
