// From a request to the command line that asks for it.
#include "app/chart/chart_request.h"
#include "app/options/shell_words.h"
#include "app/options/simulation_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::app {
namespace {

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

void addSelfCheck(Words& words, const SelfCheckChoice& choice) {
    if (!choice.run.empty()) {
        words.add("--run", choice.run);
    }
    if (!choice.prompts.empty()) {
        words.add("--prompts", choice.prompts);
    }
    if (choice.kvBlocks) {
        words.add("--blocks", fmt::format("{}", *choice.kvBlocks));
    }
}

/// Every choice that the chart depends on, spelled out.
std::vector<std::string> simulationWords(const ChartRequest& part) {
    if (simulates(part.kind)) {
        return wordsOf(part.simulation);
    }
    if (showsKernels(part.kind)) {
        return {"--profile", part.simulation.profile, "--k", fmt::format("{}", part.simulation.kBits)};
    }
    return {};
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

} // namespace

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

ChartRequest relevantPart(const ChartRequest& request) {
    ChartRequest part;
    part.kind = request.kind;
    if (checksItself(request.kind)) {
        part.selfCheck = request.selfCheck;
        return part;
    }
    if (showsKernels(request.kind)) {
        part.simulation.profile = request.simulation.profile;
        part.simulation.kBits = request.simulation.kBits;
        part.comparedProfile = request.comparedProfile;
        part.timedShape = request.timedShape;
        part.unsaved = request.unsaved;
        return part;
    }
    if (simulates(request.kind)) {
        part.simulation = request.simulation;
        if (compares(request.kind)) {
            part.against = request.against;
            if (request.against && request.against->workload == openWorkload) {
                part.againstScope = request.againstScope;
            }
        }
        if (request.kind == ChartKind::Batch || request.kind == ChartKind::BatchStep) {
            part.batchStep = request.batchStep;
        }
        if (!needsCorpus(request)) {
            return part;
        }
    }
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
    if (!part.unsaved.empty()) {
        return "";
    }
    Words words("loadline export " + keyOf(part.kind));
    addScope(words, part.scope);
    addDistribution(words, part.distribution);
    addTimeline(words, part);
    addComposition(words, part);
    addSelfCheck(words, part.selfCheck);
    for (const std::string& word : simulationWords(part)) {
        words.add(word);
    }
    if (part.batchStep != 0) {
        words.add("--at-step", fmt::format("{}", part.batchStep));
    }
    if (part.against) {
        std::string line = joinedForShell(wordsOf(*part.against));
        if (part.againstScope == Scope{}) {
            line += " --all-sessions";
        } else if (part.againstScope) {
            Words sessions(std::move(line));
            addScope(sessions, *part.againstScope);
            line = sessions.text();
        }
        words.add("--against=" + line);
    }
    if (!part.comparedProfile.empty()) {
        words.add("--compare", part.comparedProfile);
    }
    if (!part.timedShape.empty()) {
        words.add("--shape", part.timedShape);
    }
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

} // namespace loadline::app
