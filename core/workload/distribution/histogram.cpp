// Histograms of token counts: bin edges in whole numbers only, so that no count ever falls on a border.
#include "core/workload/distribution/histogram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>

namespace loadline {
namespace {

// floor(2^(62 + q/4)) for q = 0..3. Shifted right it gives floor(2^(k + q/4)) for every k below 62, and a
// whole number n lies above 2^(k + q/4) exactly when it is larger than that floor (the power is irrational
// for q > 0).
constexpr std::array<std::uint64_t, 4> quarterPowers = {0x4000'0000'0000'0000, 0x4C1B'F828'C6DC'54B7,
                                                        0x5A82'7999'FCEF'3242, 0x6BA2'7E65'6B4E'B57A};
constexpr int largestPower = 62;
constexpr Tokens firstOctave = 8; ///< below it a fine bin holds a single number

int floorLog2(Tokens n) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
}

/// floor(2^(power + quarter / 4)); 0 for power -1.
Tokens floorOfPower(int power, std::size_t quarter) {
    return power < 0 ? 0 : static_cast<Tokens>(quarterPowers[quarter] >> (largestPower - power));
}

/// round(log2 n): up beyond 2^(k + 1/2).
int roundLog2(Tokens n) {
    const int k = floorLog2(n);
    return std::min(n > floorOfPower(k, 2) ? k + 1 : k, largestPower);
}

Bin powerOfTwoBin(std::size_t index) {
    const auto power = static_cast<int>(index);
    const Tokens low = floorOfPower(power - 1, 2) + 1;
    const Tokens high = power == largestPower ? std::numeric_limits<Tokens>::max() : floorOfPower(power, 2);
    return {.low = low, .high = high, .label = Tokens{1} << power};
}

/// First number of the bin: 1 to 7 by themselves, then four bins per octave.
Tokens fineLow(std::size_t index) {
    if (index < firstOctave - 1) {
        return static_cast<Tokens>(index) + 1;
    }
    const std::size_t step = index - (firstOctave - 1);
    const auto power = static_cast<int>(3 + step / 4);
    const std::size_t quarter = step % 4;
    return quarter == 0 ? Tokens{1} << power : floorOfPower(power, quarter) + 1;
}

std::size_t fineIndex(Tokens n) {
    if (n < firstOctave) {
        return static_cast<std::size_t>(n) - 1;
    }
    const int power = floorLog2(n);
    std::size_t quarter = 0;
    while (quarter < 3 && n > floorOfPower(power, quarter + 1)) {
        ++quarter;
    }
    return static_cast<std::size_t>(firstOctave - 1 + 4 * (power - 3)) + quarter;
}

Bin fineBin(std::size_t index) {
    const Tokens low = fineLow(index);
    const bool last = index == fineIndex(std::numeric_limits<Tokens>::max());
    return {
        .low = low, .high = last ? std::numeric_limits<Tokens>::max() : fineLow(index + 1) - 1, .label = low};
}

std::size_t binIndex(Tokens n, BinKind kind) {
    return kind == BinKind::PowerOfTwo ? static_cast<std::size_t>(roundLog2(n)) : fineIndex(n);
}

} // namespace

Tokens powerOfTwoBucket(Tokens n) {
    return n <= 0 ? 0 : Tokens{1} << roundLog2(n);
}

Histogram histogramOf(std::span<const HistogramValue> values, BinKind kind) {
    Histogram histogram;
    histogram.kind = kind;
    std::vector<std::int64_t> positive;
    positive.reserve(values.size());
    std::size_t first = std::numeric_limits<std::size_t>::max();
    std::size_t last = 0;
    for (const HistogramValue& v : values) {
        if (v.value <= 0) {
            ++histogram.zeros;
            continue;
        }
        positive.push_back(v.value);
        const std::size_t index = binIndex(v.value, kind);
        first = std::min(first, index);
        last = std::max(last, index);
    }
    if (positive.empty()) {
        return histogram;
    }
    for (std::size_t i = first; i <= last; ++i) {
        histogram.bins.push_back(kind == BinKind::PowerOfTwo ? powerOfTwoBin(i) : fineBin(i));
    }
    for (const HistogramValue& v : values) {
        if (v.value > 0) {
            Bin& bin = histogram.bins[binIndex(v.value, kind) - first];
            ++bin.count;
            bin.countInexact += v.inexact ? 1 : 0;
            bin.countHit += v.hit ? 1 : 0;
        }
    }
    histogram.summary = summarize(std::move(positive));
    return histogram;
}

} // namespace loadline
