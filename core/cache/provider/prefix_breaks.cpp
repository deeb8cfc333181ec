// Finds collapsed cache reads and what else happened there.
#include "core/cache/provider/prefix_breaks.h"

#include "core/cache/provider/call_before.h"
#include "core/text/counted.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

const SessionFile& fileOf(const Corpus& corpus, const LaneCall& call) {
    return *corpus.files[call.place.file].file;
}

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

/// Returns PauseOver5Min or PauseOver1H if the pause was longer than the cached tokens were written to live.
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
std::optional<BreakReason> firstBlock(const Corpus& corpus, const LaneCall& before, const LaneCall& now) {
    const std::string& was = fileOf(corpus, before).name(before.copy->version);
    const std::string& is = fileOf(corpus, now).name(now.copy->version);
    if (was != is && !was.empty() && !is.empty()) {
        return BreakReason{BreakCause::FirstBlockChanged,
                           fmt::format("the program's version went from {} to {}", was, is)};
    }
    return std::nullopt;
}

/// Precondition: nothing else explains the break.
std::optional<BreakReason> nothingRead(const LaneCall& now) {
    if (now.call->usage.cacheRead > 0) {
        return std::nullopt;
    }
    return BreakReason{BreakCause::NothingRead,
                       "nothing was read at all, within the time that it had to live: "
                       "the first block changed, or the provider missed it"};
}

/// A later call read what this one had not.
std::optional<BreakReason> providerMiss(const LaneCall& before, const LaneCall& now) {
    const Tokens had = std::min(before.left, now.call->usage.context());
    if (now.keptAllTheSame <= now.call->usage.cacheRead || had - now.keptAllTheSame >= leastTokensLost) {
        return std::nullopt;
    }
    return BreakReason{BreakCause::ProviderMiss,
                       fmt::format("a later call read the {} tokens from before it again: none had changed",
                                   formatExact(now.keptAllTheSame))};
}

/// Line of the first of these between two calls of a lane that is of a kind; 0: none. Precondition: they
/// stand in the order of their lines.
template <typename Record, typename IsKind>
std::uint32_t lineBetween(const std::vector<Record>& records, const LaneCall& before, const LaneCall& now,
                          IsKind isKind) {
    const std::uint32_t from = before.place.file == now.place.file ? before.copy->place.line : 0;
    const auto line = [](const Record& record) { return record.place.line; };
    for (auto next = std::ranges::upper_bound(records, from, {}, line);
         next != records.end() && line(*next) < now.copy->place.line; ++next) {
        if (next->lane == now.copy->lane && isKind(*next)) {
            return line(*next);
        }
    }
    return 0;
}

/// A helper's first call, that follows one of the conversation and read something: what both share ends
/// before the conversation begins.
std::optional<BreakReason> helperPrefix(const Corpus& corpus, const LaneCall& before, const LaneCall& now) {
    const SessionFile& file = fileOf(corpus, now);
    const bool oneFile = before.place.file == now.place.file;
    const bool isOwn = oneFile && std::ranges::any_of(file.userRecords, [&](const UserRecord& record) {
                           return record.place.line < before.copy->place.line;
                       });
    if (!continuesTheConversation(file.lanes[now.copy->lane].kind) || isOwn ||
        now.call->usage.cacheRead == 0) {
        return std::nullopt;
    }
    return BreakReason{BreakCause::HelperPrefix,
                       fmt::format("it continues line {} of {}, and its prompt begins otherwise",
                                   before.copy->place.line, nameOfFile(fileOf(corpus, before).path))};
}

