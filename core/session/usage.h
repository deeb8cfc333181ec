// Tokens of an API call: the four token classes of a provider's usage record, and sums of them.
#pragma once

#include "core/base/tokens.h"

#include <cstdint>
#include <string_view>

namespace loadline {

/// How far an output count can be trusted. Input and cache counts are exact in every known log.
enum class OutputQuality : std::uint8_t {
    None,       ///< no calls, so nothing to judge
    Final,      ///< written after the stream ended: exact
    LowerBound, ///< a snapshot in mid-stream: the true count is the same or larger
    StartOnly,  ///< the placeholder of the stream's first message: says next to nothing
    Mixed,      ///< a sum over calls of several qualities (never of one call)
};

/// "", "final", "lower_bound", "start_only", "mixed": as tables and JSON write it.
std::string_view keyOf(OutputQuality quality);

/// Token counts of one API call. Fields may be zero, never negative.
struct Usage {
    Tokens input = 0;        ///< uncached part of the prompt
    Tokens cacheWrite = 0;   ///< prompt tokens written to the provider's cache (5 min + 1 h)
    Tokens cacheWrite5m = 0; ///< of these with 5 minutes to live, as far as the log splits them
    Tokens cacheWrite1h = 0; ///< of these with 1 hour to live; what is in neither (CLI 1.0.57) had 5 minutes
    Tokens cacheRead = 0;    ///< prompt tokens read from the provider's cache
    Tokens output = 0;       ///< generated tokens, reasoning included

    // Stated beside the tokens: the provider bills it, and no list of ours has its price.
    std::uint32_t webSearches = 0;  ///< searches that the provider ran for the call
    std::uint32_t earlierTries = 0; ///< tries before the one whose tokens are above (a refusal's fallback)
    bool fast = false;              ///< answered in fast mode, whose tokens cost more
    /// No call of its session reads or writes a cache: what it read is not recorded (set by buildCorpus).
    bool cacheUntold = false;

    /// Prompt length of the call: input + cacheWrite + cacheRead.
    [[nodiscard]] Tokens context() const { return input + cacheWrite + cacheRead; }

    /// Prompt tokens that had to be computed: input + cacheWrite.
    [[nodiscard]] Tokens newPrefill() const { return input + cacheWrite; }

    bool operator==(const Usage&) const = default;
};

/// Field-wise maximum: how the lines and copies of one call combine (each field never decreases in a log).
Usage maxOf(const Usage& a, const Usage& b);

/// A call at list prices.
struct CallCost {
    double usd = -1;             ///< below 0: its model has no price
    bool fastAsStandard = false; ///< in fast mode, priced as if it were not
    bool operator==(const CallCost&) const = default;
};

/// The cost of a call whose model has no price.
inline constexpr CallCost unpriced{};

/// Returns the nearest multiple of 1e-12 USD: a token's cost at a price of 6 decimals a million is one, so a
/// sum that is rounded after each term stays the exact decimal (up to about 4,000 USD, where a double ends).
double exactUsd(double usd);

/// Sum over distinct API calls.
struct UsageTotals {
    std::uint64_t calls = 0;
    Usage usage;
    Tokens untoldContext = 0;           ///< prompt tokens of calls whose cache is untold
    std::uint64_t callsFinalOutput = 0; ///< calls whose output count is Final
    Tokens outputOfFinalCalls = 0;      ///< their share of usage.output
    std::uint64_t callsStartOnly = 0;   ///< calls whose output count is StartOnly
    Tokens contentEstimate = 0; ///< sum of visible content of each call, characters / 4: an estimate of
                                ///< output where the log has only a lower bound
    double costUsd = 0;         ///< at list prices, of the calls whose model has one: with outputs as logged
    std::uint64_t callsUnpriced = 0;       ///< calls whose model has none
    std::uint64_t callsFast = 0;           ///< calls in fast mode
    std::uint64_t callsFastUnpriced = 0;   ///< of the priced ones: CallCost::fastAsStandard
    std::uint64_t callsPartlyUnpriced = 0; ///< priced calls that used what has no price (see Usage)

    void add(const Usage& callUsage, OutputQuality quality, Tokens callContentEstimate,
             const CallCost& callCost);
    UsageTotals& operator+=(const UsageTotals& other);
    [[nodiscard]] OutputQuality outputQuality() const;
    /// True if some calls have no price or used what has none, or some outputs are lower bounds.
    [[nodiscard]] bool costIsLeast() const;
    /// Prompt tokens of calls that tell of a cache.
    [[nodiscard]] Tokens toldContext() const { return usage.context() - untoldContext; }
    /// False if there are prompt tokens and no call tells of a cache: hitRate() is then not recorded, not 0.
    [[nodiscard]] bool recordsCache() const { return usage.context() == 0 || toldContext() > 0; }
    /// Share of prompt tokens read from cache: cacheRead / toldContext; 0 without such tokens.
    [[nodiscard]] double hitRate() const;
    bool operator==(const UsageTotals&) const = default;
};

} // namespace loadline
