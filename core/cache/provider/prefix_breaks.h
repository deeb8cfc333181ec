// Calls at which the provider's cache was of little use, though it had held the conversation.
#pragma once

#include "core/cache/provider/lane_calls.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The reason why a cached prefix is no longer read.
enum class BreakCause : std::uint8_t {
    Compaction,        ///< the conversation was summed up: what comes behind it is mostly new text
    Cleared,           ///< results in the conversation were cleared: what stood behind them is as it was
    ModelChange,       ///< another model has a cache of its own
    FirstBlockChanged, ///< another version of the program has other tools and another system prompt
    Fork,              ///< the conversation goes on in another session, within the time to live
    PauseOver5Min,     ///< what was written to live 5 minutes was not read for longer
    PauseOver1H,       ///< the same for 1 hour
    ProviderMiss,      ///< nothing had changed: a later call read the old prefix again
    HelperPrefix,      ///< a prompt suggestion or compaction whose prompt begins unlike the conversation's
    NothingRead, ///< not even the tools and the system prompt: they changed, or the provider missed them
    // Causes that nothing in the log explains; they are named by the records around the break.
    AfterApiError, ///< a failed attempt lies between the calls
    AfterPrompt,   ///< the first call after a prompt
    ShortAnswer,   ///< beside an answer of one record
    Unknown,
};
std::string_view keyOf(BreakCause cause);    ///< "compaction", "pause_over_5_min", ...
std::string_view describe(BreakCause cause); ///< for people: "compaction", "pause over 5 min"

struct BreakReason {
    BreakCause cause = BreakCause::Unknown;
    std::string evidence; ///< what in the log says so, a sentence without its end
    bool operator==(const BreakReason&) const = default;
};

/// A call that read less than half of what the call before it had left in the cache, by leastTokensLost or
/// more. The one before is that of its lane; of a helper that continues the conversation, the conversation's
/// (CallsBefore).
struct PrefixBreak {
    SessionIndex session = 0;
    FileIndex file = 0;
    RecordPlace place;         ///< of the call
    TimeMs time = unknownTime; ///< of the line at `place`
    Tokens cachedBefore = 0;   ///< LaneCall::left of the call before
    Tokens read = 0;
    /// Tokens of the prompt that had been cached and were not read: min(cachedBefore, the prompt) less what
    /// was read. 0 at a compaction, whose prompt is mostly new.
    Tokens paidAgain = 0;
    Tokens compacted = 0; ///< at a compaction, instead: what the new prompt wrote to the cache
    /// The likely one first: a pause is that only where nothing else was found. Never empty.
    std::vector<BreakReason> reasons;

    [[nodiscard]] BreakCause cause() const { return reasons.front().cause; }

    bool operator==(const PrefixBreak&) const = default;
};

/// Smaller losses are the ends of blocks.
inline constexpr Tokens leastTokensLost = 1024;

/// Finds the places at which conversations were summed up or cleared, in time that does not grow with the
/// file.
class Compactions {
public:
    explicit Compactions(const Corpus& corpus) : corpus_(&corpus) {}

    /// The first one of a lane behind line `from` and before line `to`: a compaction, else a summary, else
    /// cleared results, which a compaction behind them makes void.
    std::optional<BreakReason> between(FileIndex file, LaneIndex lane, std::uint32_t from, std::uint32_t to);

private:
    enum class Mark : std::uint8_t { Compaction, Summary, Cleared }; // in the order in which one wins

    struct Place {
        LaneIndex lane = 0;
        Mark mark = Mark::Compaction;
        std::uint32_t line = 0;
        auto operator<=>(const Place&) const = default;
    };

    const std::vector<Place>& placesIn(FileIndex file);

    const Corpus* corpus_;
    std::map<FileIndex, std::vector<Place>> ofFiles_; ///< sorted
};

/// Sums over breaks.
struct BreakTotals {
    std::size_t breaks = 0; ///< that paid again
    Tokens paidAgain = 0;
    std::size_t compactions = 0;
    Tokens compacted = 0;
};
BreakTotals totalsOf(std::span<const PrefixBreak> breaks);
/// "68 prefix breaks paid for 5.46 M tokens again; beside them 6 compactions, whose new prompts wrote 128 k
/// tokens"
std::string wordsOf(const BreakTotals& totals);
/// Returns the definition of a break, a sentence without its end.
std::string breakRule();

/// Returns the break of `now`; nothing if it read what `before` had left.
std::optional<PrefixBreak> breakBetween(const Corpus& corpus, SessionIndex session, const LaneCall& before,
                                        const LaneCall& now, Compactions& compactions);

/// True if the log lets the prompt of `now` go on from all of the prompt of `before`, whatever was read of
/// it: it is no shorter, the program is the same, and nothing was summed up or cleared between them.
bool mayGoOn(const Corpus& corpus, const LaneCall& before, const LaneCall& now, Compactions& compactions);

/// True if what the call did not read of the one before it was lost to time alone, however much it read: the
/// pause outlived what had been written, and nothing else lies between them.
bool lostToPauseAlone(const Corpus& corpus, const LaneCall& before, const LaneCall& now,
                      Compactions& compactions);

/// Returns the breaks by tokens paid again, most first. Each call once: under the session that it originates
/// from. Incomplete when stopped.
std::vector<PrefixBreak> prefixBreaksOf(const Corpus& corpus, std::span<const LaneCalls> lanes,
                                        const std::stop_token& stop = {});

} // namespace loadline
