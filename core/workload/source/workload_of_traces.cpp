// Makes turns of chains, and requests at their times of traces without conversations.
#include "core/workload/source/workload_of_traces.h"

#include "core/text/counted.h"
#include "core/text/plain_words.h"
#include "core/trace/weka_chain.h"
#include "core/workload/source/workload_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace loadline {
namespace {

constexpr std::size_t mostToldFiles = 3;
/// Whole lists of blocks take thirty times the room of what prompts add to each other.
constexpr std::uint64_t mostBlockReferences = std::uint64_t{1} << 27;

std::uint64_t blockReferencesOf(const BlockTrace& trace) {
    std::uint64_t sum = 0;
    for (const BlockRequest& request : trace.requests) {
        sum += request.blocks();
    }
    return sum;
}

/// Blocks of all scopes numbered on; tokens of leading blocks that came before in the trace are cached.
std::vector<TraceRequest> requestsOf(const BlockTrace& trace, bool withBlocks) {
    std::vector<TraceRequest> requests;
    requests.reserve(trace.requests.size());
    PromptBlocks prompts(trace);
    std::uint32_t base = 0; // of the scope's numbers
    std::uint32_t scope = 0;
    std::uint32_t known = 0; // of its blocks, numbered as they came
    for (const BlockChain& chain : trace.chains) {
        for (; scope < chain.scope; ++scope) {
            base += trace.blocksOfScope[scope];
            known = 0;
        }
        for (const BlockRequest& request : trace.requestsOf(chain)) {
            TraceRequest& made = requests.emplace_back();
            made.arrivalS = chain.beginsS + request.startS;
            made.input = request.input;
            made.output = request.output;
            Tokens leading = 0;
            bool seen = true;
            const std::uint32_t before = known;
            for (const std::uint32_t block : prompts.next(request)) {
                seen = seen && block < before;
                leading += seen ? 1 : 0;
                known = std::max(known, block + 1);
                if (withBlocks) {
                    made.blocks.push_back(base + block);
                }
            }
            made.cached = std::min(leading * trace.blockTokens, request.input);
        }
    }
    return requests;
}

void noteFiles(const BlockTraceFiles& read, std::vector<std::string>& notes) {
    for (std::size_t i = 0; i < std::min(mostToldFiles, read.diagnostics.size()); ++i) {
        const TraceFileDiagnostic& one = read.diagnostics[i];
        notes.push_back(nameOfFile(one.path) + ": " + one.what);
    }
    if (read.diagnostics.size() > mostToldFiles) {
        notes.push_back(fmt::format("{} more such notes on files: `loadline cache --json` lists all",
                                    read.diagnostics.size() - mostToldFiles));
    }
    if (read.repeats > 0) {
        notes.push_back(counted(read.repeats, "file") + " left out: repeated another");
    }
}

} // namespace

Result<Workload> workloadOfTraces(const BlockTraceFiles& read, const std::string& key) {
    const BlockTrace& trace = read.trace;
    const std::string name = nameOfFile(std::string_view(key).substr(0, key.find_last_not_of('/') + 1));
    const std::string source = fmt::format("{} {}", fmt::join(read.formats, " and "), key);
    std::vector<std::string> notes = read.notes;
    const bool fits = blockReferencesOf(trace) <= mostBlockReferences;
    if (!trace.conversations && !fits) {
        notes.push_back(fmt::format("more than {} references to blocks: what prompts share is left out",
                                    mostBlockReferences));
    }
    if (!trace.conversations && trace.chains.size() > 1) {
        notes.push_back(counted(trace.chains.size(), "trace") + " side by side, each from its own start");
    }
    Result<Workload> workload =
        trace.conversations
            ? workloadOfTurns(sessionsOf(trace, notes), key, name, source)
            : workloadOfTrace(requestsOf(trace, fits && trace.blockTokens == traceBlockTokens), key, name,
                              source);
    if (workload) {
        noteFiles(read, notes);
        workload->notes.insert(workload->notes.begin(), notes.begin(), notes.end());
        noteIncomplete(*workload, incompleteSentence(read));
    }
    return workload;
}

Result<Workload> readTraceFiles(std::span<const std::string> paths, const std::string& key, unsigned threads,
                                const std::stop_token& stop, Progress& progress) {
    const Result<BlockTraceFiles> read =
        readBlockTraces(paths, {.threads = threads, .blockTokens = 0, .archive = {}}, stop, progress);
    return read ? workloadOfTraces(*read, key) : Result<Workload>(read.error());
}

} // namespace loadline
