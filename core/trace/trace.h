// Request traces as others publish them: which format, and what is in it.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/trace/request.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct Trace;

/// A format of request traces: a row of the table in trace.cpp, which is all that names it. Compare
/// addresses.
struct TraceFormat {
    std::string_view key;  ///< "mooncake"
    std::string_view name; ///< for people
    bool isTable = false;  ///< rows under column names; otherwise JSON
    /// Columns (an underline may be a blank there), or members anywhere in the beginning, that it must have;
    /// alternatives are divided by '|'.
    std::string_view rule;
    /// Is given the whole text; the path is for messages. Need not set Trace::format.
    Result<Trace> (*read)(std::string_view text, const std::string& path) = nullptr;
    bool tellsBlocks = false; ///< of prompts, as readBlockTraces reads them; else lengths alone
};

/// Returns the formats in the order in which they are tried.
std::span<const TraceFormat> traceFormats();

struct Trace {
    const TraceFormat* format = nullptr;     ///< set by readTrace
    std::vector<TraceRequest> requests = {}; ///< by arrival, the first at 0; empty where there are sessions
    Tokens blockTokens = traceBlockTokens;   ///< of each of their blocks: as their counts fit
    std::vector<WorkloadSession> sessions = {}; ///< of the weka formats: who follows whom is known
    std::vector<Diagnostic> diagnostics = {};   ///< of lines left out: how many of each kind, and the first
    std::vector<std::string> notes = {};        ///< what was left out on purpose, what cannot be told
    bool operator==(const Trace&) const = default;
};

/// "3 lines left out (lines 17, 20 and 31): \"input_length\" is missing".
std::string sentenceOfLine(const Diagnostic& diagnostic);
/// True if lines of a trace are left out, and so are in no figure: whatever is odd, but for what is mended or
/// kept.
bool leavesOutLine(const Diagnostic& diagnostic);

/// Returns the format by the beginning of a file (64 KiB are plenty); null if it is no trace.
const TraceFormat* traceFormatOf(std::string_view head);

/// Reads a trace of any of these formats. Lines that cannot be used are left out and counted; CRLF, a byte
/// order mark, quoted fields, other columns and blank lines are fine. `path` is for messages alone. The
/// Error: no trace, a column is missing, or no line of it could be used.
Result<Trace> readTrace(std::string_view text, const std::string& path);

} // namespace loadline
