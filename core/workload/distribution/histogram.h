// Histograms of token counts in logarithmic bins.
#pragma once

#include "core/base/statistics.h"
#include "core/base/tokens.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

enum class BinKind : std::uint8_t {
    PowerOfTwo, ///< the published form: bin 2^round(log2 n)
    FineLog,    ///< four bins per octave with whole-number edges; single numbers below 8
};

/// "power-of-two", "fine"
constexpr std::string_view keyOf(BinKind bins) {
    return bins == BinKind::PowerOfTwo ? "power-of-two" : "fine";
}

/// Whole numbers low..high, both included.
struct Bin {
    Tokens low = 0;
    Tokens high = 0;
    Tokens label = 0; ///< the power of two, or `low` for fine bins
    std::uint64_t count = 0;
    std::uint64_t countInexact =
        0;                      ///< of these with an output count that is only a lower bound or placeholder
    std::uint64_t countHit = 0; ///< of these brushed
    bool operator==(const Bin&) const = default;
};

/// Bins from the first to the last that is not empty, without gaps. Values of 0 are not in a bin.
struct Histogram {
    BinKind kind = BinKind::PowerOfTwo;
    std::vector<Bin> bins;
    std::uint64_t zeros = 0;
    Summary summary; ///< over the values above 0
    bool operator==(const Histogram&) const = default;
};

/// 2^round(log2 n) for n > 0 (3 -> 4, 6 -> 8, 11 -> 8, 12 -> 16); 0 for n <= 0. Exact for every n.
Tokens powerOfTwoBucket(Tokens n);

struct HistogramValue {
    Tokens value = 0;
    bool inexact = false;
    bool hit = false;
};

Histogram histogramOf(std::span<const HistogramValue> values, BinKind kind);

} // namespace loadline
