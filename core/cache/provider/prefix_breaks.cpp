// Finds collapsed cache reads and what else happened there.
#include "core/cache/provider/prefix_breaks.h"

#include "core/text/enum_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr std::int64_t fiveMinutesMs = 300'000;
constexpr std::int64_t oneHourMs = 3'600'000;

const SessionFile& fileOf(const Corpus& corpus, const LaneCall& call) {
    return *corpus.files[call.place.file].file;
}

/// What stands between two calls of one file, by line.
class Between {
public:
    Between(const SessionFile& file, const LaneCall& before, const LaneCall& now, bool oneFile)
        : file_(file), from_(oneFile ? before.copy->place.line : 0), to_(now.copy->place.line),
          lane_(now.copy->lane) {}

    [[nodiscard]] std::optional<BreakReason> compaction() const {
        for (const SessionEvent& event : file_.events) {
            const bool compacts =
                event.kind == EventKind::Compaction || event.kind == EventKind::MicroCompaction;
            if (compacts && event.lane == lane_ && holds(event.place)) {
                return reasonAt(event.kind == EventKind::Compaction ? "the conversation was compacted"
                                                                    : "results in it were cleared",
                                event.place);
            }
        }
        for (const UserRecord& record : file_.userRecords) {
            if (record.kind == UserKind::CompactSummary && record.lane == lane_ && holds(record.place)) {
                return reasonAt("a summary takes the place of the conversation", record.place);
            }
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] bool holds(const RecordPlace& place) const {
        return place.line > from_ && place.line < to_;
    }

    [[nodiscard]] static BreakReason reasonAt(const char* what, const RecordPlace& place) {
        return {BreakCause::Compaction, fmt::format("{} in line {}", what, place.line)};
    }

    const SessionFile& file_;
    std::uint32_t from_, to_;
    LaneIndex lane_; ///< another's compaction breaks no prefix of this one
};

std::optional<BreakReason> modelChange(const Corpus& corpus, const LaneCall& before, const LaneCall& now) {
    if (before.call->model == now.call->model) {
        return std::nullopt;
    }
    return BreakReason{BreakCause::ModelChange,
                       fmt::format("the call before went to {}, this one to {}",
                                   corpus.models[before.call->model], corpus.models[now.call->model])};
}

std::optional<BreakReason> fork(const Corpus& corpus, const LaneCall& before, const LaneCall& now) {
    if (before.place.inherited == now.place.inherited) {
        return std::nullopt;
    }
    return BreakReason{BreakCause::Fork,
                       "the call before originates from " + corpus.files[before.call->file].file->path};
}

/// The pause was longer than what had been written was to live.
std::optional<BreakReason> pause(const LaneCall& before, const LaneCall& now) {
    if (!isKnown(before.start) || !isKnown(now.start)) {
        return std::nullopt;
    }
    const bool hour = before.livesMs >= oneHourMs;
    const std::int64_t pausedMs = now.start.ms - before.start.ms;
    if (pausedMs <= (hour ? oneHourMs : fiveMinutesMs)) {
        return std::nullopt;
    }
    return BreakReason{hour ? BreakCause::PauseOver1H : BreakCause::PauseOver5Min,
                       fmt::format("{} after the call before; what was cached had {} to live{}",
                                   formatDuration(pausedMs), hour ? "1 h" : "5 min",
                                   before.livesMs > 0 ? "" : " (the default: the log does not tell)")};
}

/// Another version of the program has other tools and another system prompt.
std::optional<BreakReason> firstBlock(const Corpus& corpus, const LaneCall& before, const LaneCall& now,
                                      bool paused) {
    const std::string& was = fileOf(corpus, before).name(before.copy->version);
    const std::string& is = fileOf(corpus, now).name(now.copy->version);
    if (was != is && !was.empty() && !is.empty()) {
        return BreakReason{BreakCause::FirstBlockChanged,
                           fmt::format("the program's version went from {} to {}", was, is)};
    }
    if (now.call->usage.cacheRead == 0 && !paused) {
        return BreakReason{BreakCause::FirstBlockChanged,
                           "nothing was read at all, within the time that it had to live"};
    }
    return std::nullopt;
}

std::vector<BreakReason> reasonsOf(const Corpus& corpus, const LaneCall& before, const LaneCall& now) {
    const bool oneFile = before.place.file == now.place.file;
    const auto paused = pause(before, now);
    std::vector<BreakReason> reasons;
    const auto add = [&](std::optional<BreakReason> reason) {
        if (reason) {
            reasons.push_back(std::move(*reason));
        }
    };
    add(Between(fileOf(corpus, now), before, now, oneFile).compaction());
    add(modelChange(corpus, before, now));
    add(fork(corpus, before, now));
    // That nothing was read says no more once something else explains it.
    add(firstBlock(corpus, before, now, paused.has_value() || !reasons.empty()));
    add(paused);
    if (reasons.empty()) {
        reasons.push_back({BreakCause::Unknown, "nothing in the log tells why"});
    }
    return reasons;
}

} // namespace

std::string_view keyOf(BreakCause cause) {
    return wordOf(cause, {"compaction", "model_change", "first_block_changed", "fork", "pause_over_5_min",
                          "pause_over_1_h", "unknown"});
}

std::string_view describe(BreakCause cause) {
    return wordOf(cause, {"compaction", "model change", "first block changed", "fork", "pause over 5 min",
                          "pause over 1 h", "unknown"});
}

std::optional<PrefixBreak> breakBetween(const Corpus& corpus, SessionIndex session, const LaneCall& before,
                                        const LaneCall& now) {
    const Usage& usage = now.call->usage;
    const Tokens cached = before.call->usage.cacheRead + before.call->usage.cacheWrite;
    const Tokens paidAgain = std::min(cached, usage.context()) - usage.cacheRead;
    if (2 * usage.cacheRead >= cached || paidAgain < leastTokensLost) {
        return std::nullopt;
    }
    return PrefixBreak{.session = session,
                       .file = now.place.file,
                       .place = now.copy->place,
                       .time = now.start,
                       .cachedBefore = cached,
                       .read = usage.cacheRead,
                       .paidAgain = paidAgain,
                       .reasons = reasonsOf(corpus, before, now)};
}

std::vector<PrefixBreak> prefixBreaksOf(const Corpus& corpus, std::span<const LaneCalls> lanes) {
    std::vector<PrefixBreak> breaks;
    for (const LaneCalls& lane : lanes) {
        for (std::size_t i = 1; i < lane.calls.size(); ++i) {
            if (lane.calls[i].place.inherited) {
                continue;
            }
            if (auto found = breakBetween(corpus, lane.session, lane.calls[i - 1], lane.calls[i])) {
                breaks.push_back(std::move(*found));
            }
        }
    }
    std::ranges::stable_sort(breaks, std::ranges::greater{}, &PrefixBreak::paidAgain);
    return breaks;
}

} // namespace loadline
