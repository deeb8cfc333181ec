// The model of prefill after a cached prefix.
#include "core/cost/surface/prefix.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

constexpr double fullEnough = 0.8; ///< share of the multiprocessors from which FlashAttention does not split
constexpr double wavesError = 0.1; ///< 90 % of the errors against measured profiles
constexpr double splitError = 0.15;

double headsInTile(const PrefixRule& rule, const AttentionShape& shape) {
    return rule.packsHeads ? static_cast<double>(shape.heads) / static_cast<double>(shape.kvHeads) : 1;
}

/// Tiles of all heads.
double tilesOf(const PrefixRule& rule, const AttentionShape& shape, double newTokens) {
    const double together = headsInTile(rule, shape);
    return std::ceil(newTokens * together / rule.tileRows) * static_cast<double>(shape.heads) / together;
}

} // namespace

PrefixRule wavesOfFlashAttention2(double multiprocessors) {
    return {.form = PrefixForm::WholeWaves, .tileRows = 64, .multiprocessors = multiprocessors};
}

PrefixRule splitFlashAttention2(double multiprocessors) {
    return {.form = PrefixForm::SplitTiles, .tileRows = 64, .multiprocessors = multiprocessors};
}

PrefixRule splitFlashAttention3(double multiprocessors) {
    return {.form = PrefixForm::SplitTiles,
            .tileRows = 128,
            .packsHeads = true,
            .multiprocessors = multiprocessors};
}

double occupiedRows(const PrefixRule& rule, const AttentionShape& shape, double newTokens) {
    double tiles = tilesOf(rule, shape, newTokens);
    if (rule.form == PrefixForm::WholeWaves && rule.multiprocessors > 0) {
        tiles = std::ceil(tiles / rule.multiprocessors) * rule.multiprocessors;
    }
    return std::max(newTokens, tiles * rule.tileRows / static_cast<double>(shape.heads));
}

PrefixedPrefill::PrefixedPrefill(PrefillCurve curve, const PrefixRule& rule, double usPerPair)
    : curve_(std::move(curve)), rule_(rule), usPerPair_(usPerPair) {
    secondKernelUs_ = std::ranges::min(curve_.points(), {}, &MeasuredPoint::us).us;
}

SurfaceValue PrefixedPrefill::at(double newTokens, double cachedTokens) const {
    SurfaceValue value = curve_.at(newTokens);
    if (cachedTokens <= 0) {
        return value;
    }
    const AttentionShape& shape = curve_.shape();
    const DeviceLimits& limits = curve_.limits();
    const double pairs = shape.pairs(cachedTokens + newTokens) - shape.pairs(cachedTokens);
    const double pairsWithCache = pairs - shape.pairs(newTokens);
    const double lostShare = occupiedRows(rule_, shape, newTokens) / newTokens;
    const double bytesUs =
        timeAtRateUs(shape.seen(cachedTokens) * shape.kvBytesPerToken(), limits.bytesPerUs);
    value.us += std::max(usPerPair_ * pairsWithCache * lostShare, bytesUs);
    // A window holds too few blocks of keys to be split.
    if (rule_.form == PrefixForm::SplitTiles && shape.window == 0 &&
        tilesOf(rule_, shape, newTokens) < fullEnough * rule_.multiprocessors) {
        value.us += secondKernelUs_;
    }
    value.reach = SurfaceReach::Modelled;
    value.relativeError =
        std::max(value.relativeError, rule_.form == PrefixForm::WholeWaves ? wavesError : splitError);
    const double least = timeAtRateUs(shape.flopPerPair() * pairs, limits.flopPerUs);
    if (value.us < least) {
        value.us = least;
        value.isRaised = true;
    }
    return value;
}

} // namespace loadline
