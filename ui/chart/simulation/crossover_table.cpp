// Where curves cross 1, and how sure that is, as a table.
#include "core/text/table_columns.h"
#include "ui/chart/simulation/simulation_paint.h"

namespace loadline::ui {

namespace {

Cell servedRatio(const Crossover& crossover, const Banded& pace) {
    return crossover.byTurns && pace.value > 0 ? Cell(1 / pace.value) : Cell();
}

} // namespace

Table crossoverTable(const CrossoverCurves& curves) {
    Table table =
        tableWith("k step crossing_users low high replicas_low replicas_high sessions_low "
                  "sessions_high kernels_low kernels_high share_with_crossing share_otherwise "
                  "otherwise_users fits fp16_fits by best_users best_turns_per_s_vs_against worst_users "
                  "worst_turns_per_s_vs_against");
    std::vector<Crossover> all = curves.crossovers;
    all.insert(all.end(), curves.otherCrossovers.begin(), curves.otherCrossovers.end());
    for (const Crossover& c : all) {
        const std::string by = c.byTurns ? "turns_per_s" : "time";
        if (c.isMisfit()) {
            std::vector<Cell> row(table.columns.size());
            row[0] = std::int64_t{c.kBits};
            row[1] = std::string(keyOf(c.scope));
            row[14] = fitCell(c.memory.fits());
            row[15] = fitCell(c.memory.fp16Fits());
            row[16] = by;
            table.rows.push_back(std::move(row));
            continue;
        }
        const Cell users = c.crossings.empty() ? Cell() : Cell(c.crossings.front().users);
        table.rows.push_back({std::int64_t{c.kBits},
                              std::string(keyOf(c.scope)),
                              users,
                              cellOf(c.all.low),
                              cellOf(c.all.high),
                              cellOf(c.replicas.low),
                              cellOf(c.replicas.high),
                              cellOf(c.sessions.low),
                              cellOf(c.sessions.high),
                              cellOf(c.kernels.low),
                              cellOf(c.kernels.high),
                              c.all.shareWithCrossing,
                              c.all.shareOtherwise,
                              cellOf(c.all.otherwiseUsers),
                              fitCell(c.memory.fits()),
                              fitCell(c.memory.fp16Fits()),
                              by,
                              c.bestUsers,
                              servedRatio(c, c.best),
                              c.worstUsers,
                              servedRatio(c, c.worst)});
    }
    return table;
}

} // namespace loadline::ui
