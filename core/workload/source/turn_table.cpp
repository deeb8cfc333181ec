// Alias tables in whole numbers, so that every platform draws the same.
#include "core/workload/source/turn_table.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

std::int32_t held(Tokens tokens) {
    return static_cast<std::int32_t>(simulatedTokens(tokens));
}

/// Shares as whole numbers: 2^44 / 41 buckets leaves every product below 2^53.
std::uint64_t weightOf(double share) {
    return static_cast<std::uint64_t>(std::llround(std::ldexp(std::clamp(share, 0.0, 1.0), 44)));
}

} // namespace

TurnTable::AliasTable TurnTable::aliasTable(const BucketFrequencies& frequencies) {
    std::vector<Tokens> values;
    std::vector<std::uint64_t> weights; // times the number of columns
    std::uint64_t sum = 0;
    for (const auto& [bucket, share] : frequencies.frequency) {
        if (const std::uint64_t weight = weightOf(share); weight > 0) {
            values.push_back(bucket);
            weights.push_back(weight);
            sum += weight;
        }
    }
    std::vector<std::size_t> small; // columns to be filled up by another
    std::vector<std::size_t> large;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] *= weights.size();
        (weights[i] < sum ? small : large).push_back(i);
    }
    AliasTable table(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        table[i] = {.threshold = 0, .own = held(values[i]), .other = held(values[i])};
    }
    while (!small.empty() && !large.empty()) {
        const std::size_t column = small.back();
        const std::size_t filler = large.back();
        small.pop_back();
        const double share = static_cast<double>(weights[column]) / static_cast<double>(sum);
        table[column].threshold = static_cast<std::uint32_t>(std::ldexp(share, 32));
        table[column].other = table[filler].own;
        weights[filler] -= sum - weights[column];
        if (weights[filler] < sum) {
            large.pop_back();
            small.push_back(filler);
        }
    }
    return table;
}

TurnTable::TurnTable(const Workload& workload) {
    switch (workload.kind) {
    case WorkloadKind::Distribution:
        input_ = aliasTable(workload.distribution.input);
        output_ = aliasTable(workload.distribution.output);
        return;
    case WorkloadKind::Sessions:
        for (const WorkloadSession& session : workload.sessions) {
            for (const WorkloadTurn& turn : session.turns) {
                turns_.push_back({held(turn.input), held(turn.output)});
            }
        }
        return;
    case WorkloadKind::Trace:
        turns_.reserve(workload.requests.size());
        for (const TraceRequest& request : workload.requests) {
            turns_.push_back({held(request.input), held(request.output)});
        }
        return;
    }
}

std::vector<DrawnTurn> drawTurns(const Workload& workload, std::size_t count, std::uint64_t seed) {
    const TurnTable table(workload);
    std::vector<DrawnTurn> turns;
    if (table.empty()) {
        return turns;
    }
    const RandomStream stream(seed);
    turns.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        turns[k] = table.draw(stream, k);
    }
    return turns;
}

} // namespace loadline
