// Compositions of core's functions, one for each page.
#include "app/asked/figures.h"

#include "core/base/zone.h"
#include "core/text/counted.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace loadline::app {
namespace {

template <typename T>
std::shared_ptr<const T> shared(T value) {
    return std::make_shared<const T>(std::move(value));
}

/// "Most, 48.0 % (4.1 M tokens), was used by “Explore the cache”."
std::string mostUsed(const Composition& bySession) {
    const auto tokens = [](const UsageTotals& t) { return t.usage.context() + t.usage.output; };
    const auto most = std::max_element(bySession.rows.begin(), bySession.rows.end(),
                                       [&](const CompositionRow& a, const CompositionRow& b) {
                                           return tokens(a.totals) < tokens(b.totals);
                                       });
    const Tokens all = tokens(bySession.all.totals);
    if (most == bySession.rows.end() || all == 0 || bySession.rows.size() == 1) {
        return {};
    }
    return fmt::format(" Most, {} ({} tokens), was used by \u201c{}\u201d.",
                       formatShare(static_cast<double>(tokens(most->totals)) / static_cast<double>(all)),
                       formatCount(static_cast<double>(tokens(most->totals))),
                       excerpt(most->label, quotedCharacters));
}

/// " 13 files look like Codex CLI logs; ...": what was recognised beside the sessions.
std::string leftAside(const Corpus& corpus) {
    std::string text;
    for (const std::string& sentence : sentencesOf(corpus.notRead)) {
        text += " " + sentence;
    }
    return text;
}

/// "93.4 % of the prompt tokens came from the cache", "of the 7.84 M prompt tokens whose cache is
/// recorded 90.9 % came from it"
std::string cachedWords(const UsageTotals& totals) {
    if (!totals.recordsCache()) {
        return "the logs record no cache";
    }
    const std::string share = formatShare(totals.hitRate());
    return totals.untoldContext == 0
               ? share + " of the prompt tokens came from the cache"
               : fmt::format("of the {} prompt tokens whose cache is recorded {} came from it",
                             formatCount(static_cast<double>(totals.toldContext())), share);
}

std::string overviewSentence(const OverviewShown& shown) {
    const UsageTotals& all = shown.bySession->all.totals;
    if (all.calls == 0) {
        return "Nothing in scope used any tokens.";
    }
    return fmt::format("{} made {} that processed {} tokens; {}.{}",
                       counted(shown.bySession->rows.size(), "session"), counted(all.calls, "API call"),
                       formatCount(static_cast<double>(all.usage.context() + all.usage.output)),
                       cachedWords(all), mostUsed(*shown.bySession) + leftAside(*shown.scoped->corpus));
}

/// Its title, or the beginning of its id.
std::string titleOf(const Session& session) {
    return session.title.empty() ? session.sessionId.substr(0, 8) : session.title;
}

/// "14:02:11"
std::string clockOf(TimeMs time) {
    return isKnown(time) ? formatIso8601(asShown(time)).substr(11, 8) : std::string("no time");
}

/// Part of a timeline: the calls that start in [from, to).
struct Stretch {
    TimeMs from, to;
    bool whole = true;
};

Stretch stretchOf(const Timeline& timeline, const ui::TimelineView& view) {
    const Stretch whole{timeline.first, TimeMs{timeline.last.ms + 1}, true};
    const TimelineScale scale(timeline, view.axis);
    if (view.end < view.start || (view.start <= 0 && view.end >= scale.extent())) {
        return whole;
    }
    if (view.axis != TimelineAxis::TurnIndex) {
        return {scale.timeAt(view.start), TimeMs{scale.timeAt(view.end).ms + 1}, false};
    }
    const auto inView = [&](const CallSpan& call) {
        return call.ordinal + callWidthInTurns > view.start && call.ordinal < view.end;
    };
    const auto first = std::ranges::find_if(timeline.calls, inView);
    const auto end = std::find_if_not(first, timeline.calls.end(), inView);
    return first == end ? Stretch{timeline.last, timeline.last, false}
                        : Stretch{first->start, TimeMs{std::prev(end)->start.ms + 1}, false};
}

/// "23:14:05 to 23:20:11 UTC"
std::string timesOf(const ScopedCorpus& scoped, const Stretch& stretch) {
    const Scope& scope = scoped.scope;
    const TimeMs from = std::max(stretch.from, scope.from.value_or(stretch.from));
    const TimeMs to{std::min(stretch.to, scope.to.value_or(stretch.to)).ms - 1};
    return fmt::format("{} to {} {}", clockOf(from), clockOf(to), zoneAt(to));
}

/// "23:14:05 to 23:20:11 UTC of \u201cExplore the cache\u201d": a title may be cut, times are not
std::string wordsOf(const Timeline& timeline, const ScopedCorpus& scoped, const Stretch& stretch) {
    const Scope& scope = scoped.scope;
    const std::string title = "\u201c" + titleOf(scoped.corpus->sessions[timeline.session]) + "\u201d";
    if (stretch.whole && !scope.from && !scope.to) {
        return title;
    }
    return timesOf(scoped, stretch) + " of " + title;
}

bool isChosen(const ChosenRows& rows, const std::string& key) {
    return std::ranges::find(rows.keys, key) != rows.keys.end();
}

/// " 211 API calls that processed 23.2 M tokens, 11.5 % of 202 M; 98.2 % of the prompts came from the
/// cache."; `whole` says of whom all is. A part that is all has no share.
std::string usedOf(const UsageTotals& part, const UsageTotals& all, std::string_view whole = "") {
    const auto tokens = [](const UsageTotals& totals) {
        return static_cast<double>(totals.usage.context() + totals.usage.output);
    };
    const std::string share =
        part.calls == all.calls
            ? std::string()
            : fmt::format(", {} of {}{}", formatShare(tokens(all) > 0 ? tokens(part) / tokens(all) : 0),
                          whole, formatCount(tokens(all)));
    return fmt::format(" {} that processed {} tokens{}; {}.", counted(part.calls, "API call"),
                       formatCount(tokens(part)), share, cachedWords(part));
}

/// Returns the usage of a part of a timeline, as a share of the session's own calls in scope, without
/// inherited ones.
std::string usedOf(const UsageTotals& part, const Timeline& timeline) {
    return usedOf(part, timeline.ownTotals,
                  timeline.totals.calls < timeline.callsOfSession    ? "the selected "
                  : timeline.ownTotals.calls < timeline.totals.calls ? "the session's own "
                                                                     : "the session's ");
}

/// Calls and tokens are the rows' own; of the time, what their scopes hold.
SelectionShown sumOfRows(const ScopedCorpus& scoped, const ChosenRows& rows, const std::stop_token& stop) {
    SelectionShown shown;
    const Composition figure = loadline::compositionOf(*scoped.corpus, scoped.selection, *rows.group);
    std::vector<std::string> keys, labels;
    for (const CompositionRow& row : figure.rows) {
        if (isChosen(rows, row.key)) {
            keys.push_back(row.key);
            labels.push_back(row.label);
            shown.sum.totals += row.totals;
        }
    }
    shown.lost = keys.empty();
    std::vector<std::uint8_t> sessions(scoped.corpus->sessions.size());
    for (const Scope& scope : narrowed(scoped.scope, *rows.group, keys)) {
        if (stop.stop_requested()) {
            break;
        }
        const Selection part = select(*scoped.corpus, scope, scoped.method);
        SelectionSum time = sumOf(*scoped.corpus, part, stop);
        time.totals = {};
        shown.sum += time;
        for (std::size_t i = 0; i < sessions.size(); ++i) {
            sessions[i] = sessions[i] != 0 || part.sessionIn[i] != 0 ? 1 : 0;
        }
    }
    shown.sum.sessions = static_cast<std::uint64_t>(std::ranges::count(sessions, std::uint8_t{1}));
    const std::string one{keyOf(*rows.group)};
    const bool single = labels.size() == 1;
    shown.what = single ? "\u201c" + labels.front() + "\u201d"
                        : fmt::format("{} of {}", labels.size(), counted(figure.rows.size(), one.c_str()));
    shown.sentence = (single ? "\u201c" + excerpt(labels.front(), quotedCharacters) + "\u201d holds"
                             : fmt::format("The {} selected {}s hold", labels.size(), one)) +
                     usedOf(shown.sum.totals, figure.all.totals);
    return shown;
}

/// Returns the sum over the chosen turns in view; over all chosen turns if none of them is in view.
SelectionShown sumOfTurns(const ScopedCorpus& scoped, const Timeline& timeline, const ChosenRows& rows,
                          const std::vector<SessionPromptTurn>* inView) {
    SelectionShown shown;
    const auto isOther = [&](const SessionPromptTurn& turn) { return !isChosen(rows, keyOf(turn)); };
    std::vector<SessionPromptTurn> turns;
    if (inView != nullptr) {
        std::ranges::remove_copy_if(*inView, std::back_inserter(turns), isOther);
    }
    std::size_t all = inView != nullptr ? inView->size() : 0;
    if (turns.empty()) {
        turns = promptTurnsOf(*scoped.corpus, scoped.selection, timeline.session);
        all = turns.size();
        std::erase_if(turns, isOther);
    }
    shown.lost = turns.empty();
    shown.sum = sumOf(timeline, scoped.scope, turns);
    shown.what = fmt::format("{} of {} of \u201c{}\u201d", turns.size(), counted(all, "prompt turn"),
                             titleOf(scoped.corpus->sessions[timeline.session]));
    shown.sentence = (turns.size() == 1 ? "The selected prompt turn holds"
                                        : fmt::format("The {} selected prompt turns hold", turns.size())) +
                     usedOf(shown.sum.totals, timeline);
    return shown;
}

SelectionShown sumOfCalls(const ScopedCorpus& scoped, const Timeline& timeline, const ChosenRows& rows) {
    SelectionShown shown;
    const std::set<std::string_view> keys(rows.keys.begin(), rows.keys.end());
    std::vector<std::uint32_t> calls;
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < timeline.calls.size(); ++i) {
        const CallSpan& call = timeline.calls[i];
        if (call.hit && !call.inherited) {
            ++all;
            if (keys.contains(keyOf(call, *scoped.corpus))) {
                calls.push_back(i);
            }
        }
    }
    shown.lost = calls.empty();
    shown.sum = loadline::sumOfCalls(timeline, calls);
    shown.what = fmt::format("{} of {} of \u201c{}\u201d", calls.size(), counted(all, "API call"),
                             titleOf(scoped.corpus->sessions[timeline.session]));
    shown.sentence =
        (calls.size() == 1 ? "Selected is" : "Selected are") + usedOf(shown.sum.totals, timeline);
    return shown;
}

} // namespace

