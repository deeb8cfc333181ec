// Look-up of measured transfers.
#include "core/cost/surface/transfer_surface.h"

#include "core/cost/surface/table_columns.h"

#include <utility>
#include <vector>

namespace loadline {

Result<TransferSurface> TransferSurface::ofAllReduce(const AtlasTable& table) {
    return ofColumns(table, "backend", "dtype", "gpus", "elements");
}

Result<TransferSurface> TransferSurface::ofCollectives(const AtlasTable& table) {
    return ofColumns(table, "op", "dtype", "gpus", "elements");
}

Result<TransferSurface> TransferSurface::ofColumns(const AtlasTable& table, const std::string& what,
                                                   const std::string& dtype, const std::string& gpus,
                                                   const std::string& elements) {
    const Result<TableColumns> columns =
        tableColumnsOf(table, {.numbers = {gpus, elements}, .words = {what, dtype}});
    if (!columns) {
        return columns.error();
    }
    std::map<TransferShape, CellsByAxis> cells;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const double us = (*columns->us)[row];
        if (us > 0) {
            const TransferShape shape{.what = (*columns->words[0])[row],
                                      .dtype = (*columns->words[1])[row],
                                      .gpus = (*columns->numbers[0])[row]};
            cells[shape][static_cast<double>((*columns->numbers[1])[row])].push_back(us);
        }
    }
    std::map<TransferShape, std::vector<MeasuredPoint>> points;
    std::vector<std::vector<MeasuredPoint>*> all;
    all.reserve(cells.size());
    for (const auto& [shape, ofShape] : cells) {
        all.push_back(&points.emplace(shape, tokenPointsOf(ofShape, Repeats::Median)).first->second);
    }
    TransferSurface surface;
    surface.errors_ = setTokenErrors(all);
    for (auto& [shape, ofShape] : points) {
        surface.curves_.emplace(shape, MeasuredCurve(std::move(ofShape), Beyond::Proportional));
    }
    return surface;
}

const MeasuredCurve* TransferSurface::find(const TransferShape& shape) const {
    const auto found = curves_.find(shape);
    return found == curves_.end() ? nullptr : &found->second;
}

} // namespace loadline
