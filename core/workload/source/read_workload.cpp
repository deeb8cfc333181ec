// Reads distribution files and traces as workloads.
#include "core/workload/source/read_workload.h"

#include "core/base/file/archive.h"
#include "core/base/file/read_file.h"
#include "core/serverlog/files/read_server_log.h"
#include "core/session/files/content_of_file.h"
#include "core/text/plain_words.h"
#include "core/trace/trace.h"
#include "core/workload/source/workload_notes.h"
#include "core/workload/source/workload_of_log.h"
#include "core/workload/source/workload_of_traces.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

Result<Workload> workloadOf(Trace trace, const std::string& path) {
    const std::string name = nameOfFile(path);
    const std::string source = fmt::format("{} {}", trace.format->name, path);
    if (trace.blockTokens != traceBlockTokens) { // TraceRequest::blocks are of that size
        for (TraceRequest& request : trace.requests) {
            request.blocks.clear();
        }
    }
    Result<Workload> workload = trace.sessions.empty()
                                    ? workloadOfTrace(std::move(trace.requests), path, name, source)
                                    : workloadOfTurns(std::move(trace.sessions), path, name, source);
    if (workload) {
        workload->notes.insert(workload->notes.begin(), trace.notes.begin(), trace.notes.end());
        for (const Diagnostic& diagnostic : trace.diagnostics) {
            workload->notes.push_back(sentenceOfLine(diagnostic));
        }
        const auto lost = std::ranges::find_if(trace.diagnostics, leavesOutLine);
        if (lost != trace.diagnostics.end()) {
            noteIncomplete(*workload, fmt::format("Incomplete: {}: {}", name, sentenceOfLine(*lost)));
        }
    }
    return workload;
}

} // namespace

Result<Workload> workloadFromText(std::string_view text, const std::string& path) {
    switch (contentOf(text)) {
    case FileContent::Distribution: {
        Result<TokenDistribution> distribution = distributionFromJson(text, path);
        if (!distribution) {
            return distribution.error();
        }
        return workloadOfDistribution(std::move(distribution.value()), path);
    }
    case FileContent::Trace: {
        Result<Trace> trace = readTrace(text, path);
        if (!trace) {
            return trace.error();
        }
        return workloadOf(std::move(trace.value()), path);
    }
    default:
        break;
    }
    return Error{.what = "not a workload: neither a distribution file nor a request trace",
                 .where = path,
                 .remedy = "a file of `loadline turns --out`, a session folder, or a table with the columns "
                           "arrival_s,input_tokens,output_tokens"};
}

Result<Workload> readWorkload(const std::string& path, const WorkloadReading& reading) {
    Progress unseen;
    Progress& progress = reading.progress != nullptr ? *reading.progress : unseen;
    const std::vector<std::string> paths{path};
    if (contentOfFile(path) == FileContent::ServerLog) {
        const Result<ServerLog> log = readServerLog(paths, reading.stop, progress);
        return log ? workloadOfLog(*log, path) : Result<Workload>(log.error());
    }
    if (isArchive(readHead(path))) {
        return readTraceFiles(paths, path, reading.threads, reading.stop, progress);
    }
    const Result<std::string> text = readWholeFile(path, "the workload");
    if (!text) {
        return text.error();
    }
    return workloadFromText(*text, path);
}

} // namespace loadline
