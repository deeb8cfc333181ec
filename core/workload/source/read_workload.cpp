// Tells distribution files, traces and session logs apart, and reads the first two.
#include "core/workload/source/read_workload.h"

#include "core/base/read_file.h"
#include "core/session/log_kind.h"
#include "core/trace/trace.h"

#include <fmt/format.h>

namespace loadline {
namespace {

bool has(std::string_view text, std::string_view key) {
    return text.find(key) != std::string_view::npos;
}

std::string nameOfFile(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
}

Result<Workload> workloadOf(Trace trace, const std::string& path) {
    const std::string name = nameOfFile(path);
    const std::string source = fmt::format("{} {}", nameOf(trace.format), path);
    Result<Workload> workload = trace.sessions.empty()
                                    ? workloadOfTrace(std::move(trace.requests), path, name, source)
                                    : workloadOfTurns(std::move(trace.sessions), path, name, source);
    if (workload) {
        workload->notes.insert(workload->notes.begin(), trace.notes.begin(), trace.notes.end());
        for (const Diagnostic& diagnostic : trace.diagnostics) {
            workload->notes.push_back(sentenceOfLine(diagnostic));
        }
    }
    return workload;
}

} // namespace

WorkloadContent workloadContentOf(std::string_view head) {
    head = head.substr(0, headBytes);
    if (const LogKind* kind = logKindOf(head)) {
        switch (kind->use) {
        case LogUse::Session:
        case LogUse::UnreadAgent:
            return WorkloadContent::SessionLog;
        case LogUse::Distribution:
            return WorkloadContent::Distribution;
        case LogUse::Trace:
            return WorkloadContent::Trace;
        case LogUse::KernelTimes:
            return WorkloadContent::KernelTimes;
        case LogUse::Document:
            return WorkloadContent::Unknown;
        }
    }
    // A log whose first lines are broken is known by what its reader finds.
    const std::size_t start = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const bool record = start != std::string_view::npos && head[start] == '{';
    return record && has(head, "\"type\"") ? WorkloadContent::SessionLog : WorkloadContent::Unknown;
}

Result<Workload> workloadFromText(std::string_view text, const std::string& path) {
    switch (workloadContentOf(text)) {
    case WorkloadContent::Distribution: {
        Result<TokenDistribution> distribution = distributionFromJson(text, path);
        if (!distribution) {
            return distribution.error();
        }
        return workloadOfDistribution(std::move(distribution.value()), path);
    }
    case WorkloadContent::Trace: {
        Result<Trace> trace = readTrace(text, path);
        if (!trace) {
            return trace.error();
        }
        return workloadOf(std::move(trace.value()), path);
    }
    case WorkloadContent::KernelTimes:
    case WorkloadContent::SessionLog:
    case WorkloadContent::Unknown:
        break;
    }
    return Error{.what = "not a workload: neither a distribution file nor a request trace",
                 .where = path,
                 .remedy = "a file of `loadline turns --out`, a session folder, or a table with the columns "
                           "arrival_s,input_tokens,output_tokens"};
}

Result<Workload> readWorkload(const std::string& path) {
    const Result<std::string> text = readWholeFile(path, "the workload");
    if (!text) {
        return text.error();
    }
    return workloadFromText(*text, path);
}

} // namespace loadline
