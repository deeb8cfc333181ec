// Charts by request: the words of the command line, and the drawing they stand for.
#include "app/chart_request.h"

#include "core/workload/session_tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::app {
namespace {

/// Quoted for a POSIX shell where it has to be.
std::string quoted(const std::string& word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) ||
               std::string_view("/._-+=:,@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain)
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

class Words {
public:
    void add(const std::string& word) { text_ += (text_.empty() ? "" : " ") + quoted(word); }

    void add(const char* option, const std::string& value) {
        add(option);
        add(value);
    }

    void add(const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            add(option, value);
    }

    void add(const char* option, const std::optional<TokenRange>& range) {
        if (range)
            add(option, fmt::format("{}:{}", range->low, range->high));
    }

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

void addScope(Words& words, const Scope& scope) {
    words.add("--scope-session", scope.sessions);
    words.add("--project", scope.projects);
    words.add("--model", scope.models);
    words.add("--agent", scope.agents);
    if (!scope.text.empty())
        words.add("--text", scope.text);
    if (scope.from)
        words.add("--from", formatIso8601(*scope.from));
    if (scope.to)
        words.add("--to", formatIso8601(*scope.to));
    words.add("--turn-input", scope.turnInput);
    words.add("--turn-output", scope.turnOutput);
}

/// The session named by its key, its id or the unique beginning of one; "": most tokens in scope.
Result<SessionIndex> sessionNamed(const std::string& name, const Corpus& corpus, const Selection& selection) {
    std::vector<SessionIndex> fits;
    for (std::size_t i = 0; i < corpus.sessions.size(); ++i) {
        const Session& session = corpus.sessions[i];
        const auto index = static_cast<SessionIndex>(i);
        if (!selection.sessionIn[i])
            continue;
        if (!name.empty() && (session.key == name || session.sessionId == name))
            return index;
        if (session.sessionId.starts_with(name) || session.key.starts_with(name))
            fits.push_back(index);
    }
    const auto tokens = [&](SessionIndex i) {
        const Usage& usage = corpus.sessions[i].totals.usage;
        return usage.context() + usage.output;
    };
    if (fits.empty())
        return Error{"no session in scope has this name", name, "list them with `loadline sessions`"};
    if (name.empty())
        return *std::max_element(fits.begin(), fits.end(),
                                 [&](SessionIndex a, SessionIndex b) { return tokens(a) < tokens(b); });
    if (fits.size() > 1)
        return Error{fmt::format("{} sessions have names that begin so", fits.size()), name,
                     "give more of the name"};
    return fits.front();
}

} // namespace

std::string keyOf(ChartKind kind) {
    switch (kind) {
    case ChartKind::Distributions:
        return "distributions";
    case ChartKind::Timeline:
        return "timeline";
    case ChartKind::Composition:
        return "composition";
    }
    return {};
}

std::string describe(ChartKind kind) {
    switch (kind) {
    case ChartKind::Distributions:
        return "input and output per turn";
    case ChartKind::Timeline:
        return "one session over time";
    case ChartKind::Composition:
        return "what prompts are made of";
    }
    return {};
}

std::string commandFor(const ChartRequest& request, const ui::ExportOptions& options,
                       const std::string& out) {
    Words words;
    words.add("loadline");
    words.add("export");
    words.add(keyOf(request.kind));
    for (const std::string& path : request.paths)
        words.add(path);
    addScope(words, request.scope);
    if (request.kind == ChartKind::Distributions) {
        const DistributionOptions& d = request.distribution;
        words.add("--method", std::string(keyOf(d.method)));
        words.add("--bins", d.bins == BinKind::PowerOfTwo ? "power-of-two" : "fine");
        words.add("--measure", d.measure == Measure::Count   ? "count"
                               : d.measure == Measure::Share ? "share"
                                                             : "cumulative");
        if (d.reference)
            words.add("--reference");
    } else if (request.kind == ChartKind::Timeline) {
        if (!request.session.empty())
            words.add("--session", request.session);
        const ui::TimelineView& view = request.timeline;
        words.add("--axis", view.axis == TimelineAxis::WallClock        ? "wall-clock"
                            : view.axis == TimelineAxis::CompressedGaps ? "compressed-gaps"
                                                                        : "turn-index");
        if (view.end > view.start)
            words.add("--view", fmt::format("{}:{}", view.start, view.end));
    } else {
        words.add("--by", std::string(keyOf(request.group)));
        if (request.composition.perRequest)
            words.add("--per-request");
        if (!request.composition.shares)
            words.add("--tokens");
    }
    words.add("--size", fmt::format("{}x{}", options.size.width(), options.size.height()));
    if (options.scale != 1)
        words.add("--scale", fmt::format("{}", options.scale));
    words.add("--theme", options.theme == ui::ThemeKind::Dark ? "dark" : "light");
    words.add("--out", out);
    return words.text();
}

Result<std::shared_ptr<const ui::Drawing>> drawingFor(const ChartRequest& request,
                                                      std::shared_ptr<const Corpus> corpus) {
    const Selection selection = select(*corpus, request.scope, request.distribution.method);
    if (selection.sessions == 0)
        return Error{"nothing is in scope: " + loadline::describe(request.scope, *corpus, selection), "",
                     "name other paths or widen the scope"};
    switch (request.kind) {
    case ChartKind::Distributions:
        return std::shared_ptr<const ui::Drawing>(ui::drawingOf(std::make_shared<const DistributionFigure>(
            distributionFigure(*corpus, selection, request.scope, request.distribution))));
    case ChartKind::Timeline: {
        const auto session = sessionNamed(request.session, *corpus, selection);
        if (!session)
            return session.error();
        auto timeline = std::make_shared<const Timeline>(timelineOf(*corpus, selection, *session));
        return std::shared_ptr<const ui::Drawing>(
            ui::drawingOf(std::move(timeline), std::move(corpus), request.timeline));
    }
    case ChartKind::Composition:
        return std::shared_ptr<const ui::Drawing>(ui::drawingOf(
            std::make_shared<const Composition>(compositionOf(*corpus, selection, request.group)),
            request.composition));
    }
    return Error{"there is no such chart", "", ""};
}

} // namespace loadline::app
