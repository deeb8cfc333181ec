// A workload as a value: where the turns of a simulation come from, sampled or replayed.
#pragma once

#include "core/base/result.h"
#include "core/base/statistics.h"
#include "core/trace/request.h"
#include "core/workload/distribution/distribution.h"
#include "core/workload/scope/scope.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

enum class WorkloadKind : std::uint8_t {
    Distribution, ///< how often each size occurs, and no more
    Sessions,     ///< turns in order, with their contexts and gaps
    Trace,        ///< requests at their times
};
std::string_view keyOf(WorkloadKind kind); ///< "distribution", "sessions", "trace"

/// How far the outputs of sessions can be trusted.
struct OutputTrust {
    std::uint64_t calls = 0;        ///< API calls with tokens; 0: not of sessions' logs
    std::uint64_t bounds = 0;       ///< of them, those whose output is a lower bound
    bool visible = false;           ///< counted from what is visible: OutputCounts::Visible, or Auto's choice
    std::vector<std::string> notes; ///< what Workload::notes say of it

    [[nodiscard]] bool mostlyBounds() const { return bounds > 0 && 2 * bounds >= calls; }

    bool operator==(const OutputTrust&) const = default;
};

/// The server that answered the requests of a log, as far as the log tells.
struct RecordedServer {
    Quantiles latencyS;       ///< arrival to end, of requests that completed; n 0: not told
    double tokensPerS = 0;    ///< output tokens from the first arrival to the last end; 0: not told
    std::string model = {};   ///< CacheModel::key; "": none that is known is named
    double bitsPerWeight = 0; ///< mean over what a stream reads; 0: not told
    std::int64_t maxSeqs = 0; ///< requests served at once at most; 0: not told
    bool operator==(const RecordedServer&) const = default;
};

struct Workload {
    std::string key;    ///< as `--workload` was given: "reference", a path
    std::string name;   ///< for people
    std::string source; ///< provenance, a sentence
    WorkloadKind kind = WorkloadKind::Distribution;
    TokenDistribution distribution;        ///< always filled
    std::vector<WorkloadSession> sessions; ///< of kind Sessions
    std::vector<TraceRequest> requests;    ///< of kind Trace, by arrival
    std::vector<std::string> notes;        ///< what the data cannot tell, what was left out
    std::string incomplete = {}; ///< what could not be read, a sentence that notes hold too; "": nothing
    OutputTrust outputs = {};
    std::optional<RecordedServer> recorded = {}; ///< of a server's log
    bool operator==(const Workload&) const = default;
};

/// publishedReference() under the key "reference".
Workload referenceWorkload();

/// The Error: no input or no output bucket, or one beyond maxTurnTokens.
Result<Workload> workloadOfDistribution(TokenDistribution distribution, std::string key);

/// The output that a call is taken to have if the log has only a lower bound of it.
enum class OutputCounts : std::uint8_t {
    Auto,     ///< Visible where most outputs are lower bounds (OutputTrust::mostlyBounds), else Recorded
    Recorded, ///< the bound itself: as the histograms count
    Visible,  ///< at least characters / 4 of what the log shows of the answer: an estimate
};
std::string_view keyOf(OutputCounts outputs); ///< "auto", "recorded", "visible"

/// The API calls in scope, each once, as the turns of their lane (the main agent; each sub-agent a session of
/// its own) in order of time: context = cache read and CorpusCall::continued, input =
/// CorpusCall::newInput(), output. The gap
/// runs from the last line of the call before to the record that this call answers; where a lane's call was
/// asked for before the last line of the one before was written, it is 0. Calls without any tokens are left
/// out. The brush is not applied: a conversation with holes cannot be replayed. Nothing in scope gives a
/// workload without sessions, of which problemOf speaks.
Workload workloadOfSessions(const Corpus& corpus, const Selection& selection, std::string key,
                            std::string name, OutputCounts outputs = OutputCounts::Recorded);

/// Sessions from elsewhere (a trace that tells who follows whom). The Error: no turn in it.
Result<Workload> workloadOfTurns(std::vector<WorkloadSession> sessions, std::string key, std::string name,
                                 std::string source);

/// Sorts by arrival and lets the first arrive at 0. The Error: no request, or a time that is not a number.
Result<Workload> workloadOfTrace(std::vector<TraceRequest> requests, std::string key, std::string name,
                                 std::string source);

/// Returns the reason why nothing can be drawn from the workload; nothing if something can.
std::optional<Error> problemOf(const Workload& workload);

/// How much there is of it, and the means of what drawTurns draws.
struct WorkloadSummary {
    std::uint64_t turns = 0;    ///< turns or requests; of a distribution those behind its input
    std::uint64_t sessions = 0; ///< as the distribution says, where there is nothing else
    double meanInput = 0;
    double meanOutput = 0;
    bool knowsGaps = false;     ///< at least half of the turns that follow another say after how long
    bool knowsContexts = false; ///< any turn or request tells what was there before
    bool operator==(const WorkloadSummary&) const = default;
};

WorkloadSummary summaryOf(const Workload& workload);

/// All gaps that are known, in the order of sessions and turns: what think times are drawn from.
std::vector<double> gapsS(const Workload& workload);

struct DrawnTurn {
    std::int32_t input = 1;  ///< 1 or more: a request has at least one prompt token
    std::int32_t output = 1; ///< 1 or more
    bool operator==(const DrawnTurn&) const = default;
};

/// Turns drawn one after the other: the k-th depends on seed and k alone (common random numbers). See
/// TurnTable for what is drawn. Empty where problemOf finds something.
std::vector<DrawnTurn> drawTurns(const Workload& workload, std::size_t count, std::uint64_t seed);

/// Returns the workload as it might have been if other turns or requests had been recorded (bootstrap).
/// Sessions: whole conversations with replacement, an agent and its sub-agents together.
/// Trace: a circular block bootstrap: runs of ceil(n^(1/3)) requests follow each other with the gaps between
///   their arrivals. Singly drawn, requests would lose the bursts and the likeness of neighbours, and with
///   them most of the spread of waiting times.
/// Distribution: as many turns as were counted are drawn from the buckets (multinomially), input and output
///   apart; above 2^20 turns as if there were so many (their sampling error is below 0.1 %). A distribution
///   that does not tell how many turns it counted stays as it is.
Workload resampled(const Workload& workload, std::uint64_t seed);

} // namespace loadline
