// The log as far as it is read, and how the patterns of servers add to it.
#pragma once

#include "core/serverlog/read/log_memory.h"
#include "core/serverlog/read/log_times.h"
#include "core/serverlog/server_log.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The number that the whole text is, thousands separated by "," or not; not told: none.
double numberOf(std::string_view text);

/// Go's durations ("1m43s", "57.956598944s", "1.854138ms", "120µs"), in seconds; not told: none.
double goSeconds(std::string_view text);

/// True if a request of this method and path generates text.
bool generates(std::string_view method, std::string_view path);
/// True if it asks for embeddings: a prompt is computed, and nothing generated.
bool embeds(std::string_view path);

/// A log while it is read. Times are seconds on the axis of LogTimes. Copied to look at what is there.
struct LogAssembly {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr int lastEngine = 1023; ///< a rank beyond is taken as this one

    explicit LogAssembly(const ServerLogLimits& mostKept) : limits(mostKept) {}

    ServerLogLimits limits;
    ServerLog log;

    // The line that is being taken, and its time: where it bears none, that of the one before.
    LogLine where;
    std::string_view line;
    double now = notTold;
    bool hasTime = false;     ///< the line bears one
    bool tellsServer = false; ///< set by a pattern that other programs share, when this line is a server's

    /// Returns the index of what stands before the line in ServerLog::sources, which grows up to a limit.
    std::uint32_t source();
    /// Returns a key of the engine among those of all sources.
    int engineKey(int engine) { return engine + (lastEngine + 1) * static_cast<int>(source()); }
    /// Returns the new request's index. Beyond limits.requests only the newest are kept (ring buffer); all
    /// are counted.
    std::size_t addRequest();
    /// Returns a request; for `none` and those that are gone, one that is never shown.
    LogRequest& request(std::size_t index);
    [[nodiscard]] std::size_t requestsAdded() const { return log.requests.size() + beyond_.added; }
    [[nodiscard]] std::uint64_t requestsBeyond() const; ///< the limit: those that generate
    void addInterval(LogInterval interval);
    /// Sets a field of the interval that was added last, as a line of its own tells it.
    void tellLastInterval(double LogInterval::*field, double value);
    void addEvent(LogEventKind kind, double tokens = notTold, std::string detail = {},
                  double seconds = notTold);
    void addPreemption(double count, std::string detail, bool swapped = false);
    void addStep(const LogStep& step);
    void addProgress(LogProgress progress);
    void addFact(std::string_view name, std::string_view value);
    /// The value that follows the first `key` in the text: up to "'" where the key ends with one, else a
    /// word.
    void addFactAfter(std::string_view text, std::string_view key, std::string_view name);
    /// An access line: a request of which the end is known, and where `seconds` are told, the arrival.
    std::size_t addAccess(std::string_view method, std::string_view path, std::string_view status,
                          double seconds = notTold);
    void touch(std::size_t index); ///< the line is one of this request's
    void end(std::size_t index, RequestEnd how);
    void shiftTimes(double seconds);

    LogMemory memory; ///< of the formats

    std::uint64_t leftOut = 0; ///< beyond the limits
    static constexpr unsigned mostMerges = 63;
    unsigned merges = 0; ///< of intervals, pairwise: 2^merges lines are one
    struct Merging {
        std::size_t interval = none; ///< that lines are merged into
        std::uint64_t lines = 0;     ///< that are in it
    };
    std::vector<Merging> merging; ///< by kind: engine, and whether of prompts
    std::size_t lastKind = none;  ///< of the interval that was added last

private:
    struct Beyond {
        std::size_t added = 0;
        std::uint64_t goneGenerate = 0; ///< of those that are gone, the ones that generate
        std::vector<LogRequest> last;   ///< a ring
    };

    Beyond beyond_;
    LogRequest spare_;
};

} // namespace loadline
