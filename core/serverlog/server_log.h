// The log of an inference server: statistics by interval, requests, events, steps.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/time.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A server whose logs are read: a row of the table in format/server_formats.cpp, which is all that names
/// it. Compare addresses.
struct ServerFormat {
    std::string_view key;  ///< "llama-cpp"
    std::string_view name; ///< "llama.cpp server"
};

/// Limits on what is kept, whatever the size of a log: beyond them neighbours are merged or the last ones
/// left out, and a note says so.
struct ServerLogLimits {
    std::size_t lineBytes = std::size_t{1} << 20; ///< of a longer line only the beginning is looked at
    std::size_t intervals = std::size_t{1} << 19;
    std::size_t requests = std::size_t{1} << 18;
    std::size_t others = std::size_t{1} << 18; ///< events, steps, progress: of each
};

/// A physical line of the files that were read, in the order in which they were named.
struct LogLine {
    std::uint32_t file = 0; ///< index into ServerLog::files
    std::uint64_t line = 0; ///< 1-based; 0: none

    auto operator<=>(const LogLine&) const = default;
};

/// A value that the log does not tell. Every double of these values may be so.
inline constexpr double notTold = std::numeric_limits<double>::quiet_NaN();

inline bool isTold(double value) {
    return !std::isnan(value);
}

/// One line of statistics. Rates are of all requests together; `running` and `waiting` are of the instant
/// when it was written, rates a mean over the time before: a line can say 25 tokens/s and 0 running.
struct LogInterval {
    LogLine where = {};
    std::uint32_t source = 0; ///< index into ServerLog::sources, as of all records
    int engine = 0;           ///< rank of data parallelism
    int engines = 1;          ///< that this line sums ("4 Engines Aggregated")
    double timeS = notTold;   ///< seconds since ServerLog::begin
    double spanS = notTold;   ///< that rates are means over, before timeS
    double promptTokensPerS = notTold;
    double outputTokensPerS = notTold;
    double running = notTold;
    double waiting = notTold;
    double kvUse = notTold;          ///< of the KV cache, 0..1
    double stateUse = notTold;       ///< of the states of recurrent layers (SGLang's mamba usage), 0..1
    double windowUse = notTold;      ///< of the KV cache of sliding windows (SGLang's swa token usage), 0..1
    double prefixHit = notTold;      ///< 0..1: of recent requests (vLLM), of this batch (SGLang)
    double contextTokens = notTold;  ///< in the KV cache, all running requests together
    double acceptedLength = notTold; ///< tokens a step gives each sequence, by speculative decoding
    double newTokens = notTold;      ///< SGLang: computed by this batch of prompts
    double cachedTokens = notTold;   ///< SGLang: that this batch found in the cache
    double newRequests = notTold;
    double preemptions = notTold; ///< since the line before (vLLM resets its count with each line)

    [[nodiscard]] bool computesPrompts() const { return promptTokensPerS > 0 || newTokens > 0; }
    /// True if requests run, and neither prompts nor tokens of output are computed.
    [[nodiscard]] bool isStuck() const { return running > 0 && outputTokensPerS == 0 && !computesPrompts(); }
};

/// How a request ended, as far as it is told.
enum class RequestEnd : std::uint8_t { NotTold, Complete, Aborted, Failed };

/// One request. Times in seconds since ServerLog::begin.
struct LogRequest {
    LogLine first;
    LogLine last;
    std::uint32_t source = 0;
    std::string id;   ///< "msg_22cc86115e391733", "slot 0, task 388"; "" where there is none
    std::string path; ///< "POST /v1/messages"
    double arrivalS = notTold;
    double firstTokenS = notTold;
    double endS = notTold;
    double inputTokens = notTold;  ///< all of the prompt
    double cachedTokens = notTold; ///< of them
    double outputTokens = notTold;
    double prefillS = notTold;         ///< as the server timed it
    double decodeS = notTold;          ///< as the server timed it
    double decodeTokensPerS = notTold; ///< as the server printed it, or outputs over decodeS
    double acceptedDrafts = notTold;   ///< tokens of the output that speculative decoding drafted
    RequestEnd end = RequestEnd::NotTold;
    std::uint16_t status = 0;     ///< of HTTP, as its access line tells it; 0: none does
    bool arrivalInferred = false; ///< from the end and a duration
    bool endInferred = false;     ///< no line tells it: at the latest then, if one is served at a time
    std::optional<bool> streams;  ///< its answer, where that is told
    bool generates = true;        ///< false: counts tokens, lists models, asks for health ...
};

enum class LogEventKind : std::uint8_t {
    CacheMiss,
    CacheHit,      ///< `tokens` of it, where told
    FullReprocess, ///< a prompt is computed anew though a part was in the cache
    Preemption,
    Truncated, ///< a prompt or context was cut
    ServerStarted,
    ServerStopped,
    Failure,      ///< out of memory, a fatal error
    Refused,      ///< a request that does not fit into the context
    ReportedRate, ///< a rate printed for a whole request: `tokens` in `seconds`; what it divides is not said
};

