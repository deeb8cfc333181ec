// One session over time: who did what when, how large the context was, where the time went.
#pragma once

#include "core/text/table.h"
#include "core/workload/scope/scope.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

class CallsInScope;

/// A record that evidence can be read from.
struct EvidencePlace {
    FileIndex file = 0;
    RecordPlace place;
    bool operator==(const EvidencePlace&) const = default;
};

struct TimelineLane {
    std::string name; ///< "main", "Explore a1b2c3d", "tools of main"
    LaneKind kind = LaneKind::Main;
    bool tools = false; ///< holds the tool spans of the agent lane before it
};

/// An API call as a span: from the request to its last line.
struct CallSpan {
    TimeMs start, end; ///< start: requestTime, else firstTime
    TimeMs firstLine;  ///< first line written: an upper bound of the time to first token
    std::uint32_t lane = 0;
    std::uint32_t ordinal = 0; ///< 0-based index among the session's calls by time: the turn-index axis
    CallIndex call = 0;
    Usage usage;
    OutputQuality quality = OutputQuality::Final;
    CallCost cost; ///< CorpusCall::cost
    ModelIndex model = 0;
    bool inherited = false;
    bool hit = true; ///< in scope, and behind the brushed bins
    EvidencePlace evidence;
};

struct ToolSpan {
    TimeMs start, end; ///< end == start when the result is not in the log
    std::uint32_t lane = 0;
    /// On the turn-index axis: n + callWidthInTurns after the call n that asked for it; it ends at n + 1.
    double ordinalStart = 0;
    std::string name;
    bool isError = false;
    bool open = false;     ///< no result in the log
    bool forHuman = false; ///< it waited for the human: see TimeSplit::humanMs
    EvidencePlace evidence;
};

enum class MarkKind : std::uint8_t {
    Prompt,
    Compaction,
    MicroCompaction,
    ApiError,
    Interrupt,
    ModelChange,
    Synthetic
};

struct TimelineMark {
    MarkKind kind = MarkKind::Prompt;
    TimeMs time;
    double ordinal = 0;
    std::uint32_t lane = 0;
    std::string text; ///< prompt preview, model names, error, tokens before the compaction
    EvidencePlace evidence;
};

/// A stretch in which no call is under way, no tool runs (but those that ask the human) and nothing else is
/// recorded, in any lane.
struct IdleGap {
    TimeMs start, end;
};

/// The wall-clock time of a session by who spent it; the parts sum to last - first.
struct TimeSplit {
    /// Time with at least one API call under way; or with neither call nor tool for up to 10 minutes (the
    /// client's time limit) until a request failed, was interrupted, or had summarised the context for a
    /// compaction.
    std::int64_t modelMs = 0;
    std::int64_t toolsMs = 0; ///< no call, but at least one tool (of Bash, waiting for permission included)
    /// Time without call or tool before a human prompt; or with only tools that ask the human
    /// (AskUserQuestion, ExitPlanMode) or write a file for more than idleGapMs, which is waiting for
    /// permission.
    std::int64_t humanMs = 0;
    std::int64_t otherMs = 0; ///< neither, and the next thing is something else

    [[nodiscard]] std::int64_t totalMs() const { return modelMs + toolsMs + humanMs + otherMs; }

    bool operator==(const TimeSplit&) const = default;
};

struct Timeline {
    SessionIndex session = 0;
    std::string title;
    TimeMs first = unknownTime, last = unknownTime;
    std::vector<TimelineLane> lanes;
    std::vector<CallSpan> calls;        ///< by start
    std::vector<ToolSpan> tools;        ///< by start
    std::vector<TimelineMark> marks;    ///< by time
    std::vector<IdleGap> gaps;          ///< longer than idleGapMs, by time
    TimeSplit split;                    ///< within the scope's dates
    UsageTotals totals;                 ///< of its calls in scope, inherited ones included: its history
    UsageTotals ownTotals;              ///< of these, without inherited ones: as all other views count
    std::uint64_t callsOfSession = 0;   ///< in scope or not
    std::uint64_t callsWithoutTime = 0; ///< in totals, but not drawn
    std::uint64_t toolsWithoutTime = 0; ///< not drawn
    std::uint64_t marksWithoutTime = 0; ///< not drawn
    std::string sentence;               ///< answer first: largest prompt, when, where the time went
};

inline constexpr std::int64_t idleGapMs = 120'000;
/// On the turn-index axis call n reaches from n to n + callWidthInTurns; its tools fill the rest.
inline constexpr double callWidthInTurns = 0.7;

Timeline timelineOf(const Corpus& corpus, const Selection& selection, SessionIndex session);
/// Returns timelineOf() without its sentence.
Timeline spansOf(const Corpus& corpus, const Selection& selection, SessionIndex session);
/// Returns spansOf() with the selection's calls in scope given, for callers that go over many sessions.
Timeline spansOf(const Corpus& corpus, const Selection& selection, SessionIndex session,
                 const CallsInScope& inScope);
/// `Timeline::sentence`: which prompt in scope used most and why, and where the time went.
std::string timelineSentence(const Timeline& timeline, const Corpus& corpus, const Selection& selection);
/// The item in a row of the table: `item` indexes the marks, calls or tools.
struct TimelineTableRow {
    enum class Kind : std::uint8_t { Mark, Call, Tool }; // a prompt comes before the call that answers it
    TimeMs time = unknownTime;
    Kind kind = Kind::Mark;
    std::uint32_t item = 0;
    auto operator<=>(const TimelineTableRow&) const = default;
};

/// Returns the item of each row of the table.
std::vector<TimelineTableRow> tableRowsOf(const Timeline& timeline);
/// One row per call, tool and mark in time order, with the exact numbers and the place of each record.
Table tableOf(const Timeline& timeline, const Corpus& corpus);

enum class TimelineAxis : std::uint8_t { WallClock, CompressedGaps, TurnIndex };

/// "wall-clock", "compressed-gaps", "turn-index"
constexpr std::string_view keyOf(TimelineAxis axis) {
    return axis == TimelineAxis::WallClock        ? "wall-clock"
           : axis == TimelineAxis::CompressedGaps ? "compressed-gaps"
                                                  : "turn-index";
}

/// Monotone map from time (or ordinal) to axis units: milliseconds with gaps cut to a fixed length, or turn
/// index.
class TimelineScale {
public:
    TimelineScale(const Timeline& timeline, TimelineAxis axis);

    [[nodiscard]] TimelineAxis axis() const { return axis_; }

    [[nodiscard]] double extent() const { return extent_; } ///< units from the first to the last moment, > 0

    [[nodiscard]] double unitsAt(TimeMs time) const; ///< not for TurnIndex
    [[nodiscard]] TimeMs timeAt(double units) const; ///< inverse; not for TurnIndex
    /// Start and end of a span on this axis.
    [[nodiscard]] double startOf(const CallSpan& span) const;
    [[nodiscard]] double endOf(const CallSpan& span) const;
    [[nodiscard]] double startOf(const ToolSpan& span) const;
    [[nodiscard]] double endOf(const ToolSpan& span) const;
    [[nodiscard]] double at(const TimelineMark& mark) const;

    struct CutGap {
        IdleGap gap;
        double start = 0, end = 0; ///< units
    };

    [[nodiscard]] std::span<const CutGap> cutGaps() const { return cuts_; } ///< CompressedGaps only

private:
    TimelineAxis axis_;
    TimeMs origin_{};
    double extent_ = 1;
    std::vector<CutGap> cuts_;
};

} // namespace loadline