ScopedCorpus scopedCorpus(std::shared_ptr<const Corpus> corpus, const Scope& scope, TurnMethod method) {
    ScopedCorpus scoped{std::move(corpus), scope, method, {}, {}};
    scoped.selection = select(*scoped.corpus, scope, method);
    scoped.description = describe(scope, *scoped.corpus, scoped.selection);
    return scoped;
}

OverviewShown overviewOf(const Scoped& scoped, std::stop_token stop) {
    OverviewShown shown;
    shown.scoped = scoped;
    const auto cut = [&](CompositionGroup group) {
        return stop.stop_requested()
                   ? shared(Composition{})
                   : shared(loadline::compositionOf(*scoped->corpus, scoped->selection, group));
    };
    shown.bySession = cut(CompositionGroup::Session);
    shown.byDay = cut(CompositionGroup::Day);
    shown.byModel = cut(CompositionGroup::Model);
    shown.progressOnly = progressOnlyIn(*scoped->corpus, scoped->scope);
    shown.drawing = ui::drawingOf(shown.bySession, {false, false}, overviewSentence(shown));
    return shown;
}

SelectionShown selectionOf(const SelectionQuestion& question, const std::stop_token& stop) {
    const ScopedCorpus& scoped = *question.scoped;
    if (question.rows && question.rows->group) {
        return sumOfRows(scoped, *question.rows, stop);
    }
    if (!question.timeline) {
        return {scoped.description, sumOf(*scoped.corpus, scoped.selection, stop)};
    }
    const Timeline& timeline = *question.timeline;
    const Stretch stretch = stretchOf(timeline, question.view);
    const auto turnsInView = stretch.whole
                                 ? nullptr
                                 : shared(promptTurnsWithin(*scoped.corpus, scoped.selection,
                                                            timeline.session, stretch.from, stretch.to));
    SelectionShown shown;
    if (question.rows) {
        shown = question.rows->calls ? sumOfCalls(scoped, timeline, *question.rows)
                                     : sumOfTurns(scoped, timeline, *question.rows, turnsInView.get());
    } else {
        shown = {wordsOf(timeline, scoped, stretch),
                 sumWithin(timeline, scoped.scope, stretch.from, stretch.to)};
        if (!stretch.whole) {
            shown.sentence = timesOf(scoped, stretch) + " holds" + usedOf(shown.sum.totals, timeline);
        }
    }
    shown.turnsInView = turnsInView;
    return shown;
}

