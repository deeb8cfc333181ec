// "Misses by capacity".
#include "core/cache/figure/capacity_plot.h"

#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadline {
namespace {

constexpr double bytesPerGB = 1e9;

/// How far the axis reaches: over the curves and the tiers, without those that are too far to tell anything.
double mostBlocks(const CacheFigure& figure, const CacheSettings& settings, const CacheSharing& sharing) {
    constexpr double farthest = 1e4, beyond = 1.1;
    const double end = std::max({static_cast<double>(figure.caches.engine.fwd.hits.size()),
                                 static_cast<double>(sharing.shared->hits.size()), 10.0});
    double most = end;
    for (std::size_t i = 0; i < settings.tiers.size(); ++i) {
        const double blocks = blocksUpTo(figure, settings, i);
        most = blocks < farthest * end ? std::max(most, blocks) : most;
    }
    return roundEnd(most * beyond);
}

/// Capacities that are even on a logarithmic axis, each a whole number of blocks.
std::vector<std::uint64_t> capacitiesUpTo(double most) {
    constexpr int steps = 400;
    std::vector<std::uint64_t> capacities;
    for (int i = 0; i <= steps; ++i) {
        const auto blocks =
            static_cast<std::uint64_t>(std::ceil(std::pow(most, static_cast<double>(i) / steps)));
        if (capacities.empty() || blocks > capacities.back()) {
            capacities.push_back(blocks);
        }
    }
    return capacities;
}

/// The table of the chart: each hit rate by capacity.
ask::Table capacityTable(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings,
                         const CacheSharing& sharing) {
    using ask::columnOf, ask::Form;
    const CapacityCurves& engine = figure.caches.engine;
    const bool further = sharing.shared->hits.size() > engine.fwd.hits.size();
    const auto capacities = std::make_shared<const std::vector<std::uint64_t>>(
        capacitiesOf(further ? *sharing.shared : engine.fwd));
    report.keeps.push_back(capacities);
    const auto column = [&](const char* key, const char* title, auto read, Form form) {
        return columnOf(*capacities, key, title, read, form);
    };
    const auto hits = [](const CapacityCurve& curve) {
        return [&curve](std::uint64_t blocks) { return curve.hit(blocks); };
    };
    const auto tokens = [blockTokens = static_cast<double>(figure.caches.blockTokens)](std::uint64_t blocks) {
        return static_cast<double>(blocks) * blockTokens;
    };
    const auto wholeTokens = [tokens](std::uint64_t blocks) {
        return static_cast<std::uint64_t>(tokens(blocks));
    };
    const auto bytes = [tokens, each = layoutOf(settings).bytesPerToken()](std::uint64_t blocks) {
        return tokens(blocks) * each;
    };
    ask::Table table{
        .path = "capacity",
        .title = "Misses by capacity",
        .rows = capacities->size(),
        .columns = {
            column(
                "capacity_blocks", "capacity", [](std::uint64_t blocks) { return blocks; }, Form::Whole),
            column("capacity_tokens", "tokens", wholeTokens, Form::Tokens),
            column("kv_bytes", "KV cache", bytes, Form::Bytes),
            column("hit_contiguous_tokens", "tokens hit as leading runs", hits(engine.contiguousTokens),
                   Form::Share),
            column("hit_contiguous_blocks", "blocks hit as leading runs", hits(engine.contiguousBlocks),
                   Form::Share),
            column("hit_fwd_blocks", "blocks hit front to back", hits(engine.fwd), Form::Share),
            column("hit_rev_blocks", "blocks hit back to front", hits(engine.rev), Form::Share),
            column("hit_shared_blocks", "hits of those who share it", hits(*sharing.shared), Form::Share),
            column(
                "replicas", "replicas", [n = sharing.replicas](std::uint64_t) { return n; }, Form::Whole)}};
    if (figure.caches.leastHits) {
        table.columns.push_back(column(
            "hits_at_least", "hits are a lower bound", [](std::uint64_t) { return true; }, Form::Plain));
    }
    return table;
}

/// The rows that are drawn and read out, up to the end of the axis.
ask::Table missesTable(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings,
                       const CacheSharing& sharing, double most) {
    using ask::columnOf, ask::Form;
    const auto capacities = std::make_shared<const std::vector<std::uint64_t>>(capacitiesUpTo(most));
    report.keeps.push_back(capacities);
    const ask::Basis basis = figure.caches.leastHits ? ask::Basis::AtLeast : ask::Basis::Exact;
    const auto misses = [](const CapacityCurve& curve) {
        return [&curve](std::uint64_t blocks) { return 1 - curve.hit(blocks); };
    };
    const auto hits = [basis](const CapacityCurve& curve) {
        return [&curve, basis](std::uint64_t blocks) { return ask::on(basis, curve.hit(blocks)); };
    };
    const auto words = [&](std::uint64_t blocks) {
        return wordsOfCapacity(static_cast<double>(blocks), figure, settings);
    };
    const auto column = [&](const char* key, auto read, Form form, const std::string& readOut = {}) {
        return columnOf(*capacities, key, key, read, form, readOut);
    };
    const std::string routing = routingWords(sharing);
    const std::string who = wordsOf(sharing) + (routing.empty() ? "" : ", " + routing);
    const std::string where = sharing.alone != nullptr ? "each alone: "
                              : sharing.traces > 1     ? "each trace alone: "
                              : sharing.takesTurns()   ? "all in one cache: "
                                                       : "";
    const CapacityCurves& engine = figure.caches.engine;
    ask::Table table{
        .path = "capacity_misses",
        .title = {},
        .rows = capacities->size(),
        .columns = {
            column("blocks", std::identity(), Form::Whole),
            column("misses", misses(capacityCurveOf(figure, settings)), Form::Share),
            column("words", words, Form::Text, "{}"),
            column("shared", hits(*sharing.shared), Form::Share, who + ": {} of their blocks hit"),
            column("runs", hits(engine.contiguousTokens), Form::Share,
                   where + "{} of the tokens hit as leading runs"),
            column("fwd", hits(engine.fwd), Form::Share, where + "{} of the blocks hit front to back"),
            column("rev", hits(engine.rev), Form::Share, where + "{} of the blocks hit back to front")}};
    if (sharing.alone != nullptr) {
        table.columns.push_back(column("misses_alone", misses(*sharing.alone), Form::Share));
    }
    return table;
}

/// Whose curve it is.
std::string legendOfMisses(const CacheSharing& sharing, LruCount count) {
    if (sharing.isReplay()) {
        return sharing.takesTurns() ? routingWords(sharing) : wordsOf(sharing);
    }
    if (sharing.alone != nullptr) {
        return formatExact(static_cast<std::int64_t>(sharing.sessions)) + " share it";
    }
    return count == LruCount::Contiguous ? "of leading runs"
           : count == LruCount::Fwd      ? "front to back"
                                         : "back to front";
}

} // namespace

