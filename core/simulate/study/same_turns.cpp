// Simulates as many turns, and compares.
#include "core/simulate/study/same_turns.h"

#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/sensitivity.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {

namespace {

/// `settles`: a settled run is longer, and so many turns take their share of it.
SameTurns sameOf(const SimulationReplicas& runs, const SimulationInputs& inputs, std::int64_t turns,
                 bool settles) {
    const SimulationResult all = pooled(runs.replicas);
    const double tokens = static_cast<double>(turns) * meanAnswerOf(inputs, longestRequestOf(inputs));
    const auto share = [&](const SimulationResult& run) {
        return !settles ? 1.0 / static_cast<double>(run.runs)
                        : tokens / static_cast<double>(std::max<std::uint64_t>(run.tokensOut, 1));
    };
    SameTurns same;
    same.us = all.wholeUs * share(all);
    same.preemptions = static_cast<double>(all.preemptions) * share(all);
    same.tokensIn = static_cast<double>(all.tokensIn) * share(all);
    same.ttftP50S = all.ttftS.p50;
    same.tpotP99S = all.tpotS.p99;
    for (const SimulationResult& run : runs.replicas) {
        same.runUs.push_back(run.wholeUs * share(run));
    }
    return same;
}

/// Nothing where it cannot be simulated.
std::optional<SimulationReplicas> runsOf(const SimulationInputs& inputs, const std::stop_token& stop) {
    auto runs = problemOf(inputs) ? std::nullopt : std::optional(simulate(inputs, 0, stop));
    if (!runs || !*runs || (*runs)->replicas.empty()) {
        return std::nullopt;
    }
    return std::move(**runs);
}

} // namespace

std::optional<SameTurns> sameTurnsOf(SimulationInputs inputs, std::int64_t turns, std::int64_t replicas,
                                     const std::stop_token& stop) {
    const bool settles = isSettling(inputs);
    if (settles) {
        constexpr std::int64_t fewest = 4;
        inputs.replicas = std::max(replicas, fewest);
        inputs.goal = replicas > 1 ? curveGoal() : roughGoal();
    } else {
        inputs.length = {.iterations = std::nullopt, .turns = turns};
        inputs.replicas = replicas;
    }
    const auto runs = runsOf(inputs, stop);
    return runs ? std::optional(sameOf(*runs, inputs, turns, settles)) : std::nullopt;
}

SameTurns sameTurnsOf(const SimulationReplicas& runs, const SimulationInputs& inputs, std::int64_t turns) {
    return sameOf(runs, inputs, turns, true);
}

std::optional<SameTurns> sameTurnsOf(SimulationInputs inputs, const RunPlan& plan, std::int64_t turns,
                                     const std::stop_token& stop) {
    inputs.plan = plan;
    const auto runs = runsOf(inputs, stop);
    return runs ? std::optional(sameOf(*runs, inputs, turns, true)) : std::nullopt;
}

std::optional<Banded> savedBy(const SameTurns& best, const SameTurns& now) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < std::min(best.runUs.size(), now.runUs.size()); ++i) {
        shares.push_back(1 - best.runUs[i] / now.runUs[i]);
    }
    return shares.size() < 2 ? std::nullopt
                             : std::optional(bandedOf(1 - best.us / now.us, std::move(shares)));
}

std::string whyLess(const SameTurns& best, const SameTurns& now) {
    constexpr double atLeast = 1; // a run
    if (now.preemptions - best.preemptions < atLeast) {
        return {};
    }
    return fmt::format("{} preemptions instead of {}, {} prompt tokens computed instead of {}",
                       formatCount(best.preemptions), formatCount(now.preemptions),
                       formatCount(best.tokensIn), formatCount(now.tokensIn));
}

ChoiceLatency latencyOf(const std::optional<SameTurns>& now, Tokens at) {
    const SameTurns known = now.value_or(SameTurns{});
    return {.ttftP50S = known.ttftP50S,
            .tpotP99S = known.tpotP99S,
            .leastAt = at,
            .leastTtftP50S = known.ttftP50S,
            .leastTpotP99S = known.tpotP99S};
}

std::string priceOf(const ChoiceLatency& latency) {
    constexpr double worthAWord = 1.01;
    std::string text;
    const auto add = [&](const char* name, double now, double best) {
        if (best > worthAWord * now) {
            text += fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", name, formatSeconds(best),
                                formatSeconds(now));
        }
    };
    if (latency.bestTpotP99S > 0) {
        add("TTFT p50", latency.ttftP50S, latency.bestTtftP50S);
        add("TPOT p99", latency.tpotP99S, latency.bestTpotP99S);
    }
    return text;
}

void keepLeast(ChoiceLatency& latency, const SameTurns& other, const SameTurns& now, Tokens value) {
    if (other.tpotP99S < latency.leastTpotP99S) {
        latency.leastAt = value;
        latency.leastTtftP50S = other.ttftP50S;
        latency.leastTpotP99S = other.tpotP99S;
        latency.leastTime = now.us > 0 ? other.us / now.us : 1;
    }
}

} // namespace loadline
