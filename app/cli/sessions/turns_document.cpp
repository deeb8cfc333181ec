// The document of `loadline turns`, its text, and the distribution file.
#include "app/cli/sessions/turns_document.h"

#include "core/text/text_table.h"
#include "core/session/corpus/continued_words.h"
#include "core/session/corpus/losses.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"
#include "core/workload/distribution/histogram.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <span>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

struct Sums {
    std::uint64_t turns = 0, inputAbove0 = 0, outputAbove0 = 0, inputAbout = 0, inexact = 0;
    Tokens input = 0, output = 0;

    void add(const Turn& turn) {
        ++turns;
        inputAbove0 += turn.input > 0 ? 1 : 0;
        outputAbove0 += turn.output > 0 ? 1 : 0;
        inputAbout += turn.inputAbout ? 1 : 0;
        inexact += isInexact(turn) ? 1 : 0;
        input += turn.input;
        output += turn.output;
    }

    static bool isInexact(const Turn& turn) {
        return turn.quality != OutputQuality::Final && turn.quality != OutputQuality::None;
    }
};

/// Everything that both forms of the answer need.
struct Counted {
    Sums all;
    std::vector<Sums> byFile;
    Histogram input;
    Histogram output;
    std::uint64_t sessions = 0;             ///< with at least one turn
    std::uint64_t sessionsWithoutCache = 0; ///< of these, those whose input is an estimate
};

Counted count(const Corpus& corpus, TurnMethod method) {
    const std::vector<Turn> turns = turnsInScope(corpus, select(corpus, {}, method), method);
    Counted counted;
    counted.byFile.resize(corpus.files.size());
    std::vector<HistogramValue> inputs;
    std::vector<HistogramValue> outputs;
    std::set<SessionIndex> sessions;
    std::set<SessionIndex> withoutCache;
    for (const Turn& turn : turns) {
        counted.all.add(turn);
        counted.byFile[turn.file].add(turn);
        inputs.push_back({.value = turn.input, .inexact = false, .hit = false});
        outputs.push_back({.value = turn.output, .inexact = Sums::isInexact(turn), .hit = false});
        sessions.insert(turn.session);
        if (turn.inputAbout) {
            withoutCache.insert(turn.session);
        }
    }
    counted.input = histogramOf(inputs, BinKind::PowerOfTwo);
    counted.output = histogramOf(outputs, BinKind::PowerOfTwo);
    counted.sessions = sessions.size();
    counted.sessionsWithoutCache = withoutCache.size();
    return counted;
}

Json histogramDocument(const Histogram& histogram) {
    Json result = Json::object();
    for (const Bin& bin : histogram.bins) {
        if (bin.count > 0) {
            result[std::to_string(bin.label)] = bin.count;
        }
    }
    return result;
}

std::string_view wordsFor(TurnMethod method) {
    switch (method) {
    case TurnMethod::PerLine:
        return "user records, input as characters / 4 and output of every line, as the published study "
               "counts";
    case TurnMethod::ApiCall:
        return "API calls, each once: input + cache write, output";
    case TurnMethod::Prompt:
        return "from one human prompt to the next: sums of the main lane's API calls";
    }
    return "";
}

std::string sessionsOf(std::uint64_t n) {
    return loadline::counted(n, "session");
}

/// "The logs of 5 of 10 sessions record no cache: ..."; "" where all do.
std::string withoutCacheSentence(const Counted& counted) {
    return counted.sessionsWithoutCache == 0
               ? ""
               : "The " + continuedPromptsNote(counted.sessionsWithoutCache, counted.sessions) + ".";
}

std::string histogramText(const Counted& counted) {
    TextTable table{{{"Tokens", true},
                     {"Turns by input", true},
                     {"Share", true},
                     {"Turns by output", true},
                     {"Share", true}},
                    {}};
    std::map<Tokens, std::pair<std::uint64_t, std::uint64_t>> byLabel;
    for (const Bin& bin : counted.input.bins) {
        byLabel[bin.label].first = bin.count;
    }
    for (const Bin& bin : counted.output.bins) {
        byLabel[bin.label].second = bin.count;
    }
    const auto share = [](std::uint64_t n, std::uint64_t of) {
        return n == 0 ? std::string() : formatShare(static_cast<double>(n) / static_cast<double>(of));
    };
    const auto number = [](std::uint64_t n) {
        return n == 0 ? "" : formatExact(static_cast<std::int64_t>(n));
    };
    for (const auto& [label, turns] : byLabel) {
        table.rows.push_back({formatExact(label), number(turns.first),
                              share(turns.first, counted.all.inputAbove0), number(turns.second),
                              share(turns.second, counted.all.outputAbove0)});
    }
    return alignedText(table);
}

