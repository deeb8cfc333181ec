// The log as far as it is read, and how the patterns of servers add to it.
#pragma once

#include "core/serverlog/format/log_pattern.h"
#include "core/serverlog/read/log_times.h"
#include "core/serverlog/server_log.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
    /// Beyond the limit only the last ones are there, so that lines find theirs and all are counted.
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

    // State of servers from line to line.
    struct Slot {
        long task = -1;
        std::size_t request = none;
        double evaluated = notTold; ///< tokens of its prompt that were computed
        bool promptTimed = false;   ///< the server printed the time of its prompt
    };
    struct Slots {
        std::map<std::pair<unsigned, int>, Slot> last; ///< by process and number: what it did last
        /// Tasks whose slot went on with another one before they ended: they come back where two processes
        /// write, each with a slot of this number. The newest are at the end.
        std::deque<std::pair<std::pair<unsigned, int>, Slot>> left;
        Slot* ofLine = nullptr;     ///< that the line names; null: none
        Slot timed;                 ///< that printed timings last: lines without a prefix follow
        std::size_t unnamed = none; ///< request whose access line has not come
    } slots;
    struct Engine {
        std::string rank; ///< the first that wrote; others of the same engine repeat it
        double lastS = notTold;
        double usualS = notTold;
    };
    std::map<int, Engine> engines;
    struct Prompt {
        double total = 0;
        double done = 0;
        double lastS = notTold;  ///< when that much was done
        double beganS = notTold; ///< when nothing of it was done
        std::size_t request = none;
    };
    struct Prompts { ///< of MLX servers, which tell how much of which length is done
        std::vector<Prompt> open;
        std::vector<std::size_t> begun;    ///< requests whose prompts have not begun
        std::vector<std::size_t> decoding; ///< whose prompts are done
        double emptyCacheAt = notTold;
    } prompts;
    std::size_t running = none;     ///< LM Studio, Ollama's runners: the request being served
    std::deque<std::size_t> queued; ///< LM Studio: taken while that one is served
    /// LM Studio: taken, of which no slot of its llama.cpp was seen yet. A slot that begins is the first's.
    std::deque<std::size_t> withoutSlot;
    struct Ollama {
        bool devicesTold = false;         ///< one of them, since the server started
        std::vector<std::size_t> unnamed; ///< of the last requests: those without a path that generate
        std::size_t looked = 0;           ///< requests before this one were taken into `unnamed`
    } ollama;
    LogLine lastFailure;     ///< line 0: none
    std::size_t swapped = 0; ///< requests that llama-swap's lines added
    struct Vllm {
        std::map<std::string, std::size_t> open; ///< requests by their names
        std::deque<std::size_t> withoutPath;     ///< of which no access line was seen, in their order
    } vllm;
    struct Study {
        std::vector<std::size_t> open;
        std::size_t lastPosted = none;
        std::size_t lastEnded = none;
    } study;

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
