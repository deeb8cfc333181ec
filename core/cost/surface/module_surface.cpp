// Look-up of whole modules and linear attention.
#include "core/cost/surface/module_surface.h"

#include "core/base/statistics.h"
#include "core/cost/surface/table_columns.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace loadline {
namespace {

template <typename Shape>
std::map<Shape, BatchCurves> batchCurvesOf(std::map<Shape, std::vector<BatchCell>> cells) {
    std::map<Shape, BatchCurves> curves;
    for (auto& [shape, ofShape] : cells) {
        curves.emplace(shape, BatchCurves(std::move(ofShape)));
    }
    return curves;
}

template <typename Shape>
const BatchCurves* findCurves(const std::map<Shape, BatchCurves>& curves, const Shape& shape) {
    const auto found = curves.find(shape);
    return found == curves.end() ? nullptr : &found->second;
}

struct LinearCell {
    double batch = 0;
    double tokens = 0;
    auto operator<=>(const LinearCell&) const = default;
};

} // namespace

Result<ModuleSurface> ModuleSurface::make(const AtlasTable& table, std::string_view tokens) {
    const Result<TableColumns> columns =
        tableColumnsOf(table, {.numbers = {"heads", "batch", tokens}, .words = {"model", "gemm_type", "kv"}});
    if (!columns) {
        return columns.error();
    }
    const auto cached = std::ranges::find(table.keys, "cached_tokens", &AtlasKeys::name);
    std::map<ModuleShape, std::vector<BatchCell>> cells;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const double us = (*columns->us)[row];
        const bool hasCache = cached != table.keys.end() && cached->numbers[row] > 0;
        if (us > 0 && !hasCache) {
            const ModuleShape shape{.model = (*columns->words[0])[row],
                                    .gemmType = (*columns->words[1])[row],
                                    .kv = (*columns->words[2])[row],
                                    .heads = (*columns->numbers[0])[row]};
            cells[shape].push_back({.batch = static_cast<double>((*columns->numbers[1])[row]),
                                    .tokens = static_cast<double>((*columns->numbers[2])[row]),
                                    .us = us});
        }
    }
    ModuleSurface surface;
    surface.curves_ = batchCurvesOf(std::move(cells));
    return surface;
}

const BatchCurves* ModuleSurface::find(const ModuleShape& shape) const {
    return findCurves(curves_, shape);
}

Result<LinearAttentionSurface> LinearAttentionSurface::make(const AtlasTable& table) {
    const Result<TableColumns> columns = tableColumnsOf(
        table, {.numbers = {"k_heads", "v_heads", "k_dim", "v_dim", "conv", "batch", "new_tokens"},
                .words = {"phase", "kernel"}});
    if (!columns) {
        return columns.error();
    }
    const auto& numbers = columns->numbers;
    std::map<std::string, std::set<std::string>> kernels; // by phase
    std::map<LinearAttentionShape, std::map<LinearCell, std::map<std::string, std::vector<double>>>> times;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const double us = (*columns->us)[row];
        if (!(us > 0)) {
            continue;
        }
        const LinearAttentionShape shape{.phase = (*columns->words[0])[row],
                                         .kHeads = (*numbers[0])[row],
                                         .vHeads = (*numbers[1])[row],
                                         .kDim = (*numbers[2])[row],
                                         .vDim = (*numbers[3])[row],
                                         .conv = (*numbers[4])[row]};
        const std::string& kernel = (*columns->words[1])[row];
        kernels[shape.phase].insert(kernel);
        const LinearCell cell{.batch = static_cast<double>((*numbers[5])[row]),
                              .tokens = static_cast<double>((*numbers[6])[row])};
        times[shape][cell][kernel].push_back(us);
    }
    std::map<LinearAttentionShape, std::vector<BatchCell>> cells;
    for (auto& [shape, ofShape] : times) {
        for (auto& [cell, byKernel] : ofShape) {
            if (byKernel.size() < kernels[shape.phase].size()) {
                continue;
            }
            double sum = 0;
            for (auto& [kernel, ofKernel] : byKernel) {
                sum += medianOf(std::move(ofKernel));
            }
            cells[shape].push_back({.batch = cell.batch, .tokens = cell.tokens, .us = sum});
        }
    }
    LinearAttentionSurface surface;
    surface.curves_ = batchCurvesOf(std::move(cells));
    return surface;
}

const BatchCurves* LinearAttentionSurface::find(const LinearAttentionShape& shape) const {
    return findCurves(curves_, shape);
}

} // namespace loadline