/// Returns the cause that names the surroundings of a break that nothing explains. They are tried in the
/// order of how much rarer small reads are elsewhere.
BreakReason surroundingsOf(const Corpus& corpus, const LaneCall& before, const LaneCall& now) {
    const SessionFile& file = fileOf(corpus, now);
    const std::uint32_t error = lineBetween(file.events, before, now, [](const SessionEvent& event) {
        return event.kind == EventKind::ApiError;
    });
    if (error > 0) {
        return {BreakCause::AfterApiError, fmt::format("an API call failed in line {}", error)};
    }
    const std::uint32_t prompt = lineBetween(file.userRecords, before, now, [](const UserRecord& record) {
        return record.kind == UserKind::Human || record.kind == UserKind::SlashCommand ||
               record.kind == UserKind::BashInput;
    });
    if (prompt > 0) {
        return {BreakCause::AfterPrompt, fmt::format("the first call after the prompt in line {}", prompt)};
    }
    for (const LaneCall* call : {&before, &now}) {
        if (call->copy->lines == 1) {
            return {BreakCause::ShortAnswer,
                    fmt::format("{} answer is one record, in line {}",
                                call == &now ? "its" : "the call before's", call->copy->place.line)};
        }
    }
    return {BreakCause::Unknown, "nothing in the log tells why"};
}

/// Another lane's compaction breaks no prefix of this one.
std::vector<BreakReason> reasonsOf(const Corpus& corpus, const LaneCall& before, const LaneCall& now,
                                   Compactions& compactions) {
    const bool oneFile = before.place.file == now.place.file;
    const auto paused = pause(before, now);
    std::vector<BreakReason> reasons;
    const auto add = [&](std::optional<BreakReason> reason) {
        if (reason) {
            reasons.push_back(std::move(*reason));
        }
    };
    add(compactions.between(now.place.file, now.copy->lane, oneFile ? before.copy->place.line : 0,
                            now.copy->place.line));
    add(modelChange(corpus, before, now));
    const auto forked = fork(corpus, before, now);
    add(firstBlock(corpus, before, now));
    add(paused);
    add(forked); // which loses nothing by itself
    if (reasons.empty()) {
        add(providerMiss(before, now));
    }
    // That nothing was read says no more once something else explains it.
    if (reasons.empty()) {
        add(nothingRead(now));
    }
    if (reasons.empty()) {
        add(helperPrefix(corpus, before, now));
    }
    if (reasons.empty()) {
        reasons.push_back(surroundingsOf(corpus, before, now));
    }
    return reasons;
}

} // namespace

std::string_view keyOf(BreakCause cause) {
    return wordOf(cause, {"compaction", "results_cleared", "model_change", "first_block_changed", "fork",
                          "pause_over_5_min", "pause_over_1_h", "provider_miss", "helper_prefix",
                          "nothing_read", "after_api_error", "after_prompt", "short_answer", "unknown"});
}

std::string_view describe(BreakCause cause) {
    return wordOf(cause, {"compaction", "results cleared", "model change", "first block changed", "fork",
                          "pause over 5 min", "pause over 1 h", "provider's miss", "helper's own prefix",
                          "nothing read", "after an API error", "after a prompt",
                          "beside a one-record answer", "unknown"});
}

const std::vector<Compactions::Place>& Compactions::placesIn(FileIndex index) {
    const auto [entry, isNew] = ofFiles_.try_emplace(index);
    if (isNew) {
        const SessionFile& file = *corpus_->files[index].file;
        for (const SessionEvent& event : file.events) {
            const bool cleared = event.kind == EventKind::MicroCompaction;
            if (cleared || event.kind == EventKind::Compaction) {
                entry->second.push_back(
                    {event.lane, cleared ? Mark::Cleared : Mark::Compaction, event.place.line});
            }
        }
        for (const UserRecord& record : file.userRecords) {
            if (record.kind == UserKind::CompactSummary) {
                entry->second.push_back({record.lane, Mark::Summary, record.place.line});
            }
        }
        std::ranges::sort(entry->second);
    }
    return entry->second;
}

std::optional<BreakReason> Compactions::between(FileIndex file, LaneIndex lane, std::uint32_t from,
                                                std::uint32_t to) {
    const std::vector<Place>& places = placesIn(file);
    for (const Mark mark : {Mark::Compaction, Mark::Summary, Mark::Cleared}) {
        const auto next = std::ranges::upper_bound(places, Place{lane, mark, from});
        if (next != places.end() && next->lane == lane && next->mark == mark && next->line < to) {
            const char* what = mark == Mark::Summary   ? "a summary takes the place of the conversation"
                               : mark == Mark::Cleared ? "results in it were cleared"
                                                       : "the conversation was compacted";
            return BreakReason{mark == Mark::Cleared ? BreakCause::Cleared : BreakCause::Compaction,
                               fmt::format("{} in line {}", what, next->line)};
        }
    }
    return std::nullopt;
}

