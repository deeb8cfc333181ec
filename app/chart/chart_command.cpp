// From a request to the command line that asks for it.
#include "app/asked/asked.h"
#include "app/chart/chart_request.h"
#include "app/chart/study_chart.h"
#include "app/faces/field_options.h"
#include "app/options/scope_words.h"
#include "app/options/shell_words.h"
#include "app/options/simulation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace loadline::app {
namespace {

/// The fields of the chart, and what brushed turns are where they are in scope.
FieldKeys keysOf(const ChartRequest& request) {
    FieldKeys keys = request.chart->fields;
    const bool brushed = request.scope.turnInput || request.scope.turnOutput;
    const bool counts = std::ranges::find(keys, "method") != keys.end();
    if (needsCorpus(request) && brushed && !counts) {
        keys.emplace_back("method");
    }
    return keys;
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

    void each(const std::vector<std::string>& all) {
        for (const std::string& word : all) {
            add(word);
        }
    }

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// Adds every field that the charts have in common, its default too: a later default changes no older
/// picture. A field that is left open adds no words.
void addAsked(Words& words, std::span<const ChartRequest> parts) {
    FieldKeys written;
    for (const ChartRequest& part : parts) {
        for (const std::string_view key : keysOf(part)) {
            const AskedField& one = askedField(key);
            const std::string text = one.textIn(part.asked);
            const bool differs = std::ranges::any_of(parts, [&](const ChartRequest& other) {
                const FieldKeys& fields = other.chart->fields;
                return std::ranges::find(fields, key) != fields.end() && one.textIn(other.asked) != text;
            }); // the page's own
            const bool isOpen =
                text.empty() || (one.field->access.mayBeNone && text == one.field->traits.none);
            if (!one.hasOption() || differs || isOpen || std::ranges::find(written, key) != written.end()) {
                continue;
            }
            written.push_back(key);
            words.each(optionWords(*one.field, one.in(part.asked), one.in(Asked())));
        }
    }
}

/// Every choice that the chart depends on, spelled out.
std::vector<std::string> simulationWords(const ChartRequest& part) {
    if (const ask::Study* const study = part.chart->asks) {
        return wordsOf(*study, part.questions[*study]);
    }
    if (part.chart->subject == ChartSubject::Simulation) {
        return exportWordsOf(part.simulation);
    }
    if (part.chart->subject == ChartSubject::Kernels) {
        const auto k = quantisedK(part.simulation.weights);
        std::vector<std::string> words = {"--profile", part.simulation.profile};
        if (k) {
            words.insert(words.end(), {"--k", fmt::format("{}", *k)});
        }
        return words;
    }
    return {};
}

void addOptions(Words& words, const ui::ExportOptions& options) {
    words.add("--size", fmt::format("{}x{}", options.size.width(), options.size.height()));
    words.add("--scale", fmt::format("{}", options.scale));
    words.add("--theme", options.theme == ui::ThemeKind::Light ? "light" : "dark");
}

/// Returns a request with everything that any of the parts needs.
ChartRequest widestOf(std::span<const ChartRequest> parts) {
    ChartRequest widest = parts.front();
    for (const ChartRequest& part : parts) {
        widest.against = widest.against ? widest.against : part.against;
        if (needsCorpus(part)) {
            widest.paths = part.paths;
            widest.scope = part.scope;
        }
    }
    return widest;
}

void addAgainst(Words& words, const SimulationRequest& against) {
    std::string line = joinedForShell(wordsOf(against));
    const Source& other = against.workload;
    if (other.isPart()) {
        Words sessions(std::move(line));
        sessions.each(wordsOf(*other.scope));
        line = sessions.text();
    } else if (other.scope) {
        line += " --all-sessions";
    }
    words.add("--against=" + line);
}

} // namespace

ChartRequest relevantPart(const ChartRequest& request) {
    const ChartSpec& chart = *request.chart;
    ChartRequest part;
    part.chart = request.chart;
    part.asked = only(request.asked, keysOf(request));
    if (chart.asks != nullptr) {
        part.questions = request.questions.only(*chart.asks);
    }
    if (chart.subject == ChartSubject::Kernels) {
        part.simulation.profile = request.simulation.profile;
        const auto k = quantisedK(request.simulation.weights);
        part.simulation.weights = k ? request.simulation.weights : part.simulation.weights;
        part.unsaved = request.unsaved;
    }
    if (chart.subject == ChartSubject::Simulation) {
        part.simulation = request.simulation;
        if (chart.compares) {
            part.against = request.against;
        }
    }
    if (needsCorpus(request)) {
        part.paths = request.paths;
        part.scope = request.scope;
    }
    return part;
}

std::string commandOf(const std::string& what, std::span<const ChartRequest> charts,
                      const ui::ExportOptions& options, const std::string& out) {
    std::vector<ChartRequest> parts;
    for (const ChartRequest& chart : charts) {
        parts.push_back(relevantPart(chart));
    }
    const ChartRequest part = widestOf(parts);
    if (!part.unsaved.empty()) {
        return "";
    }
    Words words("loadline export " + what);
    words.each(wordsOf(part.scope));
    addAsked(words, parts);
    for (const std::string& word : simulationWords(part)) {
        words.add(word);
    }
    if (part.against) {
        addAgainst(words, *part.against);
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

std::string commandFor(const ChartRequest& request, const ui::ExportOptions& options,
                       const std::string& out) {
    return commandOf(std::string(request.chart->key), {&request, 1}, options, out);
}

} // namespace loadline::app