struct LogEvent {
    LogLine where = {};
    LogEventKind kind = LogEventKind::CacheMiss;
    double timeS = notTold;
    double tokens = notTold;
    double seconds = notTold;
    std::string detail;     ///< an id, a reason
    double count = notTold; ///< Preemption: requests, where the line counts them
    bool swapped = false;   ///< Preemption: moved to the CPU's memory, not computed again
    std::uint32_t source = 0;
};

/// One decode step as a batch engine logs it.
struct LogStep {
    LogLine where = {};
    double timeS = notTold;
    double active = notTold;    ///< requests in the batch
    double seconds = notTold;   ///< that it took
    double responses = notTold; ///< tokens it gave, one for each request
    std::uint32_t source = 0;
};

/// A rate while a request runs (llama.cpp's "tg", progress of a prompt).
struct LogProgress {
    LogLine where = {};
    double timeS = notTold;
    std::size_t request = npos; ///< index into ServerLog::requests
    bool ofPrompt = false;
    double tokens = notTold;           ///< so far: computed of the prompt, or of the output
    double ofTokens = notTold;         ///< of the prompt, to compute: without those of the cache
    double tokensPerS = notTold;       ///< since it began; of one request
    double recentTokensPerS = notTold; ///< of the last seconds
    std::uint32_t source = 0;

    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// A setting or a property that a line tells, by a fixed name: "model", "context_tokens", "parallel",
/// "max_batch_size", "prefill_step_size", "max_output_tokens", "kv_tokens", "layers", "window",
/// "prefix_cache", "device", "devices" (how many, where several), "on_cpu" (layers that are), "version",
/// "bits_per_weight" (of the model's file), "eager", "cuda_graph" ("on", "off"), "tensor_parallel" (devices
/// that share each step).
struct LogFact {
    std::string_view name;
    std::string value;
    LogLine where = {};
    std::uint32_t source = 0;
};

/// How often a known pattern matched: its stable id ("vllm_v1_stats").
struct PatternCount {
    std::string_view pattern;
    std::uint64_t count = 0;
    bool operator==(const PatternCount&) const = default;
};

/// The kind of times that a log has.
enum class LogClock : std::uint8_t {
    None,      ///< lines have no time
    Uptime,    ///< since the server started
    TimeOfDay, ///< days are counted from the first
    MonthDay,  ///< without a year: 29 February is counted where a line bears it
    Date,
};

/// The source of the times of requests.
enum class RequestsFrom : std::uint8_t { None, Log, Inferred };

struct ServerLog {
    std::vector<std::string> files;
    /// Tags before the lines of each process or service, where several write one log: "42027" of a
    /// router's "[42027] ". The first is "", of lines without one.
    std::vector<std::string> sources{""};
    const ServerFormat* server = nullptr; ///< of which most lines are known; null: none
    std::uint64_t lines = 0;
    std::uint64_t knownLines = 0; ///< at least one pattern matched
    std::uint64_t bytes = 0;      ///< unpacked
    LogClock clock = LogClock::None;
    TimeMs begin = unknownTime;         ///< of LogClock::Date; times without a zone are taken as UTC
    bool zoneTold = false;              ///< a date names its zone: else `begin` is the log's own clock
    double lengthS = 0;                 ///< from the first time to the last
    std::vector<PatternCount> matched;  ///< those that did, in the order of the formats
    std::vector<LogInterval> intervals; ///< in the order of lines, as all of these
    std::vector<LogRequest> requests;
    std::uint64_t moreRequests = 0; ///< that generate, beyond ServerLogLimits: counted, and no more
    std::vector<LogEvent> events;
    std::vector<LogStep> steps;
    std::vector<LogProgress> progress;
    std::vector<LogFact> facts;
    RequestsFrom requestsFrom = RequestsFrom::None;
    std::vector<std::string> firstLines; ///< three, where no line is known
    std::vector<Diagnostic> diagnostics; ///< clocks that jump, lines too long, bytes that are no text
    std::vector<std::string> notes;      ///< what was thinned, what cannot be told

    [[nodiscard]] bool known() const { return knownLines > 0; }
};

/// Requests that generate, of those that are kept. Others ask for health or models, count tokens.
inline std::uint64_t keptRequests(const ServerLog& log) {
    return static_cast<std::uint64_t>(std::ranges::count_if(log.requests, &LogRequest::generates));
}

/// Returns the requests that generate of the whole log: the program's count of requests.
inline std::uint64_t requestCount(const ServerLog& log) {
    return keptRequests(log) + log.moreRequests;
}

/// "; figures from the first 262 144"; "" where all requests are kept.
std::string keptRequestsWords(const ServerLog& log);

/// Returns one sentence on what was odd, with its lines: "lines 7 and 9: the clock goes back: ...".
std::string logSentenceOf(const Diagnostic& diagnostic);

/// True if its clock was set back: then the order of lines is kept, and times before and after do not
/// compare.
inline bool clockGoesBack(const ServerLog& log) {
    return std::ranges::any_of(log.diagnostics, [](const Diagnostic& diagnostic) {
        return diagnostic.kind == DiagnosticKind::BadTimestamp;
    });
}

/// "vLLM"; "Access lines" where they are all that is known: no line names the server that wrote them.
std::string_view serverNameOf(const ServerLog& log);

/// The last value of a fact; "" where it is not told.
std::string_view factOf(const ServerLog& log, std::string_view name);

} // namespace loadline
