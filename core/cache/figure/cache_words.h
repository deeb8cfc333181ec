// Sentences and numbers of the charts of caches; each sentence is about one cache alone.
#pragma once

#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"
#include "core/cache/figure/request_parts.h"
#include "core/cache/reuse/cache_sharing.h"
#include "core/cache/tier/tier_rows.h"
#include "core/text/table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Blocks from which on nearly everything hits that any capacity would: this share of it.
inline constexpr double nearlyAll = 0.99;
std::uint64_t blocksForNearlyAll(const CapacityCurve& curve);

/// At most about `most` capacities in blocks, even on a logarithmic scale, up to where nothing more hits.
std::vector<std::uint64_t> capacitiesOf(const CapacityCurve& curve, std::size_t most = 240);
/// Times to live in seconds likewise: from 1 s to where it is as good as for ever, an hour at least.
std::vector<double> ttlsOf(const ShareWithin& ages, std::size_t most = 240);

/// Sessions that share a cache keep their hits where they lose less of their hit rate than this against each
/// having that cache to itself.
inline constexpr double keptWithin = 0.01;
/// The most sessions, of those counted, up to which all keep their hits. Precondition: some are counted.
std::size_t sessionsThatKeep(std::span<const SharedCurve> shared, std::uint64_t capacityBlocks);

/// "93.4 %"; of a lower bound "at least 93.4 %"
std::string leastShare(double share, bool least);
/// "93.4 %"; of a lower bound "≥ 93.4 %": in a table's cell
std::string leastCell(double share, bool least);
/// "at least " before a lower bound; else ""
std::string_view leastWord(bool least);

/// The two ends of a figure that a log leaves open.
struct Ends {
    double low = 0;
    std::optional<double> high = std::nullopt; ///< nothing: it is not known, or there is no other end
    bool least = false;                        ///< `low` is a lower bound
};
/// Ends of a hit rate that differ by more than this are both named: a point, as hit rates are compared by.
inline constexpr double namedFrom = 0.01;
/// True if the upper end is worth naming.
bool isRange(const Ends& share);
/// Both ends of a share of a row's hits. `most`: mostTierRowsOf(), or empty.
Ends endsOf(std::span<const TierRow> rows, std::span<const TierRow> most, double TierHits::*share,
            std::size_t row, bool least);
/// The share that is computed again where so much hits: "35.4 %", "≤ 35.4 %", "5.8–35.4 %"
std::string cellOfAgain(const Ends& hits);
/// "64.6 %", "at least 64.6 %", "at least 64.6 %, perhaps 94.2 %"
std::string wordsOfEnds(const Ends& share);
/// The same in a cell: "64.6 %", "≥ 64.6 %", "64.6–94.2 %"
std::string cellOfEnds(const Ends& share);
/// "1.28 s", "≤ 6.33 s", "0.6 s to 6.33 s": a time that falls as hits rise. `share`: of those hits.
std::string cellOfTimes(double slowest, std::optional<double> fastest, const Ends& share);

/// "16 k tokens, 5.24 GB of llama-3.3-70b"
std::string wordsOfTokens(double tokens, const CacheSettings& settings);
/// "2 345 blocks: 150 k tokens, 49.2 GB of llama-3.3-70b, 1 session in each of 2 replicas": blocks of one
/// replica, and as many whole sessions of the upper tenth as they hold at once
std::string wordsOfCapacity(double blocks, const CacheFigure& figure, const CacheSettings& settings);

/// "provider's cache", "engine's cache (LRU)", "unlimited cache": which one a chart is of, and whether its
/// blocks are an estimate.
std::string engineWords(const CacheFigure& figure);
std::string unlimitedWords(const CacheFigure& figure);

/// The answer: how many of their blocks those who share the GPUs' memory find there, against each alone.
/// A second sentence, where that has no room for one session, is about the first tier down to which there
/// is.
std::string sharingHeadline(const CacheSharing& sharing, const CacheTiers& tiers, const KvLayout& layout,
                            Tokens blockTokens);
