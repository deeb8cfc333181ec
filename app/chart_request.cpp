// From a request to its drawing, and to the command line that asks for it.
#include "app/chart_request.h"

#include "app/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace loadline::app {
namespace {

bool needsNoQuotes(unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:=@%+,").find(static_cast<char>(c)) != std::string_view::npos;
}

/// A command line that grows by quoted words.
class Words {
public:
    explicit Words(std::string start) : text_(std::move(start)) {}

    void add(const std::string& word) { text_ += " " + quotedForShell(word); }

    void add(const std::string& option, const std::string& value) {
        add(option);
        add(value);
    }

    void each(const std::string& option, const std::vector<std::string>& values) {
        for (const std::string& value : values) {
            add(option, value);
        }
    }

    void range(const std::string& option, const std::optional<TokenRange>& range) {
        if (range) {
            add(option, fmt::format("{}:{}", range->low, range->high));
        }
    }

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

void addScope(Words& words, const Scope& scope) {
    words.each("--session", scope.sessions);
    words.each("--project", scope.projects);
    words.each("--model", scope.models);
    words.each("--agent", scope.agents);
    if (!scope.text.empty()) {
        words.add("--text", scope.text);
    }
    if (scope.from) {
        words.add("--from", formatIso8601(*scope.from));
    }
    if (scope.to) {
        words.add("--to", formatIso8601(*scope.to));
    }
    words.range("--turn-input", scope.turnInput);
    words.range("--turn-output", scope.turnOutput);
}

void addDistribution(Words& words, const DistributionOptions& options) {
    const DistributionOptions usual;
    if (options.method != usual.method) {
        words.add("--method", std::string(keyOf(options.method)));
    }
    if (options.bins != usual.bins) {
        words.add("--bins", keyOf(options.bins));
    }
    if (options.measure != usual.measure) {
        words.add("--measure", keyOf(options.measure));
    }
    if (options.reference) {
        words.add("--reference");
    }
}

void addTimeline(Words& words, const ChartRequest& request) {
    const ui::TimelineView usual;
    if (!request.session.empty()) {
        words.add("--show", request.session);
    }
    if (request.timeline.axis != usual.axis) {
        words.add("--axis", keyOf(request.timeline.axis));
    }
    if (request.timeline.start != usual.start) {
        words.add("--view-start", fmt::format("{}", request.timeline.start));
    }
    if (request.timeline.end != usual.end) {
        words.add("--view-end", fmt::format("{}", request.timeline.end));
    }
}

void addComposition(Words& words, const ChartRequest& request) {
    if (request.group != CompositionGroup::Session) {
        words.add("--group", std::string(keyOf(request.group)));
    }
    if (request.composition.perRequest) {
        words.add("--per-request");
    }
    if (!request.composition.shares) {
        words.add("--tokens");
    }
}

void addOptions(Words& words, const ui::ExportOptions& options) {
    const ui::ExportOptions usual;
    if (options.size != usual.size) {
        words.add("--size", fmt::format("{}x{}", options.size.width(), options.size.height()));
    }
    if (options.scale != usual.scale) {
        words.add("--scale", fmt::format("{}", options.scale));
    }
    if (options.theme != usual.theme) {
        words.add("--theme", "dark");
    }
}

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

/// The requests' names of sessions as keys.
Result<Scope> withKeys(const Scope& scope, const Corpus& corpus) {
    Scope result = scope;
    for (std::string& name : result.sessions) {
        Result<std::string> key = sessionKey(corpus, name);
        if (!key) {
            return key.error();
        }
        name = *key;
    }
    return result;
}

/// The session that a timeline of the request shows.
Result<SessionIndex> sessionOf(const ChartRequest& request, const ScopedCorpus& scoped) {
    std::string key = request.session;
    if (!key.empty()) {
        Result<std::string> found = sessionKey(*scoped.corpus, key);
        if (!found) {
            return found.error();
        }
        key = *found;
    }
    const std::optional<SessionIndex> index = sessionShown(scoped, key);
    if (!index || (!key.empty() && scoped.corpus->sessions[*index].key != key)) {
        return Error{"the session is not in scope", request.session, "fewer restrictions"};
    }
    return *index;
}

Result<std::shared_ptr<const ui::Drawing>> timelineFor(const ChartRequest& request, const Scoped& scoped) {
    const Result<SessionIndex> session = sessionOf(request, *scoped);
    if (!session) {
        return session.error();
    }
    auto timeline =
        std::make_shared<const Timeline>(loadline::timelineOf(*scoped->corpus, scoped->selection, *session));
    return std::shared_ptr<const ui::Drawing>(
        ui::drawingOf(std::move(timeline), scoped->corpus, request.timeline));
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

} // namespace

std::string keyOf(ChartKind kind) {
    switch (kind) {
    case ChartKind::Distributions:
        return "distributions";
    case ChartKind::Timeline:
        return "timeline";
    case ChartKind::Composition:
        break;
    }
    return "composition";
}

std::string describe(ChartKind kind) {
    switch (kind) {
    case ChartKind::Distributions:
        return "input and output tokens per turn, as histograms";
    case ChartKind::Timeline:
        return "one session over time: agents, tools, context, pauses";
    case ChartKind::Composition:
        break;
    }
    return "cache read, cache write, uncached input and output by session, day, model or project";
}

std::string keyOf(BinKind bins) {
    return bins == BinKind::PowerOfTwo ? "power-of-two" : "fine";
}

std::string keyOf(Measure measure) {
    switch (measure) {
    case Measure::Count:
        return "count";
    case Measure::Share:
        return "share";
    case Measure::Cumulative:
        break;
    }
    return "cumulative";
}

std::string keyOf(TimelineAxis axis) {
    switch (axis) {
    case TimelineAxis::WallClock:
        return "wall-clock";
    case TimelineAxis::CompressedGaps:
        return "compressed-gaps";
    case TimelineAxis::TurnIndex:
        break;
    }
    return "turn-index";
}

std::string quotedForShell(const std::string& word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), needsNoQuotes)) {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

ChartRequest relevantPart(const ChartRequest& request) {
    ChartRequest part;
    part.kind = request.kind;
    part.paths = request.paths;
    part.scope = request.scope;
    if (request.kind == ChartKind::Distributions) {
        part.distribution = request.distribution;
    } else if (request.scope.turnInput || request.scope.turnOutput) {
        part.distribution.method = request.distribution.method; // it says what the brushed turns are
    }
    if (request.kind == ChartKind::Timeline) {
        part.session = request.session;
        part.timeline = request.timeline;
    }
    if (request.kind == ChartKind::Composition) {
        part.group = request.group;
        part.composition = request.composition;
    }
    return part;
}

std::string commandFor(const ChartRequest& request, const ui::ExportOptions& options,
                       const std::string& out) {
    const ChartRequest part = relevantPart(request);
    Words words("loadline export " + keyOf(part.kind));
    addScope(words, part.scope);
    addDistribution(words, part.distribution);
    addTimeline(words, part);
    addComposition(words, part);
    addOptions(words, options);
    words.add("--out", out);
    const bool mistakable = std::any_of(part.paths.begin(), part.paths.end(),
                                        [](const std::string& path) { return path.starts_with('-'); });
    if (mistakable) {
        words.add("--");
    }
    for (const std::string& path : part.paths) {
        words.add(path);
    }
    return words.text();
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

Result<std::shared_ptr<const ui::Drawing>> drawingFor(const ChartRequest& request,
                                                      std::shared_ptr<const Corpus> corpus) {
    const Result<Scope> scope = withKeys(request.scope, *corpus);
    if (!scope) {
        return scope.error();
    }
    const auto scoped = std::make_shared<const ScopedCorpus>(
        scopedCorpus(std::move(corpus), *scope, request.distribution.method));
    if (scoped->selection.calls == 0 && scoped->selection.sessions == 0) {
        return Error{"there is nothing in scope to draw", scoped->description,
                     "fewer restrictions, or other paths"};
    }
    switch (request.kind) {
    case ChartKind::Distributions:
        return distributionOf(scoped, request.distribution).drawing;
    case ChartKind::Timeline:
        return timelineFor(request, scoped);
    case ChartKind::Composition:
        break;
    }
    return compositionOf(scoped, request.group, request.composition).drawing;
}

std::string captionFor(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    const Result<Scope> scope = withKeys(request.scope, *corpus);
    const ScopedCorpus scoped =
        scopedCorpus(corpus, scope ? *scope : request.scope, request.distribution.method);
    std::string text = scoped.description;
    std::string days = daysOf(scoped);
    if (request.kind == ChartKind::Timeline) {
        if (const Result<SessionIndex> index = sessionOf(request, scoped)) {
            const Session& session = corpus->sessions[*index];
            text = fmt::format("session {} of {}", session.sessionId, session.project);
            days = daysOf(session.firstTime, session.lastTime);
        }
    }
    text += days.empty() ? "" : ", " + days;
    return request.paths.empty() ? text + " (made-up sample)" : text;
}

} // namespace loadline::app
