// Describes both tables.
#include "core/ask/table_of.h"
#include "core/simulate/report/report_parts.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline::ask {
namespace {

struct StudyRow {
    StudyReading reading;
    PublishedUsers printed; ///< times and shares only at the k of the tables
    ReproducedUsers ours;
};

template <typename Row, typename Printed>
void figureColumns(TableOf<Row>& table, const std::string& key, Printed printed, auto ours) {
    table.document(key + ".published", printed)
        .document(key + ".mean", [ours](const Row& row) { return ours(row).mean; })
        .document(key + ".sd", [ours](const Row& row) { return ours(row).sd; });
}

std::string besideText(const std::optional<double>& value, const Spread& ours, int digits,
                       double factor = 1) {
    return fmt::format("{} | {:.{}f} +- {:.{}f}",
                       value ? fmt::format("{:.{}f}", factor * *value, digits) : "-", factor * ours.mean,
                       digits, factor * ours.sd, digits);
}

std::vector<StudyRow> rowsOfStudy(const StudyTables& tables, const Reproduction& reproduction) {
    std::vector<StudyRow> rows;
    for (const ReproducedUsers& ours : reproduction.users) {
        StudyRow row{reproduction.reading, *publishedUsersOf(ours.users), ours};
        if (tables.weights != publishedWeights) {
            row.printed.scalarShare = row.printed.mmaShare = row.printed.dequantShare = std::nullopt;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void addReadings(Report& report, const StudyTables& tables) {
    static const PublishedTurn printed;
    const auto atK = [&tables](double figure) { return printedAt(tables, figure); };
    TableOf readings("study.readings", tables.readings);
    readings.document("reading", [](const Reproduction& one) { return keyOf(one.reading); });
    const auto turn = [&](const char* key, double PublishedTurn::*figure, Spread ReproducedTurn::*ours) {
        figureColumns(
            readings, std::string("turn.") + key, [=](const Reproduction&) { return atK(printed.*figure); },
            [ours](const Reproduction& one) -> const Spread& { return one.turn.*ours; });
    };
    turn("decode_us", &PublishedTurn::decodeUs, &ReproducedTurn::decodeUs);
    turn("prefill_us", &PublishedTurn::prefillUs, &ReproducedTurn::prefillUs);
    turn("time_vs_fp16", &PublishedTurn::timeVsFp16, &ReproducedTurn::timeVsFp16);
    report.add(std::move(readings));

    Grouped<StudyRow> all;
    for (const Reproduction& reproduction : tables.readings) {
        for (StudyRow& row : rowsOfStudy(tables, reproduction)) {
            all.add(std::move(row));
        }
        all.endGroup();
    }
    const Grouped<StudyRow>& rows = report.keep(std::move(all));
    TableOf users = tableWithin("study.readings.users", rows);
    users.document("users", [](const StudyRow& row) { return row.ours.users; });
    const auto figure = [&](const char* key, auto published, Spread ReproducedUsers::*ours) {
        figureColumns(
            users, key, [published](const StudyRow& row) { return published(row.printed); },
            [ours](const StudyRow& row) -> const Spread& { return row.ours.*ours; });
    };
    using P = PublishedUsers;
    figure(
        "avg_m", [](const P& line) { return line.averageM; }, &ReproducedUsers::averageM);
    figure(
        "decode_only_fraction", [](const P& line) { return line.decodeOnlyFraction; },
        &ReproducedUsers::decodeOnlyFraction);
    figure(
        "time_vs_fp16", [=](const P& line) { return atK(line.timeVsFp16); }, &ReproducedUsers::timeVsFp16);
    figure(
        "kernel_share.scalar", [](const P& line) { return line.scalarShare; }, &ReproducedUsers::scalarShare);
    figure(
        "kernel_share.mma", [](const P& line) { return line.mmaShare; }, &ReproducedUsers::mmaShare);
    figure(
        "kernel_share.dequant_cublas", [](const P& line) { return line.dequantShare; },
        &ReproducedUsers::dequantShare);
    report.add(std::move(users));

    report.add(
        TableOf("", rows.values())
            .titled(fmt::format("Beside the published study ({}; printed at k = {}), at {}: published | ours",
                                studySource, publishedKBits, specOf(tables.weights).name),
                    99)
            .textColumn(
                "Reading", [](const StudyRow& row) { return nameOf(row.reading); }, Form::Text)
            .textColumn("Users", [](const StudyRow& row) { return row.ours.users; })
            .textColumn(
                "M",
                [](const StudyRow& row) { return besideText(row.printed.averageM, row.ours.averageM, 0); })
            .textColumn("Decode only %",
                        [](const StudyRow& row) {
                            return besideText(row.printed.decodeOnlyFraction, row.ours.decodeOnlyFraction, 1,
                                              100);
                        })
            .textColumn("Time vs fp16",
                        [=](const StudyRow& row) {
                            return besideText(atK(row.printed.timeVsFp16), row.ours.timeVsFp16, 2);
                        })
            .textColumn("scalar / MMA / dequantise + cuBLAS %", [](const StudyRow& row) {
                return fmt::format("{:.0f} / {:.0f} / {:.0f}", 100 * row.ours.scalarShare.mean,
                                   100 * row.ours.mmaShare.mean, 100 * row.ours.dequantShare.mean);
            }));
    report.add(TableOf("", tables.readings)
                   .titled("A single user's turn, us and layer: published | ours")
                   .textColumn(
                       "Reading", [](const Reproduction& one) { return nameOf(one.reading); }, Form::Text)
                   .textColumn("Decode",
                               [=](const Reproduction& one) {
                                   return besideText(atK(printed.decodeUs), one.turn.decodeUs, 0);
                               })
                   .textColumn("Other steps", [=](const Reproduction& one) {
                       return besideText(atK(printed.prefillUs), one.turn.prefillUs, 0);
                   }));
}

} // namespace

void addStudy(Report& report, const StudyTables& tables) {
    report.add("study.k", kOf(tables.weights));
    if (!kOf(tables.weights)) {
        report.add("study.weights", specOf(tables.weights).key);
    }
    report.add(TableOf("study.ratios", tables.ratios)
                   .document("workload", &InputToOutput::name)
                   .document("input_to_output", &InputToOutput::ratio)
                   .document("prompt_to_output", &InputToOutput::withContext));
    report.add("study.source", studySource);
    report.add("study.seeds", tables.seeds);
    report.add("study.iterations", tables.iterations);
    report.add("study.turns", tables.turns);
    addReadings(report, tables);
    const std::vector<std::string> notes = studyNotes(tables);
    report.add(listOf("study.notes", notes));
    for (const std::string& note : notes) {
        report.addCaveat("Published study: " + note);
    }
    report.add(listOf("study.provenance", tables.provenance));
}

} // namespace loadline::ask
