// Turns of one method, described once.
#include "core/workload/study/turns_report.h"

#include "core/ask/table_of.h"
#include "core/session/corpus/losses.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <functional>

namespace loadline::ask {
namespace {

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
        .textColumn("", &TurnSummary::name, Form::Text)
        .textColumn(
            "Turns", [](R row) { return row.of.n; }, Form::Whole);
    const auto add = [&table](const char* title, Form form, auto of) {
        table.textColumn(
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
        .textColumn("Tokens", &TurnBin::label, Form::Whole)
        .textColumn(
            "Turns by input", [](B bin) { return unlessZero(bin.byInput); }, Form::Whole)
        .textColumn(
            "Share", [&all](B bin) { return shareOf(bin.byInput, all.inputAbove0); }, Form::Share)
        .textColumn(
            "Turns by output", [](B bin) { return unlessZero(bin.byOutput); }, Form::Whole)
        .textColumn(
            "Share", [&all](B bin) { return shareOf(bin.byOutput, all.outputAbove0); }, Form::Share);
}

} // namespace

Report turnsReport(const TurnsAnswer& answer) {
    Report report;
    report.schema = "loadline.turns/1";
    report.headline = fmt::format("{} in {}, method {}: {}", counted(answer.all.turns, "turn"),
                                  counted(answer.sessions, "session"), keyOf(answer.method),
                                  turnMethodWords(answer.method));
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
    report.addCaveat(incompleteSentence(*answer.corpus));
    if (answer.all.inexact > 0) {
        report.addCaveat(fmt::format(
            "Output is a lower bound: {} turns hold calls whose log was written before the output "
            "was complete.",
            formatExact(static_cast<std::int64_t>(answer.all.inexact))));
    }
    report.addCaveat(withoutCacheSentence(answer));
    return report;
}

} // namespace loadline::ask
