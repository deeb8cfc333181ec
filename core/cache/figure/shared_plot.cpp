// "Sessions that share a cache".
#include "core/cache/figure/shared_plot.h"

#include "core/cache/figure/cache_words.h"
#include "core/cache/figure/capacity_plot.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using ask::columnOf, ask::Form;

/// Some sessions with a cache of some capacity.
struct SharedCell {
    const SharedCurve* curve = nullptr;
    std::uint64_t blocks = 0;
    double middle = 0; ///< of the cell, on the axis
};

std::vector<SharedCell> cellsOf(const std::vector<SharedCurve>& curves,
                                const std::vector<double>& capacities) {
    std::vector<SharedCell> cells;
    for (const double capacity : capacities) {
        for (const SharedCurve& curve : curves) {
            cells.push_back({&curve, static_cast<std::uint64_t>(std::max(1.0, capacity)), capacity});
        }
    }
    return cells;
}

std::uint64_t sessionsOf(const SharedCell& cell) {
    return cell.curve->sessions;
}

} // namespace

void addSharedPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings) {
    constexpr int drawnRows = 32;
    constexpr double decades = 1e4; // that are in view at most
    constexpr std::size_t listedRows = 40;
    const std::vector<SharedCurve>& curves = figure.caches.shared;
    const double most =
        curves.empty() ? 10 : std::max(10.0, static_cast<double>(curves.back().contiguous.hits.size()));
    const double low = std::max(1.0, most / decades), high = roundEnd(most);
    std::vector<double> listed, drawn;
    for (const std::uint64_t blocks :
         curves.empty() ? std::vector<std::uint64_t>() : capacitiesOf(curves.back().contiguous, listedRows)) {
        listed.push_back(static_cast<double>(blocks));
    }
    for (int row = 0; row < drawnRows; ++row) {
        drawn.push_back(low * std::pow(high / low, (row + 0.5) / drawnRows));
    }
    const bool least = figure.caches.leastHits;
    const auto hits = [least](const CapacityCurve SharedCurve::*curve) {
        return [curve, least](const SharedCell& cell) {
            return ask::on(least ? ask::Basis::AtLeast : ask::Basis::Exact,
                           (cell.curve->*curve).hit(cell.blocks));
        };
    };
    const auto rows = std::make_shared<const std::vector<SharedCell>>(cellsOf(curves, listed));
    const auto cells = std::make_shared<const std::vector<SharedCell>>(cellsOf(curves, drawn));
    const double blockBytes =
        static_cast<double>(figure.caches.blockTokens) * layoutOf(settings).bytesPerToken();
    ask::Table table{
        .path = "users",
        .title = "Sessions that share a cache",
        .rows = rows->size(),
        .columns = {columnOf(*rows, "sessions", "sessions", sessionsOf, Form::Whole),
                    columnOf(*rows, "capacity_blocks", "capacity", &SharedCell::blocks, Form::Whole),
                    columnOf(
                        *rows, "kv_bytes", "KV cache",
                        [blockBytes](const SharedCell& cell) {
                            return static_cast<double>(cell.blocks) * blockBytes;
                        },
                        Form::Bytes),
                    columnOf(*rows, "hit_blocks", "blocks hit", hits(&SharedCurve::contiguous), Form::Share),
                    columnOf(*rows, "hit_blocks_alone", "each alone", hits(&SharedCurve::contiguousAlone),
                             Form::Share)}};
    if (least) {
        table.columns.push_back(columnOf(*rows, "hits_at_least", "hits are a lower bound",
                                         [](const SharedCell&) { return true; }));
    }
    report.tables.push_back(std::move(table));
    const auto words = [&](const SharedCell& cell) {
        return fmt::format("{} sessions: {} of the blocks hit",
                           formatExact(static_cast<std::int64_t>(sessionsOf(cell))),
                           leastCell(cell.curve->contiguous.hit(cell.blocks), figure.caches.leastHits));
    };
    const auto capacity = [&](const SharedCell& cell) {
        return wordsOfCapacity(static_cast<double>(cell.blocks), figure, settings);
    };
    report.tables.push_back(
        {.path = "users_cells",
         .title = {},
         .rows = cells->size(),
         .columns = {columnOf(*cells, "sessions", "", sessionsOf, Form::Whole),
                     columnOf(*cells, "blocks", "", &SharedCell::middle),
                     columnOf(*cells, "hits", "", hits(&SharedCurve::contiguous), Form::Share),
                     columnOf(*cells, "words", "", words, Form::Text, "{}"),
                     columnOf(*cells, "capacity", "", capacity, Form::Text, "{}"),
                     columnOf(*cells, "alone", "", hits(&SharedCurve::contiguousAlone), Form::Share,
                              "{} for each alone")}});
    report.keeps.insert(report.keeps.end(), {rows, cells});
    report.plots.push_back({.key = "cache-users",
                            .title = "Sessions that share a cache",
                            .description = "hits of an engine's cache that sessions share, by its capacity",
                            .sentence = sharedSentence(figure, settings),
                            .x = {"sessions that share a cache", Form::Whole, ask::Scale::Category},
                            .y = {"capacity, blocks", Form::Whole, ask::Scale::Log, low, high},
                            .marks = {{.kind = ask::Kind::Cells,
                                       .table = "users_cells",
                                       .x = "sessions",
                                       .y = "blocks",
                                       .value = "hits",
                                       .legend = least ? "hit, at least" : "hit",
                                       .ink = ask::Ink::CacheWrite}},
                            .rules = tierGrips(figure, settings, ask::Rule::Across::Y, low, high),
                            .empty = !curves.empty() ? ""
                                     : figure.caches.conversations
                                         ? fmt::format("no session has {} requests", leastSharedRequests)
                                         : "all share one cache: sessions are not told apart",
                            .table = "users",
                            .corner = figure.ofSessions() ? "engine's cache, estimated" : "engine's cache"});
}

} // namespace loadline
