// The distribution of exact turns, and a note on those that have none.
#include "core/workload/source/workload_notes.h"

#include "core/text/counted.h"

#include <set>
#include <string_view>
#include <utility>

namespace loadline {
namespace {

template <typename Visit>
void forEachTurn(const Workload& workload, Visit visit) {
    for (const WorkloadSession& session : workload.sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            visit(turn.input, turn.output);
        }
    }
    for (const TraceRequest& request : workload.requests) {
        visit(request.input, request.output);
    }
}

} // namespace

void fillDistribution(Workload& workload) {
    std::vector<HistogramValue> input;
    std::vector<HistogramValue> output;
    forEachTurn(workload, [&](Tokens in, Tokens out) {
        input.push_back({.value = in});
        output.push_back({.value = out});
    });
    std::set<std::string_view> conversations;
    for (const WorkloadSession& session : workload.sessions) {
        conversations.insert(session.partOf());
    }
    workload.distribution =
        distributionOf(histogramOf(input, BinKind::PowerOfTwo), histogramOf(output, BinKind::PowerOfTwo),
                       conversations.size(), workload.source);
}

void noteIncomplete(Workload& workload, std::string sentence) {
    if (!sentence.empty()) {
        workload.notes.insert(workload.notes.begin(), sentence);
        workload.incomplete = std::move(sentence);
    }
}

void noteSmallTurns(Workload& workload) {
    std::uint64_t withoutInput = 0;
    std::uint64_t withoutOutput = 0;
    forEachTurn(workload, [&](Tokens in, Tokens out) {
        withoutInput += in < 1 ? 1 : 0;
        withoutOutput += out < 1 ? 1 : 0;
    });
    const char* one = workload.kind == WorkloadKind::Trace ? "request" : "turn";
    if (withoutInput > 0) {
        workload.notes.push_back(counted(withoutInput, one) + " without input: simulated with 1 token");
    }
    if (withoutOutput > 0) {
        workload.notes.push_back(counted(withoutOutput, one) + " without output: simulated with 1 token");
    }
}

} // namespace loadline