std::string summaryText(const Counted& counted) {
    TextTable table{{{"", false},
                     {"Turns above 0", true},
                     {"Sum", true},
                     {"Mean", true},
                     {"p50", true},
                     {"p90", true},
                     {"p99", true}},
                    {}};
    const auto add = [&table](const char* name, const Histogram& histogram, const std::string& least) {
        const Summary& s = histogram.summary;
        table.rows.push_back({name, formatExact(static_cast<std::int64_t>(s.n)), least + formatExact(s.sum),
                              least + formatCount(s.mean), least + formatCount(s.p50),
                              least + formatCount(s.p90), least + formatCount(s.p99)});
    };
    add("Input", counted.input, counted.all.inputAbout > 0 ? "≈ " : "");
    add("Output", counted.output, counted.all.inexact > 0 ? "≥ " : "");
    return alignedText(table);
}

} // namespace

nlohmann::ordered_json turnsDocument(const Corpus& corpus, TurnMethod method) {
    const Counted counted = count(corpus, method);
    Json files = Json::array();
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        const Sums& sums = counted.byFile[f];
        files.push_back({{"path", corpus.files[f].file->path},
                         {"turns", sums.turns},
                         {"sum_input_est", sums.input},
                         {"sum_output", sums.output},
                         {"turns_input_gt0", sums.inputAbove0},
                         {"turns_output_gt0", sums.outputAbove0}});
    }
    return {{"schema", "loadline.turns/1"},
            {"method", keyOf(method)},
            {"turns", counted.all.turns},
            {"turns_input_gt0", counted.all.inputAbove0},
            {"turns_output_gt0", counted.all.outputAbove0},
            {"sum_input_est", counted.all.input},
            {"sum_output", counted.all.output},
            {"turns_output_inexact", counted.all.inexact},
            {"turns_input_estimated", counted.all.inputAbout},
            {"sessions", counted.sessions},
            {"sessions_without_cache", counted.sessionsWithoutCache},
            {"input_hist", histogramDocument(counted.input)},
            {"output_hist", histogramDocument(counted.output)},
            {"complete", isComplete(corpus)},
            {"files", std::move(files)}};
}

std::string turnsText(const Corpus& corpus, TurnMethod method) {
    const Counted counted = count(corpus, method);
    std::string text =
        fmt::format("{} in {}, method {}: {}\n\n", loadline::counted(counted.all.turns, "turn"),
                    sessionsOf(counted.sessions), keyOf(method), wordsFor(method));
    text += summaryText(counted) + "\n" + histogramText(counted);
    if (const std::string unrecorded = withoutCacheSentence(counted); !unrecorded.empty()) {
        text += "\n" + unrecorded + "\n";
    }
    if (counted.all.inexact > 0) {
        text += fmt::format("\nOutput is a lower bound: {} turns hold calls whose log was written before the "
                            "output was complete.\n",
                            formatExact(static_cast<std::int64_t>(counted.all.inexact)));
    }
    if (!isComplete(corpus)) {
        text += "\n" + visibleText(incompleteSentence(corpus)) + ".\n";
    }
    return text;
}

TokenDistribution turnsDistribution(const Corpus& corpus, TurnMethod method) {
    const Counted counted = count(corpus, method);
    const std::string incomplete = incompleteSentence(corpus);
    const std::string unrecorded = withoutCacheSentence(counted);
    return distributionOf(counted.input, counted.output, counted.sessions,
                          fmt::format("Tokens per turn of {}, method {}: {}. Buckets are the nearest "
                                      "power of two; frequencies sum to 1.{}{}",
                                      sessionsOf(counted.sessions), keyOf(method), wordsFor(method),
                                      unrecorded.empty() ? "" : " " + unrecorded,
                                      incomplete.empty() ? "" : " " + incomplete + "."));
}

} // namespace loadline::app
