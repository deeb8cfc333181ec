// The charts of sessions: captions, and the session that a timeline shows.
#include "app/chart/session_chart.h"

#include "core/workload/scope/fold_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace loadline::app {
namespace {

/// Rank of how well a name fits a session; 0: not at all.
int fit(const Session& session, const std::string& name) {
    if (session.key == name) {
        return 3;
    }
    if (session.sessionId == name) {
        return 2;
    }
    return session.sessionId.starts_with(name) || session.key.starts_with(name) ? 1 : 0;
}

/// The session that a timeline of the request shows.
Result<SessionIndex> sessionOf(const ChartRequest& request, const ScopedCorpus& scoped) {
    std::string key = request.asked.sessions.session;
    if (!key.empty()) {
        Result<std::string> found = sessionKey(*scoped.corpus, key);
        if (!found) {
            return found.error();
        }
        key = *found;
    }
    const std::optional<SessionIndex> index = sessionShown(scoped, key);
    if (!index || (!key.empty() && scoped.corpus->sessions[*index].key != key)) {
        return Error{"the session is not in scope", request.asked.sessions.session, "fewer restrictions"};
    }
    return *index;
}

ScopedCorpus scopedFor(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    const Result<Scope> scope = withKeys(request.scope, *corpus);
    return scopedCorpus(corpus, scope ? *scope : request.scope, request.asked.sessions.distribution.method);
}

/// "2026-01-20", "2026-01-20 to 2026-02-03" or, without times, "".
std::string daysOf(TimeMs first, TimeMs last) {
    return utcDay(first) == utcDay(last) ? utcDay(first)
                                         : fmt::format("{} to {}", utcDay(first), utcDay(last));
}

/// Days of the calls in scope.
std::string daysOf(const ScopedCorpus& scoped) {
    TimeMs first = unknownTime;
    TimeMs last = unknownTime;
    for (std::size_t i = 0; i < scoped.corpus->calls.size(); ++i) {
        const CorpusCall& call = scoped.corpus->calls[i];
        if (scoped.selection.callIn[i] != 0 && isKnown(call.firstTime)) {
            first = isKnown(first) ? std::min(first, call.firstTime) : call.firstTime;
            last = std::max(last, call.lastTime); // unknownTime is the smallest
        }
    }
    return daysOf(first, last);
}

std::string captionOf(const ChartRequest& request, std::string text, const std::string& days) {
    text += days.empty() ? "" : ", " + days;
    return request.paths.empty() ? text + " (made-up sample)" : text;
}

std::string timelineCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    const Result<SessionIndex> index = sessionOf(request, scopedFor(request, corpus));
    if (!index) {
        return scopeCaption(request, corpus);
    }
    const Session& session = corpus->sessions[*index];
    return captionOf(request, fmt::format("session {} of {}", session.sessionId, session.project),
                     daysOf(session.firstTime, session.lastTime));
}

ChartDrawing drawDistributions(const ChartRequest& request, const Scoped& scoped, ChartMemory* /*memory*/) {
    return distributionOf(scoped, request.asked.sessions.distribution).drawing;
}

ChartDrawing drawTimeline(const ChartRequest& request, const Scoped& scoped, ChartMemory* /*memory*/) {
    const Result<SessionIndex> session = sessionOf(request, *scoped);
    if (!session) {
        return session.error();
    }
    auto timeline =
        std::make_shared<const Timeline>(loadline::timelineOf(*scoped->corpus, scoped->selection, *session));
    return timelineDrawing(scoped, timeline, request.asked.sessions.timeline);
}

ChartDrawing drawComposition(const ChartRequest& request, const Scoped& scoped, ChartMemory* /*memory*/) {
    return compositionOf(scoped, request.asked.sessions.group, request.asked.sessions.composition).drawing;
}

} // namespace

std::string scopeCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    const ScopedCorpus scoped = scopedFor(request, corpus);
    return captionOf(request, scoped.description, daysOf(scoped));
}

QString overviewSentence(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus,
                         const ChartMemory& /*drawn*/) {
    return overviewOf(std::make_shared<const ScopedCorpus>(scopedFor(request, corpus)), {})
        .drawing->sentence();
}

namespace charts {

const ChartSpec distributions{.key = "distributions",
                              .description = "input and output tokens per turn, as histograms",
                              .subject = ChartSubject::Sessions,
                              .caption = scopeCaption,
                              .fields = {"method", "bins", "measure", "reference"},
                              .draw = drawDistributions};
const ChartSpec timeline{.key = "timeline",
                         .description = "one session over time: agents, tools, context, pauses",
                         .subject = ChartSubject::Sessions,
                         .caption = timelineCaption,
                         .fields = {"show", "axis", "view-start", "view-end", "clock"},
                         .draw = drawTimeline};
const ChartSpec composition{
    .key = "composition",
    .description = "cache read, cache write, uncached input and output by session, day, model or project",
    .subject = ChartSubject::Sessions,
    .caption = scopeCaption,
    .fields = {"group", "per-request", "shares", "sort-by", "reversed", "clock"},
    .draw = drawComposition,
    .variants = "group"};

} // namespace charts

namespace {

/// Each part becomes the names that are it, or else that hold it. The Error: there is none at all.
std::optional<Error> complete(std::vector<std::string>& parts, const std::set<std::string>& names,
                              const char* what) {
    std::set<std::string> found;
    for (const std::string& part : parts) {
        for (const std::string& name : names) {
            if (names.contains(part) ? name == part
                                     : foldCase(name).find(foldCase(part)) != std::string::npos) {
                found.insert(name);
            }
        }
    }
    if (found.empty() && !parts.empty()) {
        constexpr std::ptrdiff_t most = 12;
        const auto size = static_cast<std::ptrdiff_t>(names.size());
        const std::vector<std::string> some(names.begin(), std::next(names.begin(), std::min(size, most)));
        return Error{fmt::format("no {} is called \"{}\"", what, fmt::join(parts, "\" or \"")), "",
                     fmt::format("one of these, or a part of its name: {}{}", fmt::join(some, ", "),
                                 size > most ? ", ..." : "")};
    }
    parts.assign(found.begin(), found.end());
    return std::nullopt;
}

} // namespace

Result<Scope> withKeys(const Scope& scope, const Corpus& corpus) {
    Scope result = scope;
    std::set<std::string> projects;
    for (const Session& session : corpus.sessions) {
        projects.insert(session.project);
    }
    if (auto problem = complete(result.projects, projects, "project")) {
        return *problem;
    }
    if (auto problem = complete(result.models, {corpus.models.begin(), corpus.models.end()}, "model")) {
        return *problem;
    }
    for (std::string& name : result.sessions) {
        Result<std::string> key = sessionKey(corpus, name);
        if (!key) {
            return key.error();
        }
        name = *key;
    }
    return result;
}

Result<std::string> sessionKey(const Corpus& corpus, const std::string& name) {
    int best = 0;
    std::vector<const Session*> found;
    for (const Session& session : corpus.sessions) {
        const int rank = fit(session, name);
        if (rank > best) {
            found.clear();
            best = rank;
        }
        if (rank > 0 && rank == best) {
            found.push_back(&session);
        }
    }
    if (found.empty()) {
        return Error{"no session has this id", name, "'loadline sessions' lists the ids"};
    }
    if (found.size() > 1) {
        return Error{fmt::format("{} sessions have an id that begins so", found.size()), name,
                     "more of the id; 'loadline sessions' lists them"};
    }
    return found.front()->key;
}

} // namespace loadline::app
