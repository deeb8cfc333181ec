// The fields of a question about caches: a row for what options, settings, forms and undo need.
#include "core/ask/field_row.h"
#include "core/cache/study/cache_question.h"
#include "core/text/number_list.h"
#include "core/text/plain_words.h"
#include "core/text/word_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace loadline {
namespace {

using Q = CacheQuestion;
using T = TierOptions;
using Part = ask::FormPart;
using Scale = ask::SliderScale;

constexpr NumberRange<double> sessionsOnNode{1, 1e6};
constexpr NumberRange<double> blockSizes{1, 1 << 20};
constexpr NumberRange<std::int64_t> capacityRange{1, 1'000'000'000};
constexpr NumberRange<std::int64_t> ttlRange{0, 1'000'000'000};
constexpr double longestTtlS = 1e9;
constexpr std::string_view numbersForm = "A,B,..";
constexpr std::string_view moveOutForm =
    "share=F,index=F,fetch=F of 0..1, kind=files|lookup, bytes=X of 0..1e9, tier=NAME";

constexpr std::array<ask::Choice, 3> lruCounts = {
    {{"contiguous", "tokens of leading runs", "Of the leading run of a prompt's blocks that is there"},
     {"fwd", "blocks, front to back", "Each block that is there when it is touched, from the first on"},
     {"rev", "blocks, back to front", "The same from the last on, as vLLM frees them"}}};

bool isCacheModel(std::string_view text) {
    return findCacheModel(text) != nullptr;
}

bool areTiers(std::string_view text) {
    return cacheTiersFromText(text).hasValue();
}

bool readFleet(Q& q, std::string_view text) {
    const auto fleet = fleetFromText(text);
    q.fleet = fleet.value_or(q.fleet);
    return fleet.has_value();
}

std::string fleetOfQuestion(const Q& q) {
    return textOf(q.fleet);
}

template <auto member, auto& range>
bool readNumbers(Q& q, std::string_view text) {
    const auto numbers = numbersIn(text, range);
    q.*member = numbers.value_or(q.*member);
    return numbers.has_value();
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
bool readMoveOut(Q& q, std::string_view text) {
    MoveOut question;
    std::string tier = q.machine.moveOutTier;
    do {
        std::string_view value = cutUpTo(text, ',');
        const std::string_view key =
            value.find('=') == std::string_view::npos ? "share" : cutUpTo(value, '=');
        if (!takeMoveOutWord(trimmed(key), trimmed(value), question, tier)) {
            return false;
        }
    } while (!text.empty());
    q.machine.moveOut = question;
    q.machine.moveOutTier = tier;
    return true;
}

CacheSettings settingsFor(const void* question, const ask::Sources& sources) {
    return settingsOf(*static_cast<const Q*>(question), sources);
}

std::optional<double> publishedBytes(const void* question, const ask::Sources& sources) {
    return bytesPerWeightOf(settingsFor(question, sources));
}

std::optional<double> usualGpus(const void* question, const ask::Sources& sources) {
    return usualTensorParallelOf(settingsFor(question, sources));
}

std::string whyOneReplica(const void* question, const ask::Sources& sources) {
    const CacheSettings settings = settingsFor(question, sources);
    return nodeOf(settings).gpus > 1 ? "" : fmt::format("{} has one GPU", nodeOf(settings).name);
}

/// Traits of a field that only the page has: the option and the setting belong to another field.
constexpr ask::FieldTraits formOnly{.isOption = false, .isSetting = false};

} // namespace

ask::Fields cacheFields() {
    using ask::row;
    static const std::vector<ask::Field> rows = ask::inGroup(
        "Caches",
        {row("trace", ask::bound<&Q::trace>(),
             {"trace", "Of this request trace (a file, an archive or a folder), not of sessions"}, {}, {}, {},
             {.text = {.form = "PATH"}}),
         row("trace-shown", ask::bound<&Q::traceShown>(), {"trace shown"}, {}, {}, {}, {.isOption = false}),
         row("sub-agents", ask::bound<&Q::subAgents>(),
             {"sub-agents", "Count sub-agents' requests too: each is dealt to a replica as a session is",
              "whether sub-agents count"},
             {},
             {Part::View, 1, "Sub-agents' requests too",
              "Each sub-agent is dealt to a replica as a session is. Off: all figures are of main agents "
              "alone"}),
         row("lru", ask::bound<&Q::lru>(lruCounts),
             {"hits of an engine's cache", "cache-capacity: what counts as a hit (contiguous)", "what hits"},
             {}, {Part::View, 2, "Hits", "How an engine's cache is counted", nullptr, nullptr, "list"}),
         row("ttl-s", ask::bound<&Q::ttlS>(),
             {"time to live", "cache-ttl: seconds until a block is forgotten (300)"}, {1, longestTtlS},
             {Part::Holds, 2, "Time to live",
              "A block is forgotten that nobody held for so long; providers sell 5 min and 1 h"},
             {1, 604'800, Scale::Log, "s"}, {.form = ask::Form::Seconds}),
         row("cache-model", ask::bound<&Q::machine, &T::model>(),
             {"model", "Model that bytes of KV cache stand for (llama-3.3-70b)"}, {},
             {Part::Asks, 1, "Model",
              "What gigabytes stand for: the model that a provider serves tells nobody its own", nullptr,
              nullptr, "list"},
             {},
             {.text = {.form = "MODEL",
                       .read = ask::readIf<isCacheModel, &Q::machine, &T::model>,
                       .limits = "a model that 'loadline cache --json' lists"}}),
         row("kv-bytes", ask::bound<&Q::machine, &T::bytesPerKvValue>(),
             {"bytes of a KV value", "Bytes of a value of K or V (2)"}, bytesPerKvValue,
             {Part::Asks, 2, "KV bytes per value", "2 for bf16, 1 for fp8"}, {0.25, 4}),
         row("weight-bytes", ask::bound<&Q::machine, &T::bytesPerWeight>(),
             {"bytes of a weight",
              "Bytes of a weight, which the memory of a node holds beside the blocks (as the model was "
              "published: MXFP4 experts of gpt-oss, fp8 of deepseek-v3 and kimi-k2, else 2)"},
             bytesPerWeightRange,
             {Part::Asks, 3, "Bytes per weight",
              "2 for bf16, 1 for fp8, 0.5 for 4 bits: the weights share the memory with the blocks. "
              "Published: as the model was, scales included"},
             {0.25, 4, Scale::Log, "", "published", {}, "", publishedBytes}),
         row("tp", ask::bound<&Q::machine, &T::tensorParallel>(),
             {"tensor parallelism",
              "GPUs of a replica, which holds the weights once and computes a prompt; beyond the KV heads "
              "each keeps a copy of one, and of a latent always (the fewest, a power of two, with room for "
              "131072 tokens or the longest turn)"},
             {tensorParallelRange.least, tensorParallelRange.most},
             {Part::Asks, 4, "Tensor parallelism",
              "GPUs that compute a prompt together: a replica, with all weights and its share of the node. "
              "With more of them than KV heads each still keeps one head; a latent (MLA) is kept by every "
              "one. Auto: the fewest, a power of two, that have room for 131\u202f072 tokens, or for the "
              "longest turn, beside the weights",
              nullptr, whyOneReplica},
             {1, 8, Scale::Log, "GPUs", "auto", {}, "", usualGpus}),
         row("tiers", ask::bound<&Q::machine, &T::tiers>(),
             {"tiers", "Where blocks are kept: a node and tiers to change, or NAME:GB:GB/s:us, .. "
                       "(h100-node, beside the weights)"},
             {}, {.part = Part::Holds, .rank = 1, .editor = "tiers"}, {},
             {.text = {.form = "TIERS", .read = ask::readIf<areTiers, &Q::machine, &T::tiers>}}),
         row("split", ask::inWords<Q>(),
             {"fleet", "cache-split: GPUs, the share of their time that is prefill without reuse, and a hit "
                       "rate instead of the counted one (gpus=64,prefill=0.5)"},
             {}, {}, {},
             {.text = {.form = "gpus=N,prefill=P,hit=H",
                       .text = ask::textBy<fleetOfQuestion, Q>,
                       .read = ask::readBy<readFleet, Q>,
                       .limits = "gpus=N of 1..1000000, prefill=P and hit=H of 0..1"}}),
         row("fleet", ask::bound<&Q::fleet, &SplitFleet::gpus>(), {"fleet"}, {1, mostFleetGpus},
             {Part::Costs, 1, "Fleet", "GPUs that compute prompts, and GPUs that answer, without reuse"},
             {1, 1024, Scale::Log, "GPUs"}, formOnly),
         row("prefill-share", ask::bound<&Q::fleet, &SplitFleet::prefillShare>(), {"prefill share"}, {0, 1},
             {Part::Costs, 2, "Prefill share",
              "Of the GPUs' time without reuse; the published study assumes half"},
             {}, formOnly),
         row("hit-rate", ask::bound<&Q::fleet, &SplitFleet::hitRate>(), {"hit rate"}, {0, 1},
             {Part::Costs, 3, "Hit rate",
              "Of prompt tokens, for prefill and decode alone: 0.94 and 0.921 are the published study's. "
              "Counted: within the time to live and the tiers"},
             {0, 1, Scale::Linear, "", "counted"}, formOnly),
         row("chain", ask::bound<&Q::chain>(),
             {"conversation", "cache-requests: conversation of the trace (the one with most prompt tokens)"},
             {}, {}, {}, {.text = {.form = "ID"}})});
    return rows;
}

ask::Fields cacheCommandFields() {
    static const std::string tiersHelp =
        fmt::format("Where blocks can be kept, fastest first: a node ({}), NAME:GB:GB/s:us,.. or a node and "
                    "tiers to change, h100-node,HBM:300 (h100-node)",
                    keyList(cacheNodes()));
    static const std::string models = brokenAfterCommas(keyList(cacheModels()));
    static const std::vector<ask::Field> rows = [] {
        using ask::row;
        std::vector<ask::Field> all = {
            row("block", ask::bound<&Q::blockTokens>(),
                {"block size", "Tokens of a block (as the trace tells; for sessions 64)"}, blockSizes),
            row("capacity-blocks", ask::inWords<Q>(),
                {"capacities", "Capacities of an engine's cache, in blocks"}, {}, {}, {},
                {.text = {.form = numbersForm,
                          .read = ask::readBy<readNumbers<&Q::capacitiesBlocks, capacityRange>, Q>,
                          .limits = "whole numbers of 1..1000000000, several divided by commas"}}),
            row("ttl-s", ask::inWords<Q>(),
                {"times to live", "Seconds after which a block that nobody held is forgotten"}, {}, {}, {},
                {.text = {.form = numbersForm,
                          .read = ask::readBy<readNumbers<&Q::ttlsS, ttlRange>, Q>,
                          .limits = "whole numbers of 0..1000000000, several divided by commas"}})};
        for (const std::string_view key :
             {"split", "sub-agents", "cache-model", "tp", "kv-bytes", "weight-bytes", "tiers"}) {
            all.push_back(ask::fieldOf(cacheFields(), key));
            ask::Field& shared = all.back();
            shared.words.group = {};
            if (key == "cache-model") { // the charts know another --model
                shared.key = "model";
                shared.words.help = "The model that a capacity in GB stands for (llama-3.3-70b)";
                shared.traits.text.form = "KEY";
                shared.traits.text.limits = models;
            } else if (key == "split") {
                shared.words.help.remove_prefix(std::string_view("cache-split: ").size());
            } else if (key == "tiers") { // what is wrong with them is an Error with more words
                shared.words.help = tiersHelp;
                shared.traits.text.read = nullptr;
            }
        }
        const ask::Field more[] = {
            row("gpus", ask::bound<&Q::machine, &T::gpus>(), {"GPUs", "GPUs of the machine (the node's)"},
                gpuCounts),
            row("peak-tflops", ask::bound<&Q::machine, &T::peakTflops>(),
                {"peak", "Dense peak of a GPU in the precision it computes in (the node's in fp16)"},
                gpuTflops),
            row("mfu", ask::bound<&Q::machine, &T::mfu>(),
                {"share of the peak", "Share of the peak that computing prompts reaches (0.5)"},
                utilisations),
            row("prefill-t0-s", ask::bound<&Q::machine, &T::fixedS>(),
                {"time of every prompt", "Seconds that every prompt takes beside its operations (0)"},
                fixedTimesS),
            row("bandwidth-share", ask::bound<&Q::machine, &T::bandwidthShare>(),
                {"share of the bandwidth", "Share of the GPU memory's bandwidth that decoding reaches (0.7)"},
                utilisations),
            row("batch", ask::bound<&Q::machine, &T::batch>(),
                {"batch", "Sequences that decode together (what fits, at most 256)"}, decodeBatches),
            row("sessions", ask::bound<&Q::machine, &T::sessions>(),
                {"sessions", "Sessions that share the node and begin at once (all, at their recorded times)"},
                sessionsOnNode),
            row("gpu-hour", ask::bound<&Q::machine, &T::gpuHour>(),
                {"price of a GPU", "Dollars of a GPU for an hour: without it costs are in GPU-seconds"},
                gpuHourPrices),
            row("move-out", ask::inWords<Q>(),
                {"share moved out", "What if share F of the prompt were read from a tier instead (index=0, "
                                    "fetch=0.1, kind=files, bytes=4)"},
                {}, {}, {},
                {.text = {.form = "F,..", .read = ask::readBy<readMoveOut, Q>, .limits = moveOutForm}})};
        all.insert(all.end(), std::begin(more), std::end(more));
        return all;
    }();
    return rows;
}

} // namespace loadline
