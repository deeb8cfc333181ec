// What is simulated: names of the choices, and what is wrong with values that make no sense.
#include "core/simulate/setup/setup.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>

namespace loadline {
namespace {

constexpr std::array policies = {Policy::VllmV1, Policy::SinglePrefill, Policy::Mlx};
std::optional<Error> outside(std::string_view what, std::int64_t value, const limits::Counts& range) {
    if (range.contains(value)) {
        return std::nullopt;
    }
    return Error{fmt::format("{} is {}", what, value), "",
                 fmt::format("choose {} to {}", formatExact(range.least), formatExact(range.most))};
}

std::optional<Error> outside(std::string_view what, double value, const limits::Reals& range,
                             std::string_view unit) {
    if (range.contains(value)) { // never so for NaN
        return std::nullopt;
    }
    const auto [least, most] = range;
    return Error{
        fmt::format("{} is {}", what, value), "",
        fmt::format("choose {:g} to {}{}{}", least,
                    most < 1000 ? fmt::format("{:g}", most) : formatExact(static_cast<std::int64_t>(most)),
                    unit.empty() ? "" : " ", unit)};
}

} // namespace

std::string_view keyOf(Policy policy) {
    switch (policy) {
    case Policy::VllmV1:
        return "vllm-v1";
    case Policy::SinglePrefill:
        return "single-prefill";
    case Policy::Mlx:
        return "mlx";
    }
    return "";
}

std::string_view nameOf(Policy policy) {
    switch (policy) {
    case Policy::VllmV1:
        return "vLLM V1";
    case Policy::SinglePrefill:
        return "Single prefill (published study)";
    case Policy::Mlx:
        return "MLX-LM";
    }
    return "";
}

std::string_view describe(Policy policy) {
    switch (policy) {
    case Policy::VllmV1:
        return "vLLM V1, exact: everyone running gets its tokens, then as many waiting prompts as the token "
               "budget "
               "holds.";
    case Policy::SinglePrefill:
        return "The published study taken literally: all who decode, then one chunk of one prompt. vLLM V1 "
               "instead "
               "prefills as many prompts in a step as its token budget holds.";
    case Policy::Mlx:
        return "MLX-LM: one decode of the whole batch and one padded prefill take turns, in forwards of "
               "their own. "
               "vLLM V1 instead mixes both in one forward.";
    }
    return "";
}

std::optional<Policy> policyFromKey(std::string_view key) {
    for (const Policy policy : policies) {
        if (keyOf(policy) == key) {
            return policy;
        }
    }
    return std::nullopt;
}

std::string_view keyOf(ArrivalKind kind) {
    switch (kind) {
    case ArrivalKind::Closed:
        return "closed";
    case ArrivalKind::Poisson:
        return "poisson";
    case ArrivalKind::Trace:
        return "trace";
    }
    return "";
}

std::string_view keyOf(ThinkTime think) {
    switch (think) {
    case ThinkTime::None:
        return "none";
    case ThinkTime::Fixed:
        return "fixed";
    case ThinkTime::FromData:
        return "data";
    }
    return "";
}

std::string_view keyOf(TurnOrder order) {
    return order == TurnOrder::Sampled ? "sampled" : "replayed";
}

std::string_view keyOf(StepScope scope) {
    return scope == StepScope::GemmOnly ? "gemm" : "whole-step";
}

Tokens chunkOf(const PolicySetup& setup) {
    constexpr Tokens studyChunk = 512; // the published study's
    constexpr Tokens mlxStep = 2048;   // MLX-LM's prefill_step_size
    switch (setup.policy) {
    case Policy::SinglePrefill:
        return setup.chunkTokens.value_or(studyChunk);
    case Policy::Mlx:
        return setup.chunkTokens.value_or(mlxStep);
    case Policy::VllmV1:
        break;
    }
    return setup.chunkTokens.value_or(0);
}

std::optional<Error> problemOf(const PolicySetup& policy) {
    if (policy.chunkTokens) {
        if (auto problem = outside("the chunk size", *policy.chunkTokens, limits::chunkTokens)) {
            return problem;
        }
    }
    if (auto problem = outside("the token budget", policy.budgetTokens, limits::budgetTokens)) {
        return problem;
    }
    if (auto problem = outside("the most sequences", policy.maxSeqs, limits::maxSeqs)) {
        return problem;
    }
    if (policy.policy == Policy::VllmV1 && policy.budgetTokens < policy.maxSeqs &&
        policy.maxSeqs != PolicySetup{}.maxSeqs) {
        return Error{
            fmt::format("the token budget ({}) is smaller than the most sequences ({}): vLLM refuses that",
                        policy.budgetTokens, policy.maxSeqs),
            "", "raise the token budget or lower the most sequences"};
    }
    if (auto problem = outside("the block size", policy.blockTokens, limits::blockTokens)) {
        return problem;
    }
    if (policy.kvBlocks) {
        const limits::Counts& range = policy.prefixCache ? limits::cachedBlocks : limits::kvBlocks;
        if (auto problem = outside("the number of KV blocks", *policy.kvBlocks, range)) {
            return problem;
        }
    }
    if (policy.memoryShare) {
        if (auto problem =
                outside("the share of the device's memory", *policy.memoryShare, limits::memoryShare, "")) {
            return problem;
        }
    }
    if (auto problem = outside("the longest request", policy.maxModelLen, limits::maxModelLen)) {
        return problem;
    }
    if (auto problem = outside("the prefill batch", policy.prefillBatch, limits::prefillBatch)) {
        return problem;
    }
    for (const Tokens prompt : {policy.fit.promptCap, policy.fit.freePrompt}) {
        if (auto problem = outside("a prompt length of the study-like fit", prompt, limits::fittedPrompt)) {
            return problem;
        }
    }
    return outside("the watermark", policy.watermark, limits::watermark, "");
}

std::optional<Error> problemOf(const ArrivalSetup& arrivals) {
    if (arrivals.kind == ArrivalKind::Closed) {
        if (auto problem = outside("the number of users", arrivals.users, limits::users)) {
            return problem;
        }
    }
    if (arrivals.kind == ArrivalKind::Poisson) {
        if (auto problem = outside("the rate", arrivals.ratePerS, limits::ratePerS, "turns a second")) {
            return problem;
        }
    }
    if (arrivals.think == ThinkTime::Fixed) {
        return outside("the think time", arrivals.thinkS, limits::thinkS, "s");
    }
    return std::nullopt;
}

std::optional<Error> problemOf(const RunLength& length, ArrivalKind arrivals) {
    if (!length.iterations && !length.turns && arrivals != ArrivalKind::Trace) {
        return Error{"the run has no end", "", "give a number of iterations or of turns"};
    }
    if (length.iterations) {
        if (auto problem = outside("the number of iterations", *length.iterations, limits::iterations)) {
            return problem;
        }
    }
    if (length.turns) {
        return outside("the number of turns", *length.turns, limits::turns);
    }
    return std::nullopt;
}

} // namespace loadline
