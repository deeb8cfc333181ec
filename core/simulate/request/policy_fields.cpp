// The fields of who decides what a step holds.
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/field_row.h"

#include <fmt/format.h>

#include <array>
#include <type_traits>
#include <vector>

namespace loadline {
namespace {

using R = SimulationRequest;
using P = PolicySetup;
using F = SourceFacts;

constexpr std::array<ask::Choice, 2> orders = {
    {{"fcfs", "who came first", "First come, first served (fcfs)"}, {"priority", "priority", "By priority"}}};
constexpr std::array<ask::Choice, 3> versions = {
    {{"latest", "2026-08", "The latest rules", "2026-08"},
     {"2026-03", "2026-03", "No reservation, no watermark"},
     {"2025-10", "2025-10", "Without chunked prefill, a prompt that is too long is passed over"}}};

std::span<const ask::Choice> policyChoices() {
    static const std::vector<ask::Choice> all = [] {
        std::vector<ask::Choice> choices;
        for (const PolicySpec& spec : policySpecs()) {
            choices.push_back({spec.key, spec.label, spec.words, {}});
        }
        return choices;
    }();
    return all;
}

std::string whyNoPrefixCache(const R& r, const F& facts) {
    ArrivalSetup arrivals = r.arrivals;
    arrivals.order = orderOf(arrivals, facts.knowsSessions);
    return knowsPrefixes(arrivals)
               ? ""
               : "Turns drawn one by one share no prefix: replay sessions to see the prefix cache";
}

std::string whyNoMemoryShare(const R& r, const F& facts) {
    if (!facts.knowsAttention) {
        return "These shapes say nothing of attention, so nobody knows what a KV block takes: choose the "
               "shapes of a model";
    }
    return r.policy.kvBlocks ? "The number of KV blocks is given: set it to \"enough\" first" : "";
}

std::string whyNoBudget(const R& r, const F& /*facts*/) {
    return std::string(specOf(r.policy.policy).whyNoBudget);
}

std::optional<double> ifKnown(std::int64_t number) {
    return number > 0 ? std::optional(static_cast<double>(number)) : std::nullopt;
}

std::optional<double> autoBudget(const R& r, const F& facts) {
    return ifKnown(specOf(r.policy.policy).isVllm ? facts.autoBudget : budgetOf({}));
}

std::optional<double> autoSeqs(const R& r, const F& facts) {
    return ifKnown(specOf(r.policy.policy).isVllm ? facts.autoSeqs : seqsOf({}));
}

template <Policy policy, auto why>
std::string whyOther(const R& r, const F& facts) {
    if (r.policy.policy != policy) {
        return fmt::format("Only {} knows this: choose it as the policy", nameOf(policy));
    }
    if constexpr (std::is_null_pointer_v<decltype(why)>) {
        return {};
    } else {
        return why(r, facts);
    }
}

/// The row of a field that no other policy knows. `why` it cannot be changed in that one, if there is a
/// reason.
template <Policy policy, auto why = nullptr>
ask::Field only(ask::Field row) {
    row.form.whyNot = byFacts<whyOther<policy, why>>;
    return row;
}

constexpr double mostTokens = static_cast<double>(maxChunkTokens);

} // namespace

ask::Fields policyFields() {
    using enum Policy;
    using Part = ask::FormPart;
    using Scale = ask::SliderScale;
    static const std::array rows = {
        row("policy", holdsGroup, ask::bound<&R::policy, &P::policy>(policyChoices()),
            {"policy", "The batching policy (vllm-v1)"}, {},
            {.part = Part::Holds, .rank = 1, .label = "Policy", .showsTip = true}),
        row("chunk", holdsGroup, ask::bound<&R::policy, &P::chunkTokens>(),
            {"chunk",
             "Most prompt tokens of one request in a step (vllm-v1: none,\nsingle-prefill: 512, mlx: 2048)",
             "the chunk size"},
            {1, mostTokens},
            {Part::Holds, 2, "Chunk size",
             "Most prompt tokens of one request in a step. Off: vLLM's own, no limit; single: 512; MLX: "
             "2\u202f048"},
            {16, 16384, Scale::Binary, "tokens", "off"},
            {"long_prefill_token_threshold", "chunk of {} tokens a request (0: no limit)", true, true},
            {.takesList = true}),
        row("budget", holdsGroup, ask::bound<&R::policy, &P::budgetTokens>(),
            {"token budget", "Most tokens in a step; not mlx. auto: as vLLM serves on the device,\n2048 "
                             "below 70 GB, 8192, 16384 from 160 GB on (auto)"},
            {1, mostTokens},
            {Part::Holds, 3, "Token budget", "Most tokens in a step (max_num_batched_tokens)", nullptr,
             byFacts<whyNoBudget>},
            {64, 65536, Scale::Binary, "tokens", "auto", {}, "", byFacts<autoBudget>},
            {"max_num_batched_tokens", "token budget {}"}, {.none = "auto"}),
        row("max-seqs", holdsGroup, ask::bound<&R::policy, &P::maxSeqs>(),
            {"max sequences",
             "Most requests that run at once; auto: as vLLM serves on the device, 256 or 1024 (auto)",
             "the most sequences"},
            {1, mostSeqs}, {Part::Holds, 4, "Max sequences", "Most requests that run at once (max_num_seqs)"},
            {1, 1024, Scale::Log, "", "auto", {}, "", byFacts<autoSeqs>},
            {"max_num_seqs", "at most {} sequences"}, {.none = "auto"}),
        row("prefix-cache", holdsGroup, ask::bound<&R::policy, &P::prefixCache>(),
            {"prefix cache", "Compute again what a prompt begins with, though another\nbegan alike"}, {},
            {Part::More, 4, "Prefix cache",
             "Prompts that begin alike are computed once. On as in vLLM, and without effect where turns are "
             "drawn one by one",
             nullptr, byFacts<whyNoPrefixCache>},
            {}, {"enable_prefix_caching", "prefix cache {}"}),
        only<VllmV1>(row("block-size", holdsGroup, ask::bound<&R::policy, &P::blockTokens>(),
                         {"block size", "vllm-v1: tokens in a KV block (16)"}, {1, 1 << 16},
                         {Part::More, 3, "Block size"}, {1, 256, Scale::Binary, "tokens"},
                         {"block_size", "KV blocks of {} tokens"})),
        only<VllmV1>(row(
            "kv-blocks", holdsGroup, ask::bound<&R::policy, &P::kvBlocks>(),
            {"KV blocks", "vllm-v1: KV blocks there are (none: enough; with\na prefix cache 1048576)",
             "the number of KV blocks", "the KV blocks"},
            {2, mostCount},
            {Part::More, 1, "KV blocks",
             "Blocks of the KV cache (num_gpu_blocks);\nauto: as many as the KV memory holds, without it "
             "enough for all"},
            {256, 1 << 20, Scale::Binary, "", "auto"}, {"num_gpu_blocks_override", "{} KV blocks", false})),
        only<VllmV1, whyNoMemoryShare>(
            row("gpu-memory-utilization", holdsGroup, ask::bound<&R::policy, &P::memoryShare>(),
                {"KV memory",
                 "vllm-v1: as many KV blocks as this share of the device's\nmemory holds beside the weights "
                 "(0.9)",
                 "the share of the device's memory", "the KV memory"},
                {0.01, 1},
                {Part::More, 2, "KV memory",
                 "As many KV blocks as this share of the device's memory holds beside the weights "
                 "(gpu_memory_utilization): at most, as vLLM takes activations and CUDA graphs off as well"},
                {0.01, 1, Scale::Linear, "", "not used"}, {"gpu_memory_utilization", "", false})),
        only<VllmV1>(row("max-model-len", holdsGroup, ask::bound<&R::policy, &P::maxModelLen>(),
                         {"longest request",
                          "vllm-v1: tokens at which requests end, at most what the KV memory holds;\n"
                          "longer prompts are refused (1048576)"},
                         {2, mostCount}, {}, {}, {"max_model_len", "requests end at {} tokens", false})),
        only<VllmV1>(row("watermark", holdsGroup, ask::bound<&R::policy, &P::watermark>(),
                         {"watermark", "vllm-v1: share of the blocks kept free (0)"}, {0, 1}, {}, {},
                         {"watermark", "watermark {}", false})),
        only<VllmV1>(row("order", holdsGroup, ask::bound<&R::policy, &P::order>(orders),
                         {"order", "vllm-v1: who is served first (fcfs)", "who is served first"}, {},
                         {Part::More, 7, "First"}, {}, {"scheduling_policy", "order {}"})),
        only<VllmV1>(row(
            "async", holdsGroup, ask::bound<&R::policy, &P::async>(),
            {"asynchronous", "vllm-v1: the next step is scheduled while one runs", "asynchronous scheduling"},
            {}, {Part::More, 6, "Asynchronous scheduling", "The next step is scheduled while one runs"}, {},
            {"async_scheduling", "asynchronous scheduling {}"})),
        only<VllmV1>(row("engine-version", holdsGroup, ask::bound<&R::policy, &P::version>(versions),
                         {"version", "vllm-v1: whose rules (latest)", "the engine's version"}, {},
                         {Part::More, 8, "Version"})),
        only<Mlx>(row("prefill-batch", holdsGroup, ask::bound<&R::policy, &P::prefillBatch>(),
                      {"prefill batch", "mlx: prompts in a prefill (8)"}, {1, 1 << 16})),
        only<SinglePrefill>(
            row("prompt-cap", holdsGroup, ask::bound<&R::policy, &P::fit, &StudyFit::promptCap>(),
                {"prompt cap", "single-prefill, study-like fit: prompts of more tokens are cut (0: never)"},
                {0, mostCount})),
        only<SinglePrefill>(
            row("free-prompt", holdsGroup, ask::bound<&R::policy, &P::fit, &StudyFit::freePrompt>(),
                {"free prompt", "single-prefill, study-like fit: prompts of up to N tokens cost no step (0)"},
                {0, mostCount})),
        only<VllmV1>(row("chunked-prefill", holdsGroup, ask::bound<&R::policy, &P::chunkedPrefill>(),
                         {"chunked prefill", "vllm-v1: a prompt in one step", "chunked prefill"}, {},
                         {Part::More, 5, "Chunked prefill", "A prompt may spread over several steps"}, {},
                         {"enable_chunked_prefill", "chunked prefill {}"})),
        only<VllmV1>(row("full-reservation", holdsGroup, ask::bound<&R::policy, &P::reserveFullPrompt>(),
                         {"full reservation", "vllm-v1: admit a prompt when its first chunk fits"}, {}, {},
                         {}, {"scheduler_reserve_full_isl", "reservation of whole prompts {}"})),
    };
    return rows;
}

} // namespace loadline