std::shared_ptr<const ui::Drawing> timelineDrawing(const Scoped& scoped,
                                                   const std::shared_ptr<const Timeline>& timeline,
                                                   const ui::TimelineView& view) {
    const std::string sentence = selectionOf({scoped, timeline, view, std::nullopt}, {}).sentence;
    return ui::drawingOf(timeline, scoped->corpus, view, sentence);
}

DistributionShown distributionOf(const Scoped& scoped, const DistributionOptions& options) {
    DistributionShown shown{scoped, nullptr, nullptr};
    shown.figure = shared(distributionFigure(*scoped->corpus, scoped->selection, scoped->scope, options));
    shown.drawing = ui::drawingOf(shown.figure);
    return shown;
}

std::optional<SessionIndex> sessionShown(const ScopedCorpus& scoped, const std::string& key) {
    const auto& sessions = scoped.corpus->sessions;
    std::optional<SessionIndex> most;
    Tokens mostTokens = -1;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        if (!scoped.selection.sessionIn[i]) {
            continue;
        }
        if (sessions[i].key == key) {
            return static_cast<SessionIndex>(i);
        }
        const Usage& usage = sessions[i].ownTotals.usage;
        if (usage.context() + usage.output > mostTokens) {
            mostTokens = usage.context() + usage.output;
            most = static_cast<SessionIndex>(i);
        }
    }
    return most;
}

TimelineShown timelineOf(const Scoped& scoped, const std::string& session, std::stop_token stop) {
    TimelineShown shown{scoped, {}, nullptr, nullptr, {}};
    const auto index = sessionShown(*scoped, session);
    if (!index || stop.stop_requested()) {
        return shown;
    }
    shown.session = scoped->corpus->sessions[*index].key;
    shown.timeline = shared(loadline::timelineOf(*scoped->corpus, scoped->selection, *index));
    shown.drawing = ui::drawingOf(shown.timeline, scoped->corpus, {});
    if (!stop.stop_requested()) {
        shown.turns = promptTurnsOf(*scoped->corpus, scoped->selection, *index);
    }
    return shown;
}

CompositionShown compositionOf(const Scoped& scoped, CompositionGroup group,
                               const ui::CompositionView& view) {
    CompositionShown shown{scoped, view, nullptr, nullptr};
    Composition figure = loadline::compositionOf(*scoped->corpus, scoped->selection, group);
    sortRows(figure, view.order, view.reversed);
    shown.figure = shared(std::move(figure));
    shown.drawing = ui::drawingOf(shown.figure, view);
    return shown;
}

} // namespace loadline::app
