// The bootstrap: a workload as it might have been.
#include "core/base/random.h"
#include "core/workload/source/turn_table.h"
#include "core/workload/source/workload.h"
#include "core/workload/source/workload_notes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace loadline {
namespace {

constexpr std::uint64_t mostDraws = std::uint64_t{1} << 20;

/// One quantity again from its own frequencies; the other's turns are not touched.
BucketFrequencies drawn(const BucketFrequencies& frequencies, bool input, std::uint64_t seed) {
    Workload one;
    (input ? one.distribution.input : one.distribution.output) = frequencies;
    (input ? one.distribution.output : one.distribution.input).frequency = {{1, 1.0}};
    const TurnTable table(one);
    if (frequencies.turns == 0 || table.empty()) {
        return frequencies;
    }
    const std::uint64_t draws = std::min(frequencies.turns, mostDraws);
    const RandomStream stream(seed);
    std::map<Tokens, std::uint64_t> counts;
    for (std::uint64_t k = 0; k < draws; ++k) {
        const DrawnTurn turn = table.draw(stream, k);
        ++counts[input ? turn.input : turn.output];
    }
    BucketFrequencies result{.turns = frequencies.turns, .frequency = {}};
    for (const auto& [bucket, count] : counts) {
        result.frequency[bucket] = static_cast<double>(count) / static_cast<double>(draws);
    }
    return result;
}

std::vector<WorkloadSession> drawnSessions(const std::vector<WorkloadSession>& sessions, std::uint64_t seed) {
    std::vector<std::vector<std::size_t>> conversations; // in order of appearance
    std::unordered_map<std::string_view, std::size_t> known;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        const auto [entry, isNew] = known.try_emplace(sessions[i].partOf(), conversations.size());
        if (isNew) {
            conversations.emplace_back();
        }
        conversations[entry->second].push_back(i);
    }
    std::vector<WorkloadSession> result;
    const RandomStream stream(seed);
    for (std::size_t k = 0; k < conversations.size(); ++k) {
        const auto picked = below(static_cast<std::uint32_t>(conversations.size()), stream.at(k));
        for (const std::size_t i : conversations[picked]) {
            WorkloadSession& copy = result.emplace_back(sessions[i]);
            copy.conversation = sessions[i].partOf() + " #" + std::to_string(k + 1);
            copy.id += " #" + std::to_string(k + 1);
        }
    }
    return result;
}

/// Time before each request since the one before; before the first, around the circle, the mean.
std::vector<double> gapsBefore(const std::vector<TraceRequest>& requests) {
    std::vector<double> gaps(requests.size());
    for (std::size_t i = 1; i < requests.size(); ++i) {
        gaps[i] = requests[i].arrivalS - requests[i - 1].arrivalS;
    }
    if (requests.size() > 1) {
        gaps[0] =
            (requests.back().arrivalS - requests.front().arrivalS) / static_cast<double>(requests.size() - 1);
    }
    return gaps;
}

std::vector<TraceRequest> drawnRequests(const std::vector<TraceRequest>& requests, std::uint64_t seed) {
    const std::vector<double> gaps = gapsBefore(requests);
    const std::size_t n = requests.size();
    std::size_t block = 1; // ceil of the cube root
    while (block * block * block < n) {
        ++block;
    }
    const RandomStream stream(seed);
    std::vector<TraceRequest> result;
    result.reserve(n);
    double now = 0;
    for (std::size_t k = 0; result.size() < n; ++k) {
        const std::size_t first = below(static_cast<std::uint32_t>(n), stream.at(k));
        for (std::size_t i = 0; i < block && result.size() < n; ++i) {
            const std::size_t from = (first + i) % n;
            now += result.empty() ? 0 : gaps[from];
            result.push_back(requests[from]);
            result.back().arrivalS = now;
        }
    }
    return result;
}

} // namespace

Workload resampled(const Workload& workload, std::uint64_t seed) {
    Workload result = workload;
    switch (workload.kind) {
    case WorkloadKind::Distribution:
        result.distribution.input = drawn(workload.distribution.input, true, seedOf(seed, 1));
        result.distribution.output = drawn(workload.distribution.output, false, seedOf(seed, 2));
        return result;
    case WorkloadKind::Sessions:
        if (!workload.sessions.empty()) {
            result.sessions = drawnSessions(workload.sessions, seedOf(seed, 1));
        }
        break;
    case WorkloadKind::Trace:
        if (!workload.requests.empty()) {
            result.requests = drawnRequests(workload.requests, seedOf(seed, 1));
        }
        break;
    }
    const std::uint64_t sessions = workload.distribution.sessions;
    fillDistribution(result);
    result.distribution.sessions = sessions;
    return result;
}

} // namespace loadline
