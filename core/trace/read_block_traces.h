// Reads files into one block trace: traces of any format, folders of sessions, archives of them.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/file/archive.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/block_trace.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

struct BlockTraceOptions {
    unsigned threads = 0;   ///< 0: all of the machine; the result does not depend on it
    Tokens blockTokens = 0; ///< of a block, instead of what the trace tells; 0: as told
    ArchiveLimits archive = {};
};

/// An oddity in one of the files.
struct TraceFileDiagnostic {
    std::string path;       ///< of a file in an archive "ARCHIVE/NAME"
    std::uint64_t line = 0; ///< 0: the whole file is meant
    std::string what;       ///< a sentence without its end
    bool losesData = false; ///< something could not be read, and so is in no figure
    bool operator==(const TraceFileDiagnostic&) const = default;
};

/// Everything that was read, in the order of the paths.
struct BlockTraceFiles {
    BlockTrace trace;
    std::vector<std::string> formats;             ///< names of the formats found, each once
    std::vector<TraceFileDiagnostic> diagnostics; ///< by path
    std::vector<std::string> notes;               ///< what the traces cannot tell
    std::uint64_t files = 0;                      ///< those of archives each
    std::uint64_t bytes = 0;                      ///< unpacked
    std::uint64_t repeats = 0; ///< files left out: the same requests, with the same blocks, as one before
    bool complete = true;      ///< false when stopped before the end
};

/// "Incomplete: a.jsonl: line 7 left out: it is cut; 2 more places", without a full stop; "" where nothing
/// that was found is lost.
std::string incompleteSentence(const BlockTraceFiles& files);

/// Reads trace files and archives of them (not folders: findSessionFiles walks those). What cannot be read is
/// a diagnostic. The Error: nothing could be read, or blocks of different sizes came together.
Result<BlockTraceFiles> readBlockTraces(std::span<const std::string> paths, const BlockTraceOptions& options,
                                        const std::stop_token& stop, Progress& progress);

} // namespace loadline
