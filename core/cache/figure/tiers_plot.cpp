// "Tiers".
#include "core/cache/figure/tiers_plot.h"

#include "core/ask/held_table.h"
#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadline {
namespace {

constexpr const char* unknownWord = "\u2013";

/// A line of the picture: its texts by column, and the share of its bar.
struct TierLine {
    std::array<std::string, 7> texts;
    double hit = 0;
    std::string words; ///< read out over it, a line each
    bool isAgain = false;
};

constexpr std::array heads = {"tier",        "capacity",     "sessions",          "block hits",
                              "first token", "loading pays", "GPU s per M cached"};
constexpr std::size_t hitsColumn = 3;

TierLine lineOf(const CacheTier& tier, const TierRow& row, const TierRow* most, const auto& ends,
                bool blocks) {
    TierLine line;
    const std::string sessions =
        row.sessions > 0 ? formatExact(static_cast<std::int64_t>(row.sessions)) : unknownWord;
    const std::string hits = blocks ? cellOfEnds(ends(&TierHits::hit)) : unknownWord;
    const std::string first =
        cellOfTimes(row.time.ttftS, most != nullptr ? std::optional(most->time.ttftS) : std::nullopt,
                    ends(&TierHits::hitTokensUpToHere));
    line.texts = {tier.name,
                  formatBytes(static_cast<std::uint64_t>(tier.capacityGB * 1e9)),
                  sessions,
                  hits,
                  first,
                  wordsOfBreakEven(row.paysFromTokens),
                  row.cost.perMillionCached ? formatReal(*row.cost.perMillionCached, 3) : unknownWord};
    line.hit = blocks ? row.hits.hit : 0;
    line.words =
        fmt::format("{}\n{} of the blocks are found here, {} here or in a faster tier\n"
                    "{} sessions of the upper tenth fit, with the faster tiers\n"
                    "the mean prompt's first token after {}, with what hits here or in a faster tier; "
                    "all computed again: {}",
                    tier.name, hits, cellOfEnds(ends(&TierHits::hitUpToHere)), sessions, first,
                    formatSeconds(row.time.recomputeS));
    return line;
}

std::vector<TierLine> linesOf(const CacheFigure& figure, const CacheSettings& settings) {
    std::vector<TierLine> lines;
    const std::vector<TierRow> rows = tierRowsOf(figure, settings);
    const std::vector<TierRow> most = mostTierRowsOf(figure, settings);
    const bool blocks = figure.caches.blockTokens > 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto ends = [&](double TierHits::*share) {
            return endsOf(rows, most, share, i, figure.caches.leastHits);
        };
        if (isListed(settings.tiers, i)) {
            lines.push_back(
                lineOf(settings.tiers[i], rows[i], most.empty() ? nullptr : &most[i], ends, blocks));
        }
    }
    if (!rows.empty()) {
        TierLine& again = lines.emplace_back();
        const Ends hits =
            endsOf(rows, most, &TierHits::hitUpToHere, rows.size() - 1, figure.caches.leastHits);
        again.texts[0] = "computed again";
        again.texts[hitsColumn] = blocks ? cellOfAgain(hits) : unknownWord;
        again.texts[4] = formatSeconds(rows.back().time.recomputeS);
        again.hit = blocks ? 1 - rows.back().hits.hitUpToHere : 0;
        again.words = "computed again\n" + again.texts[hitsColumn] + " of the blocks are in no tier";
        again.isAgain = true;
    }
    return lines;
}

} // namespace

void addTiersPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings) {
    const ReplicaFit fit = replicaFitOf(settings, meanContextOf(figure));
    const auto lines = std::make_shared<const std::vector<TierLine>>(linesOf(figure, settings));
    ask::Table drawn{.path = "tier_lines", .title = {}, .rows = lines->size(), .columns = {}};
    for (std::size_t column = 0; column < heads.size(); ++column) {
        drawn.columns.push_back(ask::columnOf(*lines, heads[column], heads[column],
                                              [column](const TierLine& line) { return line.texts[column]; }));
    }
    ask::Column& hits = drawn.columns[hitsColumn];
    hits.bar = [lines](std::size_t row) { return (*lines)[row].hit; };
    hits.ink = [lines](std::size_t row) {
        return (*lines)[row].isAgain ? ask::Ink::NewInput : ask::Ink::CacheRead;
    };
    ask::Column words = ask::columnOf(*lines, "words", "", &TierLine::words, ask::Form::Text, "{}");
    words.shown = ask::Shown::Document;
    drawn.columns.push_back(std::move(words));
    report.keeps.push_back(lines);
    report.tables.push_back(ask::heldTable("tiers", tiersTable(figure, settings)));
    report.tables.push_back(std::move(drawn));
    report.plots.push_back(
        {.key = "cache-tiers",
         .title = "Tiers",
         .description = "capacity, hits, time to first token and cost of each tier of a node",
         .sentence = cacheSentence(figure, settings),
         .x = {},
         .y = {},
         .marks = {},
         .empty = !figure.tellsReuse() ? "the trace tells no reuse"
                  : !fit.fits()        ? doesNotFitSentence(settings.model, fit)
                                       : "",
         .table = "tiers",
         .drawn = "tier_lines"});
}

} // namespace loadline