/// "2 of 3 sessions, those with 10 requests or more of the main agent.": the last of TraceFigures::shared.
/// Precondition: there is one.
std::string sharersWords(const TraceFigures& caches);
/// Blocks that the tiers up to this one hold for one of so many replicas.
std::uint64_t blocksUpTo(const CacheTiers& tiers, std::size_t tier, const KvLayout& layout,
                         Tokens blockTokens, std::size_t replicas);
/// Returns the sharers of the tiers of these settings, dealt to their replicas.
CacheSharing sharingOf(const CacheFigure& figure, const CacheSettings& settings);
/// Returns the curve that "Misses by capacity" is of: of those who share it, dealt to the replicas of these
/// settings; with one replica of what sessions do not tell apart, as settings.count counts.
const CapacityCurve& capacityCurveOf(const CacheFigure& figure, const CacheSettings& settings);
/// The mean request's prompt and half of its answer: what it holds in the KV cache while it decodes.
double meanContextOf(const CacheFigure& figure);

/// The hit rate that the split is drawn for.
struct SplitHit {
    double rate = 0;                           ///< of the prompts' tokens, as computing goes by tokens
    std::string of;                            ///< "typed", "of tokens, kept 5 min in tiers down to network"
    std::optional<double> most = std::nullopt; ///< the upper end; nothing: there is none
    bool least = false;                        ///< `rate` is a lower bound

    [[nodiscard]] Ends ends() const { return {rate, most, least}; }
};
/// GPUs that a hit rate frees: "20.7"; of a lower bound "at least 20.7", of a range "at least 20.7,
/// perhaps 30.0".
std::string wordsOfFreed(const SplitFleet& fleet, const Ends& hit);
/// The one that was typed. Else that of the cache that sessions share in all tiers, dealt to the replicas,
/// and that forgets after the time to live.
SplitHit splitHitOf(const CacheFigure& figure, const CacheSettings& settings);

std::string capacitySentence(const CacheFigure& figure, const CacheSettings& settings);
std::string ttlSentence(const CacheFigure& figure, const CacheSettings& settings);
std::string sharedSentence(const CacheFigure& figure, const CacheSettings& settings);
/// `name` of the session or chain.
std::string requestsSentence(const CacheFigure& figure, const std::string& name,
                             std::span<const RequestParts> requests);
std::string splitSentence(const CacheFigure& figure, const CacheSettings& settings);
/// Returns the answer over all caches: how much to keep, for how long and where.
std::string cacheSentence(const CacheFigure& figure, const CacheSettings& settings);

/// One of the figures that answer first.
struct CacheFact {
    std::string value;   ///< "168 k"
    std::string label;   ///< "tokens held"
    std::string meaning; ///< what it counts, and of which cache
};
/// How much, how long, where, and what a miss costs; none where the trace tells no reuse.
std::vector<CacheFact> cacheFactsOf(const CacheFigure& figure, const CacheSettings& settings);

/// The table of tiers for the mean request and sessions of the upper tenth; by tier. Empty where nothing
/// tells what is reused.
std::vector<TierRow> tierRowsOf(const CacheFigure& figure, const CacheSettings& settings);
/// The same at the upper end (TraceFigures::most); empty where there is none.
std::vector<TierRow> mostTierRowsOf(const CacheFigure& figure, const CacheSettings& settings);
/// "from 33 k tokens", "always", "never": the prompts from which on loading takes less time than computing.
std::string wordsOfBreakEven(const std::optional<double>& tokens);
/// With the attention of new tokens to the cached ones, at the mean prompt.
PrefillDecodeSplit splitWithAttention(const CacheFigure& figure, const CacheSettings& settings);

Table tiersTable(const CacheFigure& figure, const CacheSettings& settings);
Table splitTable(const CacheFigure& figure, const CacheSettings& settings);

/// Returns the sentence on requests of sub-agents that no figure counts; "" if there are none.
std::string subAgentsCaveat(const CacheFigure& figure);
/// Returns the sentence on blocks that are an estimate; "" where the trace has its own.
std::string rebuiltBlocksCaveat(const CacheFigure& figure);

/// Returns a sentence on what the figure leaves out of a trace's files and what the files do not record; ""
/// if there is nothing.
std::string leftOutSentence(const CacheRequests& requests);

} // namespace loadline
