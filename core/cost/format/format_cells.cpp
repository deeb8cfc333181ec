// Cells of tables that name how weights are stored.
#include "core/cost/format/format_cells.h"

namespace loadline {

Cell kCell(Storage weights) {
    const auto k = kOf(weights);
    return k ? Cell(std::int64_t{*k}) : Cell();
}

void addWeightsColumn(Table& table, const std::vector<Storage>& weights) {
    const auto hasK = [](Storage one) { return kOf(one).has_value(); };
    if (std::ranges::all_of(weights, hasK)) {
        return;
    }
    table.columns.emplace_back("weights");
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        table.rows[row].push_back(hasK(weights[row]) ? Cell() : Cell(std::string(specOf(weights[row]).key)));
    }
}

} // namespace loadline
