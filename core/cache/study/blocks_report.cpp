// Blocks that hit, by capacity, by time and by who shares a cache; prefixes that the provider's cache lost.
#include "core/ask/summary.h"
#include "core/ask/table_of.h"
#include "core/cache/provider/call_before.h"
#include "core/cache/study/report_parts.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>

namespace loadline::ask {
namespace {

using Numbers = std::vector<std::int64_t>;

Column hitColumn(const CapacityCurve& curve, const Numbers& capacities, bool least = false,
                 std::string title = {}, std::string help = {}) {
    const auto at = [&, least](std::size_t row) {
        return boundCell(curve.hit(static_cast<std::uint64_t>(capacities[row])), least);
    };
    return columnAt("hit", at, std::move(title), Form::Share, std::move(help));
}

/// {capacity: hit}
void addHits(Report& report, std::string path, const CapacityCurve& curve, const Numbers& capacities) {
    report.add(std::move(path), {}, capacities.size(),
               {columnOf(capacities, "capacity", "", std::identity()), hitColumn(curve, capacities)},
               Shape::Map);
}

/// {seconds: hit}; for people both ends where the upper one is known.
void addTtl(Report& report, std::string path, std::string title, const TraceFigures& caches,
            const Numbers& ttls) {
    const auto hit = [&](std::size_t row) { return caches.ttlHit(static_cast<double>(ttls[row])); };
    Column hits = columnAt("hit", hit, "Block hits", Form::Share,
                           "Of the references to blocks, found again as a prefix");
    hits.words = [&, hit](std::size_t row) {
        const auto seconds = static_cast<double>(ttls[row]);
        return cellOfEnds({hit(row), caches.most ? std::optional(caches.most->ttlHit(seconds)) : std::nullopt,
                           caches.leastHits});
    };
    report.add(std::move(path), std::move(title), ttls.size(),
               {columnOf(ttls, "ttl_s", "Time", std::identity(), Form::Seconds), std::move(hits)},
               Shape::Map);
}

double prefixHit(const TraceFigures& of) {
    return of.unlimited.share(of.unlimited.prefix.blocks);
}

void addUnlimited(Report& report, const CacheAnswer& answer) {
    const TraceFigures& caches = answer.caches();
    const PrefixReuse& reuse = caches.unlimited;
    const auto ofTokens = [&reuse](std::uint64_t hits) {
        return quotient(static_cast<double>(hits), static_cast<double>(reuse.inputTokens));
    };
    const bool isEstimate = answer.provider() != nullptr; // what sessions share is open
    const auto high = caches.most ? std::optional(prefixHit(*caches.most)) : std::nullopt;
    const Below below(report, "unlimited");
    below.add("prefix_hit_block", prefixHit(caches), "unlimited cache, of the blocks, hit as a prefix",
              Form::Share, wordsOfEnds({prefixHit(caches), high, isEstimate}));
    below.add("prefix_hit_token", ofTokens(reuse.prefix.tokens));
    below.add("set_hit_block", reuse.share(reuse.setHits));
    below.add("hashes_are_a_prefix_chain", reuse.setHits == reuse.prefix.blocks);
    below.add("aggregate_block_hit_consecutive", reuse.share(reuse.consecutive.blocks));
    below.add("aggregate_token_hit", ofTokens(reuse.consecutive.tokens));
    below.add("prefix_hit_full_blocks_only",
              quotient(static_cast<double>(reuse.fullHits), static_cast<double>(reuse.fullReferences)));
    below.add("mean_over_requests_block", reuse.meanPrefixBlocks);
    below.add("mean_over_requests_token", reuse.meanPrefixTokens);
    below.add("requests_fully_covered", reuse.requestsFullyCovered);
    report.add("unlimited_at_least", isEstimate);
}

void addLru(Report& report, const TraceFigures& caches, const Numbers& capacities) {
    static constexpr std::array<std::uint64_t, 5> percents = {1, 5, 10, 25, 50};
    const auto hit = [&caches](std::uint64_t percent) {
        return caches.engine.fwd.hit(caches.unlimited.uniqueBlocks * percent / 100);
    };
    addHits(report, "lru.fwd", caches.engine.fwd, capacities);
    addHits(report, "lru.rev", caches.engine.rev, capacities);
    report.add("lru.fwd_at_unique_percent", {}, percents.size(),
               {columnOf(percents, "percent", "", std::identity()), columnOf(percents, "hit", "", hit)},
               Shape::Map);
    report.add("lru_cache_for", caches.conversations ? "each main chain" : "all requests");
}

void addReuseTimes(Report& report, const TraceFigures& caches) {
    const PrefixReuse& reuse = caches.unlimited;
    addSummary(report, "reuse_time_s", reuse.reuseTime);
    for (const int seconds : {10, 60, 300, 600, 1800, 3600}) {
        report.add(fmt::format("reuse_time_s.frac_le_{}", seconds), shareUpTo(reuse.reuseTimeS, seconds));
    }
    report.add("reuse_time_within", caches.conversations ? "each main chain" : "all requests");
    addSummary(report, "first_reuse_s", reuse.firstReuse);
    const auto unique = static_cast<double>(reuse.uniqueBlocks);
    const double reused = quotient(static_cast<double>(reuse.blocksReused), unique);
    report.add("blocks_ever_reused", reused);
    report.add("blocks_referenced_once", unique > 0 ? 1 - reused : 0.0);
    report.add("share_of_reuses_in_top10pct_blocks", reuse.reusesInTopTenth);
}

/// Up to the first that changes nothing any more.
std::size_t capacitiesThatMatter(const Numbers& capacities, const CapacityCurve& curve) {
    const auto enough = std::ranges::find_if(capacities, [&curve](std::int64_t capacity) {
        return static_cast<std::uint64_t>(capacity) >= curve.hits.size();
    });
    return static_cast<std::size_t>(enough - capacities.begin()) + (enough == capacities.end() ? 0 : 1);
}

/// For people: a row a capacity, a column a way of counting.
void addEngine(Report& report, const TraceFigures& caches, const Numbers& capacities) {
    const CapacityCurves& engine = caches.engine;
    const bool least = caches.leastHits;
    const char* const whose = caches.conversations && caches.agentsCounted > 0
                                  ? ", one for each session and sub-agent"
                              : caches.conversations  ? ", one for each session"
                              : caches.mainChains > 1 ? ", one for each trace"
                                                      : "";
    report.add(
        {}, std::string("An engine's cache") + whose, capacitiesThatMatter(capacities, engine.fwd),
        {columnOf(capacities, "capacity", "Capacity, blocks", std::identity()),
         hitColumn(
             engine.fwd, capacities, least, "LRU front to back",
             "Of the references to blocks, those to a block that is there when it is touched; a request "
             "touches its blocks front to back"),
         hitColumn(engine.rev, capacities, least, "back to front",
                   "The same, touched back to front as vLLM frees them"),
         hitColumn(engine.contiguousBlocks, capacities, least, "contiguous",
                   "The leading run of a request's blocks that is there, looked up before any is touched")});
}

/// [{"sessions", "capacity_blocks", "at_least", "hit", ..}]: all capacities of each number of sessions.
void addShared(Report& report, const TraceFigures& caches, const Numbers& capacities) {
    const std::size_t each = capacities.size();
    const auto curve = [&, each](std::size_t row) -> const SharedCurve& { return caches.shared[row / each]; };
    const auto capacity = [&, each](std::size_t row) { return capacities[row % each]; };
    const auto hit = [&](const char* key, CapacityCurve SharedCurve::*which) {
        return columnAt(key, [curve, capacity, which](std::size_t row) {
            return (curve(row).*which).hit(static_cast<std::uint64_t>(capacity(row)));
        });
    };
    report.add("shared", {}, caches.shared.size() * each,
               {columnAt("sessions", [curve](std::size_t row) { return curve(row).sessions; }),
                columnAt("capacity_blocks", capacity),
                columnAt("at_least", [&caches](std::size_t) { return caches.leastHits; }),
                hit("hit", &SharedCurve::rev), hit("hit_alone", &SharedCurve::alone),
                hit("hit_contiguous", &SharedCurve::contiguous),
                hit("hit_contiguous_alone", &SharedCurve::contiguousAlone)});
}

/// For people: a row a number of sessions, and one as they were recorded; a column a capacity.
void addSharers(Report& report, const TraceFigures& caches, const Numbers& capacities) {
    const std::vector<SharedCurve>& shared = caches.shared;
    const std::size_t count = shared.size();
    const auto sessions = [&shared, count](std::size_t row) {
        return row < count ? Cell(shared[row].sessions) : Cell("as recorded");
    };
    std::vector<Column> columns = {columnAt("sessions", sessions, "Sessions", Form::Whole)};
    for (std::size_t i = 0; i < capacitiesThatMatter(capacities, shared.back().contiguous); ++i) {
        const auto hit = [&caches, count,
                          capacity = static_cast<std::uint64_t>(capacities[i])](std::size_t row) {
            const CapacityCurve& curve = row < count ? caches.shared[row].contiguous : caches.dealtTo(1);
            return boundCell(curve.hit(capacity), caches.leastHits);
        };
        columns.push_back(columnAt("hit", hit, formatCount(static_cast<double>(capacities[i])), Form::Share));
    }
    report.add({},
               "An engine's cache that sessions share, which begin at once, by blocks of capacity. " +
                   sharersWords(caches),
               count + (caches.active.recorded ? 1 : 0), std::move(columns));
}

/// All sessions at the times at which they were recorded; null where those are not told.
void addRecorded(Report& report, const TraceFigures& caches, const Numbers& capacities) {
    if (!caches.active.recorded) {
        report.add("recorded", Cell());
        return;
    }
    const Below below(report, "recorded");
    below.add("sessions", caches.mainChains);
    below.add("most_at_once", caches.active.most,
              std::string("sessions active within ") + activeWithin + ", at most");
    below.add("mean_at_once", caches.active.mean);
    below.add("active_within_s", activeWithinS);
    below.add("at_least", caches.leastHits);
    addHits(report, "recorded.hit", caches.dealtTo(1), capacities);
    addHits(report, "recorded.hit_alone", caches.engine.contiguousBlocks, capacities);
}

void addWorkingSet(Report& report, const WorkingSet& set) {
    report.add(
        "working_set", {}, set.touched.size(),
        {columnAt("until_s", [&set](std::size_t row) { return set.binS * static_cast<double>(row + 1); }),
         columnOf(set.touched, "blocks_touched", "", std::identity()),
         columnOf(set.seen, "blocks_seen", "", std::identity())});
}

} // namespace

void addBlocks(Report& report, const CacheAnswer& answer, const CacheQuestion& question) {
    const TraceFigures& caches = answer.caches();
    const Numbers& capacities = question.capacitiesBlocks;
    const bool hasBlocks = caches.blockTokens > 0;
    addUnlimited(report, answer);
    addLru(report, caches, capacities);
    addTtl(report, "ttl", hasBlocks ? "Unlimited cache that forgets what nobody held for a time" : "", caches,
           question.ttlsS);
    addReuseTimes(report, caches);
    addHits(report, "lru_contiguous", caches.engine.contiguousBlocks, capacities);
    addHits(report, "lru_contiguous_token", caches.engine.contiguousTokens, capacities);
    if (hasBlocks) {
        addEngine(report, caches, capacities);
    }
    addShared(report, caches, capacities);
    if (!caches.shared.empty()) {
        addSharers(report, caches, capacities);
    }
    addRecorded(report, caches, capacities);
    addWorkingSet(report, caches.workingSet);
}

void addUpperEnd(Report& report, const CacheAnswer& answer, const CacheQuestion& question) {
    const TraceFigures* const most = answer.caches().most.get();
    if (most == nullptr) {
        report.add("hits_if_unchanged", Cell());
        return;
    }
    report.add("hits_if_unchanged.prefix_hit_block", prefixHit(*most));
    addTtl(report, "hits_if_unchanged.ttl", {}, *most, question.ttlsS);
}

void addBreaks(Report& report, const CacheAnswer& answer) {
    static const std::vector<PrefixBreak> none;
    const ProviderFigures* provider = answer.provider();
    const std::vector<PrefixBreak>& breaks = provider != nullptr ? provider->breaks : none;
    const bool isKnown = provider == nullptr || provider->recordsCache();
    if (provider != nullptr) {
        report.add({}, isKnown ? wordsOf(totalsOf(breaks)) : "not recorded", "prefix breaks", Form::Text);
    }
    if (!isKnown) {
        report.add("breaks", Cell()); // not known is not none
        return;
    }
    const auto path = [&](const PrefixBreak& one) {
        return answer.figure->requests.corpus->files[one.file].file->path;
    };
    TableOf table("breaks", breaks);
    table.titled("Prefix breaks. " + breakRule() + ".")
        .column("path", "File", path, Form::Text)
        .column("line", "Line", [](const PrefixBreak& one) { return one.place.line; })
        .column("time", "Time", &PrefixBreak::time, Form::Time)
        .column("tokens_paid_again", "Paid again", &PrefixBreak::paidAgain, Form::Tokens)
        .document("tokens_compacted", &PrefixBreak::compacted)
        .document("cause", [](const PrefixBreak& one) { return keyOf(one.cause()); })
        .textColumn(
            "Cause",
            [](const PrefixBreak& one) {
                return fmt::format("{}: {}", describe(one.cause()), one.reasons.front().evidence);
            },
            Form::Text)
        .document("tokens_cached_before", &PrefixBreak::cachedBefore)
        .document("tokens_read", &PrefixBreak::read);
    report.add(std::move(table));
    report.add(tableWithin("breaks.reasons", answer.breakReasons)
                   .document("cause", [](const BreakReason& reason) { return keyOf(reason.cause); })
                   .document("evidence", &BreakReason::evidence));
}

} // namespace loadline::ask
