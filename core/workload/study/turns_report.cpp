// Turns, counted once and described once.
#include "core/workload/study/turns_report.h"

#include "core/session/corpus/continued_words.h"
#include "core/session/corpus/losses.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace loadline {
namespace {

using ask::Basis;
using ask::Cell;
using ask::Form;
using ask::Report;
using ask::Shape;
using ask::Table;
using ask::TableOf;

bool isInexact(const Turn& turn) {
    return turn.quality != OutputQuality::Final && turn.quality != OutputQuality::None;
}

void addTurn(TurnSums& sums, const Turn& turn) {
    ++sums.turns;
    sums.inputAbove0 += turn.input > 0 ? 1 : 0;
    sums.outputAbove0 += turn.output > 0 ? 1 : 0;
    sums.inputAbout += turn.inputAbout ? 1 : 0;
    sums.inexact += isInexact(turn) ? 1 : 0;
    sums.input += turn.input;
    sums.output += turn.output;
}

std::vector<TurnBin> binsOfBoth(const Histogram& input, const Histogram& output) {
    std::map<Tokens, TurnBin> byLabel;
    for (const Bin& bin : input.bins) {
        byLabel[bin.label].byInput = bin.count;
    }
    for (const Bin& bin : output.bins) {
        byLabel[bin.label].byOutput = bin.count;
    }
    std::vector<TurnBin> bins;
    for (auto& [label, bin] : byLabel) {
        bin.label = label;
        bins.push_back(bin);
    }
    return bins;
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

/// "The logs of 5 of 10 sessions record no cache: ..."; "" where all do.
std::string withoutCacheSentence(const TurnsAnswer& answer) {
    return answer.sessionsWithoutCache == 0
               ? ""
               : "The " + continuedPromptsNote(answer.sessionsWithoutCache, answer.sessions) + ".";
}

std::vector<TurnBin> binsOf(const Histogram& histogram) {
    std::vector<TurnBin> bins;
    for (const Bin& bin : histogram.bins) {
        if (bin.count > 0) {
            bins.push_back({bin.label, bin.count, 0});
        }
    }
    return bins;
}

/// {"16": turns, ..}
Table histogramTable(const char* path, const std::vector<TurnBin>& bins) {
    return TableOf(path, bins, Shape::Map)
        .document("tokens", &TurnBin::label)
        .document("turns", &TurnBin::byInput);
}

Table filesTable(const std::vector<TurnSums>& files) {
    return TableOf("files", files)
        .document("path", &TurnSums::path)
        .document("turns", &TurnSums::turns)
        .document("sum_input_est", &TurnSums::input)
        .document("sum_output", &TurnSums::output)
        .document("turns_input_gt0", &TurnSums::inputAbove0)
        .document("turns_output_gt0", &TurnSums::outputAbove0);
}

Table summaryTable(const std::vector<TurnSummary>& rows) {
    using R = const TurnSummary&;
    TableOf<TurnSummary> table("", rows);
    table.titled("Turns above 0")
        .told("", &TurnSummary::name, Form::Text)
        .told(
            "Turns", [](R row) { return row.of.n; }, Form::Whole);
    const auto add = [&table](const char* title, Form form, auto of) {
        table.told(
            title, [of](R row) { return on(row.basis, Cell(std::invoke(of, row.of))); }, form);
    };
    add("Sum", Form::Whole, &Summary::sum);
    add("Mean", Form::Tokens, &Summary::mean);
    add("p50", Form::Tokens, &Summary::p50);
    add("p90", Form::Tokens, &Summary::p90);
    add("p99", Form::Tokens, &Summary::p99);
    return table;
}

Cell unlessZero(std::uint64_t n) {
    return n == 0 ? Cell("") : Cell(n);
}

Cell shareOf(std::uint64_t n, std::uint64_t all) {
    return n == 0 ? Cell("") : Cell(static_cast<double>(n) / static_cast<double>(all));
}

Table binsTable(const TurnsAnswer& answer) {
    using B = const TurnBin&;
    const TurnSums& all = answer.all;
    return TableOf("", answer.bins)
        .titled("Turns by their tokens, to the nearest power of two", answer.bins.size())
        .told("Tokens", &TurnBin::label, Form::Whole)
        .told(
            "Turns by input", [](B bin) { return unlessZero(bin.byInput); }, Form::Whole)
        .told(
            "Share", [&all](B bin) { return shareOf(bin.byInput, all.inputAbove0); }, Form::Share)
        .told(
            "Turns by output", [](B bin) { return unlessZero(bin.byOutput); }, Form::Whole)
        .told(
            "Share", [&all](B bin) { return shareOf(bin.byOutput, all.outputAbove0); }, Form::Share);
}

} // namespace

TurnsAnswer turnsAnswer(std::shared_ptr<const Corpus> corpus, TurnMethod method) {
    TurnsAnswer answer;
    answer.method = method;
    for (const FileInCorpus& entry : corpus->files) {
        answer.byFile.emplace_back().path = entry.file->path;
    }
    std::vector<HistogramValue> inputs;
    std::vector<HistogramValue> outputs;
    std::set<SessionIndex> sessions;
    std::set<SessionIndex> withoutCache;
    for (const Turn& turn : turnsInScope(*corpus, select(*corpus, {}, method), method)) {
        addTurn(answer.all, turn);
        addTurn(answer.byFile[turn.file], turn);
        inputs.push_back({.value = turn.input, .inexact = false, .hit = false});
        outputs.push_back({.value = turn.output, .inexact = isInexact(turn), .hit = false});
        sessions.insert(turn.session);
        if (turn.inputAbout) {
            withoutCache.insert(turn.session);
        }
    }
    answer.input = histogramOf(inputs, BinKind::PowerOfTwo);
    answer.output = histogramOf(outputs, BinKind::PowerOfTwo);
    answer.inputBins = binsOf(answer.input);
    answer.outputBins = binsOf(answer.output);
    answer.bins = binsOfBoth(answer.input, answer.output);
    answer.summaries = {
        {answer.all.inputAbout > 0 ? "Input, estimated" : "Input", answer.input.summary, Basis::Exact},
        {"Output", answer.output.summary, answer.all.inexact > 0 ? Basis::AtLeast : Basis::Exact}};
    answer.sessions = sessions.size();
    answer.sessionsWithoutCache = withoutCache.size();
    answer.corpus = std::move(corpus);
    return answer;
}

Report turnsReport(const TurnsAnswer& answer) {
    Report report;
    report.schema = "loadline.turns/1";
    report.headline =
        fmt::format("{} in {}, method {}: {}", counted(answer.all.turns, "turn"),
                    counted(answer.sessions, "session"), keyOf(answer.method), wordsFor(answer.method));
    report.add("method", keyOf(answer.method));
    report.add("turns", answer.all.turns);
    report.add("turns_input_gt0", answer.all.inputAbove0);
    report.add("turns_output_gt0", answer.all.outputAbove0);
    report.add("sum_input_est", answer.all.input);
    report.add("sum_output", answer.all.output);
    report.add("turns_output_inexact", answer.all.inexact);
    report.add("turns_input_estimated", answer.all.inputAbout);
    report.add("sessions", answer.sessions);
    report.add("sessions_without_cache", answer.sessionsWithoutCache);
    report.add(histogramTable("input_hist", answer.inputBins));
    report.add(histogramTable("output_hist", answer.outputBins));
    report.add("complete", isComplete(*answer.corpus));
    report.add(filesTable(answer.byFile));
    report.add(summaryTable(answer.summaries));
    report.add(binsTable(answer));
    report.say(withoutCacheSentence(answer));
    if (answer.all.inexact > 0) {
        report.say(fmt::format(
            "Output is a lower bound: {} turns hold calls whose log was written before the output "
            "was complete.",
            formatExact(static_cast<std::int64_t>(answer.all.inexact))));
    }
    if (const std::string incomplete = incompleteSentence(*answer.corpus); !incomplete.empty()) {
        report.say(incomplete + ".");
    }
    return report;
}

TokenDistribution turnsDistribution(const TurnsAnswer& answer) {
    const std::string incomplete = incompleteSentence(*answer.corpus);
    const std::string unrecorded = withoutCacheSentence(answer);
    return distributionOf(answer.input, answer.output, answer.sessions,
                          fmt::format("Tokens per turn of {}, method {}: {}. Buckets are the nearest "
                                      "power of two; frequencies sum to 1.{}{}",
                                      counted(answer.sessions, "session"), keyOf(answer.method),
                                      wordsFor(answer.method), unrecorded.empty() ? "" : " " + unrecorded,
                                      incomplete.empty() ? "" : " " + incomplete + "."));
}

} // namespace loadline
