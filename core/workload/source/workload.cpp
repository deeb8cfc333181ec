// Makes workloads of distributions, turns and requests, and sums them up.
#include "core/workload/source/workload.h"

#include "core/text/enum_words.h"
#include "core/text/plain_words.h"
#include "core/workload/source/workload_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double maxArrivalS = 1e10; // seconds since 1970 reach 2e9

Error unusable(const std::string& why, const std::string& where, const std::string& remedy) {
    return {.what = "not a workload: " + why, .where = where, .remedy = remedy};
}

std::optional<std::string> problemOfBuckets(const BucketFrequencies& frequencies, const char* which) {
    bool any = false;
    for (const auto& [bucket, share] : frequencies.frequency) {
        if (bucket < 1 || bucket > maxTurnTokens) {
            return fmt::format("its {} has a bucket of {} tokens, which no request holds", which, bucket);
        }
        if (!std::isfinite(share) || share < 0) {
            return fmt::format("its {} has a frequency that is not a number of 0 or more", which);
        }
        any = any || share > 0;
    }
    return any ? std::nullopt : std::optional(fmt::format("its {} has no turns", which));
}

Workload named(Workload workload, std::string key, std::string name, std::string source) {
    workload.key = std::move(key);
    workload.name = std::move(name);
    workload.source = std::move(source);
    fillDistribution(workload);
    noteSmallTurns(workload);
    return workload;
}

double meanOf(const BucketFrequencies& frequencies) {
    double sum = 0;
    double shares = 0;
    for (const auto& [bucket, share] : frequencies.frequency) {
        sum += static_cast<double>(bucket) * share;
        shares += share;
    }
    return shares > 0 ? sum / shares : 0;
}

/// Adds up what is drawn: at least one token each.
class Totals {
public:
    void add(Tokens input, Tokens output) {
        ++turns_;
        input_ += static_cast<double>(simulatedTokens(input));
        output_ += static_cast<double>(simulatedTokens(output));
    }

    void finish(WorkloadSummary& summary) const {
        summary.turns = turns_;
        summary.meanInput = turns_ > 0 ? input_ / static_cast<double>(turns_) : 0;
        summary.meanOutput = turns_ > 0 ? output_ / static_cast<double>(turns_) : 0;
    }

private:
    std::uint64_t turns_ = 0;
    double input_ = 0;
    double output_ = 0;
};

} // namespace

std::string_view keyOf(WorkloadKind kind) {
    return wordOf(kind, {"distribution", "sessions", "trace"});
}

Workload referenceWorkload() {
    Workload reference;
    reference.key = "reference";
    reference.name = "Published study, 397 sessions";
    reference.distribution = publishedReference();
    reference.source = reference.distribution.description;
    reference.notes = {"input and output of a turn are drawn independently: the study published no pairs",
                       "sizes are powers of two: the study published no others",
                       "inputs are estimated there as characters / 4; gaps and contexts were not published"};
    return reference;
}

Result<Workload> workloadOfDistribution(TokenDistribution distribution, std::string key) {
    for (const auto& [part, which] :
         {std::pair(&distribution.input, "input"), std::pair(&distribution.output, "output")}) {
        if (const auto problem = problemOfBuckets(*part, which)) {
            return unusable(*problem, key, "a file written by `loadline turns --out`, or `reference`");
        }
    }
    Workload workload;
    workload.name = nameOfFile(key);
    workload.source =
        distribution.description.empty() ? "distribution file " + key : distribution.description;
    workload.key = std::move(key);
    workload.distribution = std::move(distribution);
    workload.notes = {"input and output of a turn are drawn independently, as powers of two"};
    if (workload.distribution.input.turns == 0 || workload.distribution.output.turns == 0) {
        workload.notes.emplace_back("how many turns were counted is not told, so chance in them is unknown");
    }
    return workload;
}

