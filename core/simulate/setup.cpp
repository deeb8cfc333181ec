// What is simulated: names of the choices, and what is wrong with values that make no sense.
#include "core/simulate/setup.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace loadline {
namespace {

constexpr std::array policies = {Policy::VllmV1, Policy::SinglePrefill, Policy::Mlx};
constexpr std::int64_t mostCount = std::int64_t{1} << 40;
constexpr std::int64_t mostCachedBlocks = std::int64_t{1} << 22; // of a prefix cache each takes memory

std::optional<Error> outside(std::string_view what, std::int64_t value, std::int64_t least,
                             std::int64_t most) {
    if (value >= least && value <= most) {
        return std::nullopt;
    }
    return Error{fmt::format("{} is {}", what, value), "",
                 fmt::format("choose {} to {}", formatExact(least), formatExact(most))};
}

std::optional<Error> outside(std::string_view what, double value, double least, double most,
                             std::string_view unit) {
    if (std::isfinite(value) && value >= least && value <= most) {
        return std::nullopt;
    }
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
        if (auto problem = outside("the chunk size", *policy.chunkTokens, 1, maxChunkTokens)) {
            return problem;
        }
    }
    if (auto problem = outside("the token budget", policy.budgetTokens, 1, maxChunkTokens)) {
        return problem;
    }
    if (auto problem = outside("the most sequences", policy.maxSeqs, 1, 1 << 20)) {
        return problem;
    }
    if (policy.policy == Policy::VllmV1 && policy.budgetTokens < policy.maxSeqs &&
        policy.maxSeqs != PolicySetup{}.maxSeqs) {
        return Error{
            fmt::format("the token budget ({}) is smaller than the most sequences ({}): vLLM refuses that",
                        policy.budgetTokens, policy.maxSeqs),
            "", "raise the token budget or lower the most sequences"};
    }
    if (auto problem = outside("the block size", policy.blockTokens, 1, 1 << 16)) {
        return problem;
    }
    if (policy.kvBlocks) {
        const std::int64_t most = policy.prefixCache ? mostCachedBlocks : mostCount;
        if (auto problem = outside("the number of KV blocks", *policy.kvBlocks, 2, most)) {
            return problem;
        }
    }
    if (policy.memoryShare) {
        if (auto problem = outside("the share of the device's memory", *policy.memoryShare, 0.01, 1, "")) {
            return problem;
        }
    }
    if (auto problem = outside("the longest request", policy.maxModelLen, 2, mostCount)) {
        return problem;
    }
    if (auto problem = outside("the prefill batch", policy.prefillBatch, 1, 1 << 16)) {
        return problem;
    }
    if (policy.fit.promptCap < 0 || policy.fit.freePrompt < 0) {
        return Error{"a prompt length of the study-like fit is below zero", "", "choose 0 or more"};
    }
    return outside("the watermark", policy.watermark, 0, 1, "");
}

std::optional<Error> problemOf(const ArrivalSetup& arrivals) {
    if (arrivals.kind == ArrivalKind::Closed) {
        if (auto problem = outside("the number of users", arrivals.users, 1, maxUsers)) {
            return problem;
        }
    }
    if (arrivals.kind == ArrivalKind::Poisson) {
        if (auto problem = outside("the rate", arrivals.ratePerS, 1e-6, 1e6, "turns a second")) {
            return problem;
        }
    }
    if (arrivals.think == ThinkTime::Fixed) {
        return outside("the think time", arrivals.thinkS, 0, 1e6, "s");
    }
    return std::nullopt;
}

std::optional<Error> problemOf(const RunLength& length, ArrivalKind arrivals) {
    if (!length.iterations && !length.turns && arrivals != ArrivalKind::Trace) {
        return Error{"the run has no end", "", "give a number of iterations or of turns"};
    }
    if (length.iterations) {
        if (auto problem = outside("the number of iterations", *length.iterations, 1, mostCount)) {
            return problem;
        }
    }
    if (length.turns) {
        return outside("the number of turns", *length.turns, 1, mostCount);
    }
    return std::nullopt;
}

} // namespace loadline
