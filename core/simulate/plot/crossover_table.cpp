// The numbers behind the Crossover's chart.
#include "core/simulate/plot/crossover_table.h"

#include "core/cost/format/format_cells.h"
#include "core/text/table_columns.h"

#include <algorithm>

namespace loadline {
namespace {

Cell servedRatio(const Crossover& crossover, const Banded& pace) {
    return crossover.byTurns && pace.value > 0 ? Cell(1 / pace.value) : Cell();
}

/// True if k-bit is ahead below a crossing.
Cell belowCell(const Crossover& crossover, std::size_t i) {
    return i < crossover.crossings.size()
               ? Cell(std::string(crossover.crossings[i].quantisedFasterBelow ? "true" : "false"))
               : Cell();
}

} // namespace

Table crossoverTable(const CrossoverCurves& curves, bool namesWeights) {
    Table table =
        tableWith("k step crossing_users low high replicas_low replicas_high sessions_low "
                  "sessions_high kernels_low kernels_high share_with_crossing share_otherwise "
                  "otherwise_users fits fp16_fits by best_users best_turns_per_s_vs_against worst_users "
                  "worst_turns_per_s_vs_against crossing quantised_faster_below");
    if (namesWeights) {
        table.columns.emplace_back("weights");
    }
    const auto weightsCell = [](const Crossover& c) {
        return kOf(c.weights) ? Cell() : Cell(std::string(specOf(c.weights).key));
    };
    std::vector<Crossover> all = curves.crossovers;
    all.insert(all.end(), curves.otherCrossovers.begin(), curves.otherCrossovers.end());
    for (const Crossover& c : all) {
        const std::string by = c.byTurns ? "turns_per_s" : "time";
        if (c.isMisfit()) {
            std::vector<Cell> row(table.columns.size());
            row[0] = kCell(c.weights);
            row.back() = namesWeights ? weightsCell(c) : row.back();
            row[1] = std::string(keyOf(c.scope));
            row[14] = fitCell(c.memory.fits());
            row[15] = fitCell(c.memory.fp16Fits());
            row[16] = by;
            table.rows.push_back(std::move(row));
            continue;
        }
        const bool isAlone = c.crossings.size() < 2 || c.byCrossing.empty();
        const CrossoverInterval& first = isAlone ? c.all : c.byCrossing.front();
        const Cell users = c.crossings.empty() ? Cell() : Cell(c.crossings.front().users);
        table.rows.push_back({kCell(c.weights),
                              std::string(keyOf(c.scope)),
                              users,
                              cellOf(first.low),
                              cellOf(first.high),
                              cellOf(c.replicas.low),
                              cellOf(c.replicas.high),
                              cellOf(c.sessions.low),
                              cellOf(c.sessions.high),
                              cellOf(c.kernels.low),
                              cellOf(c.kernels.high),
                              first.shareWithCrossing,
                              c.all.shareOtherwise,
                              cellOf(c.all.otherwiseUsers),
                              fitCell(c.memory.fits()),
                              fitCell(c.memory.fp16Fits()),
                              by,
                              c.bestUsers,
                              servedRatio(c, c.best),
                              c.worstUsers,
                              servedRatio(c, c.worst),
                              c.crossings.empty() ? Cell() : Cell(std::int64_t{1}),
                              belowCell(c, 0)});
        if (namesWeights) {
            table.rows.back().push_back(weightsCell(c));
        }
        for (std::size_t i = 1; i < c.crossings.size(); ++i) { // the others, each with its own interval
            std::vector<Cell> row = table.rows.back();
            std::fill(row.begin() + 2, row.begin() + 14, Cell());
            row[2] = c.crossings[i].users;
            if (i < c.byCrossing.size()) {
                row[3] = cellOf(c.byCrossing[i].low);
                row[4] = cellOf(c.byCrossing[i].high);
                row[11] = c.byCrossing[i].shareWithCrossing;
            }
            row[21] = static_cast<std::int64_t>(i + 1);
            row[22] = belowCell(c, i);
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

} // namespace loadline