double blocksUpTo(const CacheFigure& figure, const CacheSettings& settings, std::size_t tier) {
    return tokensUpTo(settings, tier) / static_cast<double>(figure.caches.blockTokens);
}

double capacityGBOf(const CacheFigure& figure, const CacheSettings& settings, std::size_t tier,
                    double blocks) {
    const double before = tier == 0 ? 0 : blocksUpTo(figure, settings, tier - 1);
    return std::max(0.0, blocks - before) * static_cast<double>(figure.caches.blockTokens) *
           layoutIn(layoutOf(settings), settings.tiers[tier]).bytesPerToken() *
           static_cast<double>(replicaCountOf(settings)) / bytesPerGB;
}

double roundEnd(double most) {
    const double power = std::pow(10.0, std::floor(std::log10(most)));
    for (const double digit : {1.0, 1.5, 2.0, 3.0, 5.0, 8.0}) { // it stays under the hand
        if (digit * power >= most) {
            return digit * power;
        }
    }
    return 10 * power;
}

std::vector<ask::Rule> tierGrips(const CacheFigure& figure, const CacheSettings& settings,
                                 ask::Rule::Across across, double least, double most) {
    constexpr double keyStep = 1.05;
    std::vector<ask::Rule> grips;
    for (std::size_t i = 0; i < settings.tiers.size(); ++i) {
        const double blocks = blocksUpTo(figure, settings, i);
        if (!isListed(settings.tiers, i) || blocks < least || blocks > most) {
            continue;
        }
        const CacheTier& tier = settings.tiers[i];
        const auto bytes = static_cast<std::uint64_t>(tier.capacityGB * bytesPerGB);
        grips.push_back({.across = across,
                         .at = blocks,
                         .label = tier.name,
                         .field = "tiers",
                         .part = static_cast<int>(i),
                         .ink = ask::Ink::Accent,
                         .fieldAt = [&, i](double at) { return capacityGBOf(figure, settings, i, at); },
                         .step = keyStep,
                         .readOut = {tier.name + ": " + formatBytes(bytes),
                                     "with what is faster " + wordsOfCapacity(blocks, figure, settings)}});
    }
    return grips;
}

void addCapacityPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings) {
    const CacheSharing sharing = sharingOf(figure, settings);
    const double most = mostBlocks(figure, settings, sharing);
    report.tables.push_back(capacityTable(report, figure, settings, sharing));
    report.tables.push_back(missesTable(report, figure, settings, sharing, most));
    std::vector<ask::Mark> marks = {{.table = "capacity_misses",
                                     .x = "blocks",
                                     .y = "misses",
                                     .legend = legendOfMisses(sharing, settings.count),
                                     .ink = ask::Ink::NewInput}};
    if (sharing.alone != nullptr) {
        marks.push_back({.table = "capacity_misses",
                         .x = "blocks",
                         .y = "misses_alone",
                         .legend = "each alone",
                         .ink = ask::Ink::Muted,
                         .background = true});
    }
    report.plots.push_back(
        {.key = "cache-capacity",
         .title = "Misses by capacity",
         .description = "misses of an engine's cache by its capacity, with the tiers of a node",
         .sentence = capacitySentence(figure, settings),
         .x = {fmt::format("capacity{}, blocks of {} tokens",
                           replicaCountOf(settings) > 1 ? " of a replica" : "", figure.caches.blockTokens),
               ask::Form::Whole, ask::Scale::Log, 1, most},
         .y = {figure.caches.leastHits ? "misses, at most" : "misses", ask::Form::Share, ask::Scale::Linear,
               0, 1},
         .marks = std::move(marks),
         .rules = tierGrips(figure, settings, ask::Rule::Across::X, 1, most),
         .empty = tellsBlocks(figure) ? "" : "the trace tells no blocks",
         .table = "capacity",
         .corner = figure.ofSessions() ? "engine's cache, estimated" : "engine's cache"});
}

} // namespace loadline