Result<Workload> workloadOfTurns(std::vector<WorkloadSession> sessions, std::string key, std::string name,
                                 std::string source) {
    std::erase_if(sessions, [](const WorkloadSession& session) { return session.turns.empty(); });
    if (sessions.empty()) {
        return unusable("there are no turns in it", key, "a trace with requests, or `reference`");
    }
    Workload workload;
    workload.kind = WorkloadKind::Sessions;
    workload.sessions = std::move(sessions);
    return named(std::move(workload), std::move(key), std::move(name), std::move(source));
}

Result<Workload> workloadOfTrace(std::vector<TraceRequest> requests, std::string key, std::string name,
                                 std::string source) {
    if (requests.empty()) {
        return unusable("there are no requests in it", key, "a trace with requests, or `reference`");
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!std::isfinite(requests[i].arrivalS) || std::abs(requests[i].arrivalS) > maxArrivalS) {
            return unusable(fmt::format("the arrival of request {} is not a time in seconds", i + 1), key,
                            "arrivals in seconds");
        }
    }
    std::ranges::stable_sort(requests, {}, &TraceRequest::arrivalS);
    const double first = requests.front().arrivalS;
    for (TraceRequest& request : requests) {
        request.arrivalS -= first;
    }
    Workload workload;
    workload.kind = WorkloadKind::Trace;
    workload.requests = std::move(requests);
    return named(std::move(workload), std::move(key), std::move(name), std::move(source));
}

std::optional<Error> problemOf(const Workload& workload) {
    switch (workload.kind) {
    case WorkloadKind::Distribution:
        if (problemOfBuckets(workload.distribution.input, "input") ||
            problemOfBuckets(workload.distribution.output, "output")) {
            return unusable("its distribution is empty", workload.key, "`reference`, or another file");
        }
        return std::nullopt;
    case WorkloadKind::Sessions:
        if (std::ranges::all_of(workload.sessions, [](const auto& s) { return s.turns.empty(); })) {
            return unusable("no API call with tokens is in scope", workload.key,
                            "a wider scope, another folder, or `reference`");
        }
        return std::nullopt;
    case WorkloadKind::Trace:
        if (workload.requests.empty()) {
            return unusable("there are no requests in it", workload.key, "another trace, or `reference`");
        }
        return std::nullopt;
    }
    return std::nullopt;
}

WorkloadSummary summaryOf(const Workload& workload) {
    WorkloadSummary summary{.sessions = workload.distribution.sessions};
    Totals totals;
    std::uint64_t following = 0;
    std::uint64_t gaps = 0;
    switch (workload.kind) {
    case WorkloadKind::Distribution:
        summary.turns = workload.distribution.input.turns;
        summary.meanInput = meanOf(workload.distribution.input);
        summary.meanOutput = meanOf(workload.distribution.output);
        return summary;
    case WorkloadKind::Sessions:
        for (const WorkloadSession& session : workload.sessions) {
            for (std::size_t i = 0; i < session.turns.size(); ++i) {
                const WorkloadTurn& turn = session.turns[i];
                totals.add(turn.input, turn.output);
                summary.knowsContexts = summary.knowsContexts || turn.context > 0;
                following += i > 0 ? 1 : 0;
                gaps += i > 0 && turn.gapS >= 0 ? 1 : 0;
            }
        }
        break;
    case WorkloadKind::Trace:
        for (const TraceRequest& request : workload.requests) {
            totals.add(request.input, request.output);
            summary.knowsContexts = summary.knowsContexts || request.cached > 0;
        }
        break;
    }
    totals.finish(summary);
    summary.knowsGaps = following > 0 && gaps * 2 >= following;
    return summary;
}

std::vector<double> gapsS(const Workload& workload) {
    std::vector<double> gaps;
    for (const WorkloadSession& session : workload.sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            if (turn.gapS >= 0) {
                gaps.push_back(turn.gapS);
            }
        }
    }
    return gaps;
}

} // namespace loadline
