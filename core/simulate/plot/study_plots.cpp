// The published study's tables beside ours: printed figures as hollow diamonds, ours with their spread.
#include "core/ask/held_table.h"
#include "core/simulate/plot/plot_parts.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

namespace loadline {
namespace {

using ask::Ink, ask::columnOf;

struct StudyColumn {
    const char* title;
    double (*printed)(const PublishedUsers&);
    Spread (*ours)(const ReproducedUsers&);
    ask::Form form = ask::Form::Plain;
    ask::Scale scale = ask::Scale::Linear;
    bool ofTime = false; ///< printed at one k alone
};

const std::array<StudyColumn, 3>& studyColumns() {
    static const std::array<StudyColumn, 3> all = {
        {{"rows M on average", [](const PublishedUsers& p) { return p.averageM; },
          [](const ReproducedUsers& r) { return r.averageM; }, ask::Form::Plain, ask::Scale::Log},
         {"steps that only decode", [](const PublishedUsers& p) { return p.decodeOnlyFraction; },
          [](const ReproducedUsers& r) { return r.decodeOnlyFraction; }, ask::Form::Share},
         {"time / fp16 time", [](const PublishedUsers& p) { return p.timeVsFp16; },
          [](const ReproducedUsers& r) { return r.timeVsFp16; }, ask::Form::Plain, ask::Scale::Linear,
          true}}};
    return all;
}

Ink inkOf(StudyReading reading) {
    return reading == StudyReading::Plain       ? Ink::Text
           : reading == StudyReading::StudyLike ? Ink::CacheRead
                                                : Ink::Output;
}

std::string previewMark(const StudyTables& tables) {
    return tables.isPreview ? " (preview)" : "";
}

std::string usersSentence(const StudyTables& tables) {
    if (tables.readings.empty() || tables.readings.front().users.empty()) {
        return "Nothing was simulated.";
    }
    const ReproducedUsers& ours = tables.readings.front().users.back();
    const PublishedUsers* printed = publishedUsersOf(ours.users);
    std::string text = fmt::format("Taken literally, the study's words give {} rows on average at {} users{}",
                                   formatReal(ours.averageM.mean, 3), ours.users, previewMark(tables));
    text += printed != nullptr ? fmt::format("; it printed {}", formatReal(printed->averageM, 3)) : "";
    text += ". Its script was never published.";
    return tables.weights == publishedWeights
               ? text
               : fmt::format("{} Times are at {} here; the study printed those of k = {} alone.", text,
                             specOf(tables.weights).name, publishedKBits);
}

std::string turnSentence(const StudyTables& tables) {
    if (tables.readings.empty()) {
        return "Nothing was simulated.";
    }
    const std::string ours = shareOfFp16Words(tables.readings.front().turn.timeVsFp16.mean);
    if (tables.weights != publishedWeights) {
        return fmt::format("A single user's turn at {} takes {} of fp16's time when the study's words are "
                           "taken literally{}; it printed that of k = {} alone.",
                           specOf(tables.weights).name, ours, previewMark(tables), publishedKBits);
    }
    return fmt::format(
        "A single user's turn takes {} of fp16's time by the study, {} when its words are taken "
        "literally{}.",
        shareOfFp16Words(PublishedTurn().timeVsFp16), ours, previewMark(tables));
}

/// The printed figure and all of ours.
std::string wordsOf(const StudyColumn& column, const StudyTables& tables, std::int64_t users) {
    const auto valueWords = [&](double value) {
        return column.form == ask::Form::Share ? formatShare(value) : formatReal(value);
    };
    std::string words = fmt::format("{} users, {}", users, column.title);
    if (const PublishedUsers* printed = publishedUsersOf(users)) {
        words += !column.ofTime || tables.weights == publishedWeights
                     ? "\nprinted: " + valueWords(column.printed(*printed))
                     : fmt::format("\nprinted at k = {} alone", publishedKBits);
    }
    for (const Reproduction& one : tables.readings) {
        for (const ReproducedUsers& ours : one.users) {
            if (ours.users == users) {
                const Spread spread = column.ours(ours);
                words += fmt::format("\n{}: {} \u00b1 {}", nameOf(one.reading), valueWords(spread.mean),
                                     valueWords(spread.sd));
            }
        }
    }
    return words;
}

ask::Plot studyPlot(ask::Report& report, const StudyColumn& column, const StudyTables& tables) {
    const bool isShare = column.form == ask::Form::Share;
    ask::Plot plot{
        .key = "study-users",
        .title = "Published tables",
        .description = {},
        .sentence = usersSentence(tables),
        .x = {"users", ask::Form::Plain, ask::Scale::Log, 1, 64},
        .y = {column.title, column.form, column.scale, {}, isShare ? std::optional(1.0) : std::nullopt},
        .marks = {},
        .facet = "study-users",
        .table = twinTable};
    for (const Reproduction& one : tables.readings) {
        struct Place {
            double users = 0;
            Spread spread;
            std::string words;
        };
        std::vector<Place> places;
        for (const ReproducedUsers& ours : one.users) {
            const Spread spread = column.ours(ours);
            if (std::isfinite(spread.mean) && std::isfinite(spread.sd)) {
                const bool isFirst = one.reading == tables.readings.front().reading;
                places.push_back({static_cast<double>(ours.users), spread,
                                  isFirst ? wordsOf(column, tables, ours.users) : ""});
            }
        }
        const std::string path = fmt::format("{} {}", column.title, keyOf(one.reading));
        const std::vector<Place>& rows = report.keep(std::move(places));
        const auto mean = [](double deviations) {
            return
                [deviations](const Place& place) { return place.spread.mean + deviations * place.spread.sd; };
        };
        report.tables.push_back(
            {.path = path,
             .title = {},
             .rows = rows.size(),
             .columns = {columnOf(rows, "users", "users", &Place::users),
                         columnOf(rows, "mean", "mean", mean(0)), columnOf(rows, "low", "low", mean(-1)),
                         columnOf(rows, "high", "high", mean(1)),
                         columnOf(rows, "words", "words", &Place::words, ask::Form::Text, "{}")}});
        const Ink ink = inkOf(one.reading);
        plot.marks.push_back(
            {.kind = ask::Kind::Area, .table = path, .x = "users", .y = "low", .y2 = "high", .ink = ink});
        plot.marks.push_back({.table = path,
                              .x = "users",
                              .y = "mean",
                              .legend = std::string(nameOf(one.reading)),
                              .ink = ink,
                              .dashed = one.reading == StudyReading::StudyLike});
    }
    std::vector<DotAt> dots;
    for (const PublishedUsers& printed : publishedUsers()) {
        if (!column.ofTime || tables.weights == publishedWeights) {
            dots.push_back({static_cast<double>(printed.users), column.printed(printed),
                            wordsOf(column, tables, printed.users)});
        }
    }
    addDots(report, plot, fmt::format("{} printed", column.title), Ink::Error, ask::Basis::Published,
            std::move(dots), "printed by the study (diamonds)");
    return plot;
}

} // namespace

ask::Report studyUsersReport(const std::shared_ptr<const StudyTables>& tables) {
    ask::Report report;
    report.tables.push_back(ask::heldTable(twinTable, usersTable(*tables)));
    for (const StudyColumn& column : studyColumns()) {
        report.plots.push_back(studyPlot(report, column, *tables));
    }
    return report;
}

ask::Report studyTurnReport(const std::shared_ptr<const StudyTables>& tables) {
    ask::Report report = reportOf({.key = "study-turn",
                                   .title = "A single user's turn",
                                   .description = {},
                                   .sentence = turnSentence(*tables),
                                   .x = {},
                                   .y = {},
                                   .marks = {},
                                   .drawn = "turns"},
                                  turnTable(*tables));
    const PublishedTurn printed;
    const auto number = [&](double figure, int digits) {
        return printedAt(*tables, figure) ? formatFixed(figure, digits) : "\u2013";
    };
    std::vector<std::array<std::string, 4>> rows = {{"printed", number(printed.decodeUs, 0),
                                                     number(printed.prefillUs, 0),
                                                     number(printed.timeVsFp16, 2)}};
    const auto spread = [](const Spread& s, int digits) {
        return fmt::format("{} \u00b1 {}", formatFixed(s.mean, digits), formatFixed(s.sd, digits));
    };
    for (const Reproduction& one : tables->readings) {
        rows.push_back({std::string(nameOf(one.reading)), spread(one.turn.decodeUs, 0),
                        spread(one.turn.prefillUs, 0), spread(one.turn.timeVsFp16, 2)});
    }
    const auto& lines = report.keep(std::move(rows));
    ask::Table table{.path = "turns", .title = {}, .rows = lines.size(), .columns = {}};
    constexpr std::array<const char*, 4> heads = {"", "decode, \u00b5s", "prefill, \u00b5s", "/ fp16"};
    for (std::size_t i = 0; i < heads.size(); ++i) {
        table.columns.push_back(columnOf(
            lines, heads[i], heads[i], [i](const auto& line) { return line[i]; }, ask::Form::Text));
    }
    report.tables.push_back(std::move(table));
    return report;
}

} // namespace loadline
