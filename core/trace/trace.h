// Request traces as others publish them: which format, and what is in it.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/trace/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Told apart by content.
enum class TraceFormat : std::uint8_t {
    /// A request a line {"timestamp" ms, "input_length", "output_length", "hash_ids"}: Mooncake. A hash id
    /// stands for 512 tokens and all before them.
    Mooncake,
    Azure,        ///< TIMESTAMP,ContextTokens,GeneratedTokens: Azure LLM inference traces
    WekaRequests, ///< kv-cache-tester's sessions, a row a request: file, dup_of, chain, t, in, out, ...
    WekaSession,  ///< one of its sessions as JSON, sub-agents nested; ids of 64-token blocks
    PlainCsv,     ///< arrival_s,input_tokens,output_tokens
    PlainLines,   ///< a request a line {"arrival_s", "input_tokens", "output_tokens"}
    EngineRun,    ///< a request a line {"request_id", "input_toks", "output_toks", "arrival_time" s}
};
std::string_view keyOf(TraceFormat format);  ///< "mooncake", "azure", "weka-requests", ...
std::string_view nameOf(TraceFormat format); ///< for people

struct Trace {
    TraceFormat format = TraceFormat::PlainCsv;
    std::vector<TraceRequest> requests = {}; ///< by arrival, the first at 0; empty where there are sessions
    std::vector<WorkloadSession> sessions = {}; ///< of the weka formats: who follows whom is known
    std::vector<Diagnostic> diagnostics = {};   ///< of lines left out: how many of each kind, and the first
    std::vector<std::string> notes = {};        ///< what was left out on purpose, what cannot be told
    bool operator==(const Trace&) const = default;
};

/// "3 lines left out, the first is line 17: \"input_length\" is missing".
std::string sentenceOfLine(const Diagnostic& diagnostic);

/// From the beginning of a file (64 KiB are plenty); nothing if it is no trace.
std::optional<TraceFormat> traceFormatOf(std::string_view head);

/// Reads a trace of any of these formats. Lines that cannot be used are left out and counted; CRLF, a byte
/// order mark, quoted fields, other columns and blank lines are fine. `path` is for messages alone. The
/// Error: no trace, a column is missing, or no line of it could be used.
Result<Trace> readTrace(std::string_view text, const std::string& path);

} // namespace loadline