std::optional<PrefixBreak> breakBetween(const Corpus& corpus, SessionIndex session, const LaneCall& before,
                                        const LaneCall& now, Compactions& compactions) {
    const Usage& usage = now.call->usage;
    const Tokens cached = before.left;
    const Tokens lost = std::min(cached, usage.context()) - usage.cacheRead;
    if (2 * usage.cacheRead >= cached || lost < leastTokensLost) {
        return std::nullopt;
    }
    PrefixBreak found{.session = session,
                      .file = now.place.file,
                      .place = now.copy->place,
                      .time = isKnown(now.copy->firstTime) ? now.copy->firstTime : now.start,
                      .cachedBefore = cached,
                      .read = usage.cacheRead,
                      .reasons = reasonsOf(corpus, before, now, compactions)};
    if (found.cause() == BreakCause::Compaction) {
        found.compacted = usage.cacheWrite;
    } else {
        found.paidAgain = lost;
    }
    return found;
}

bool mayGoOn(const Corpus& corpus, const LaneCall& before, const LaneCall& now, Compactions& compactions) {
    const bool oneFile = before.place.file == now.place.file;
    return now.call->usage.context() >= before.call->usage.context() && !firstBlock(corpus, before, now) &&
           !compactions.between(now.place.file, now.copy->lane, oneFile ? before.copy->place.line : 0,
                                now.copy->place.line);
}

bool lostToPauseAlone(const Corpus& corpus, const LaneCall& before, const LaneCall& now,
                      Compactions& compactions) {
    if (!pause(before, now)) {
        return false;
    }
    const BreakCause cause = reasonsOf(corpus, before, now, compactions).front().cause;
    return cause == BreakCause::PauseOver5Min || cause == BreakCause::PauseOver1H;
}

BreakTotals totalsOf(std::span<const PrefixBreak> breaks) {
    BreakTotals totals;
    for (const PrefixBreak& one : breaks) {
        const bool compaction = one.cause() == BreakCause::Compaction;
        ++(compaction ? totals.compactions : totals.breaks);
        totals.paidAgain += one.paidAgain;
        totals.compacted += one.compacted;
    }
    return totals;
}

std::string wordsOf(const BreakTotals& totals) {
    std::string text = fmt::format("{} paid for {} tokens again", counted(totals.breaks, "prefix break"),
                                   formatCount(static_cast<double>(totals.paidAgain)));
    if (totals.compactions > 0) {
        text += fmt::format("; beside {} {}, whose new prompts wrote {} tokens",
                            totals.breaks == 1 ? "it" : "them", counted(totals.compactions, "compaction"),
                            formatCount(static_cast<double>(totals.compacted)));
    }
    return text;
}

std::string breakRule() {
    return fmt::format(
        "A prefix break is a call that read less than half of what the call before it in its "
        "lane had left in the provider's cache, {} tokens less at least; smaller losses are not "
        "counted. Prompt suggestions and compactions follow the conversation's call that they continue",
        formatExact(leastTokensLost));
}

std::vector<PrefixBreak> prefixBreaksOf(const Corpus& corpus, std::span<const LaneCalls> lanes,
                                        const std::stop_token& stop) {
    std::vector<PrefixBreak> breaks;
    Compactions compactions(corpus);
    CallsBefore calls(corpus, lanes);
    for (const LaneCalls& lane : lanes) {
        for (std::size_t i = 0; i < lane.calls.size() && !stop.stop_requested(); ++i) {
            if (lane.calls[i].place.inherited) {
                continue;
            }
            const std::optional<LaneCall> before = calls.of(lane, i).call;
            if (!before) {
                continue;
            }
            if (auto found = breakBetween(corpus, lane.session, *before, lane.calls[i], compactions)) {
                breaks.push_back(std::move(*found));
            }
        }
    }
    std::ranges::stable_sort(breaks, std::ranges::greater{}, &PrefixBreak::paidAgain);
    return breaks;
}

} // namespace loadline
