// "Hits by time to live".
#include "core/cache/figure/ttl_plot.h"

#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

constexpr double fiveMinutesS = 300, hourS = 3600;
constexpr int gapBins = 48;

struct GapBin {
    double fromS = 0, toS = 0;
    double height = 0;
};

/// Shares of all gaps, in bins that are equally wide on the axis; the highest is a third of the plot.
std::vector<GapBin> gapBinsOf(const ShareWithin& gaps, double axisEndS) {
    std::vector<GapBin> bins;
    double most = 0;
    for (int i = 0; i < gapBins; ++i) {
        const double from = std::pow(axisEndS, static_cast<double>(i) / gapBins);
        const double to = std::pow(axisEndS, (i + 1.0) / gapBins);
        bins.push_back({from, to, gaps.at(to) - (i == 0 ? 0 : gaps.at(from))});
        most = std::max(most, bins.back().height);
    }
    for (GapBin& bin : bins) {
        bin.height /= 3 * most;
    }
    return most > 0 ? bins : std::vector<GapBin>();
}

} // namespace

void addTtlPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings) {
    using ask::columnOf, ask::Form, ask::Rule;
    const bool least = figure.caches.leastHits;
    const double axisEndS = std::max({figure.ages.longestS() * 1.2, settings.ttlS, 2 * hourS});
    const auto ttls = std::make_shared<const std::vector<double>>(ttlsOf(figure.ages));
    const auto bins = std::make_shared<const std::vector<GapBin>>(gapBinsOf(figure.gaps, axisEndS));
    report.keeps.insert(report.keeps.end(), {ttls, bins});

    const std::string hitsTitle = least ? "hits, at least" : "hits";
    const auto hits = [&figure, least](double seconds) {
        return ask::on(least ? ask::Basis::AtLeast : ask::Basis::Exact, figure.ages.at(seconds));
    };
    const auto gaps = [&figure](double seconds) { return figure.gaps.at(seconds); };
    ask::Table table{
        .path = "ttl",
        .title = "Hits by time to live",
        .rows = ttls->size(),
        .columns = {
            columnOf(*ttls, "ttl_s", "time to live", std::identity(), Form::Seconds, "kept for {}"),
            columnOf(*ttls, "hit_blocks", hitsTitle, hits, Form::Share, "{} of the blocks are found again"),
            columnOf(*ttls, "gaps_within", "gaps that end by then", gaps, Form::Share,
                     figure.gapS().n > 0 ? "{} of the gaps end by then" : "")}};
    if (least) {
        table.columns.push_back(
            columnOf(*ttls, "hits_at_least", "hits are a lower bound", [](double) { return true; }));
    }
    report.tables.push_back(std::move(table));
    report.tables.push_back({.path = "ttl_gaps",
                             .title = {},
                             .rows = bins->size(),
                             .columns = {columnOf(*bins, "from_s", "from", &GapBin::fromS, Form::Seconds),
                                         columnOf(*bins, "to_s", "to", &GapBin::toS, Form::Seconds),
                                         columnOf(*bins, "height", "share of the gaps", &GapBin::height)}});
    std::vector<std::string> atGrip = {"kept for " + formatSeconds(settings.ttlS),
                                       leastCell(figure.ages.at(settings.ttlS), least) +
                                           " of the blocks are found again"};
    if (figure.gapS().n > 0) {
        atGrip.push_back(formatShare(figure.gaps.at(settings.ttlS)) + " of the gaps end by then");
    }
    report.plots.push_back(
        {.key = "cache-ttl",
         .title = "Hits by time to live",
         .description = "hits of an unlimited cache by its time to live, and the gaps between requests",
         .sentence = ttlSentence(figure, settings),
         .x = {"time to live", Form::Seconds, ask::Scale::Log, 1, axisEndS},
         .y = {hitsTitle, Form::Share, ask::Scale::Linear, 0, 1},
         .marks = {{.table = "ttl", .x = "ttl_s", .y = "hit_blocks", .ink = ask::Ink::CacheRead},
                   {.kind = ask::Kind::Bars,
                    .table = "ttl_gaps",
                    .x = "from_s",
                    .y = "height",
                    .x2 = "to_s",
                    .legend = "gaps",
                    .ink = ask::Ink::Muted,
                    .background = true}},
         .rules = {{.at = fiveMinutesS, .label = "5 min"}, // what providers sell
                   {.at = hourS, .label = "1 h"},
                   {.at = settings.ttlS,
                    .field = "ttl-s",
                    .onMark = "hit_blocks",
                    .ink = ask::Ink::Accent,
                    .readOut = std::move(atGrip)}},
         .empty = tellsBlocks(figure) ? "" : "the trace tells no blocks",
         .corner = figure.ofSessions() ? "unlimited cache, estimated" : "unlimited cache"});
}

} // namespace loadline
