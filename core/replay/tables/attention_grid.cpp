// Looks up a step's attention between the points that were timed.
#include "core/replay/tables/attention_grid.h"

#include <algorithm>
#include <map>
#include <utility>

namespace loadline {
namespace {

using Pair = std::pair<double, double>; // chunk, decodes

void sortOnce(std::vector<double>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

double between(double low, double high, double share) {
    return low + share * (high - low);
}

} // namespace

AttentionGrid::AttentionGrid(const std::vector<AttentionPoint>& points) {
    using Line = std::vector<std::pair<double, double>>;
    std::map<Pair, std::map<double, Line>> byPair;
    for (const AttentionPoint& point : points) {
        byPair[{point.work.chunk, point.work.decodes}][point.work.chunkContext].emplace_back(
            point.work.decodeContext, point.timeUs);
    }
    std::vector<Pair> pairs;
    for (const auto& [pair, lines] : byPair) {
        pairs.push_back(pair);
        chunks_.push_back(pair.first);
        decodes_.push_back(pair.second);
        Slice slice;
        for (const auto& [context, line] : lines) {
            slice.chunkContexts.push_back(context);
            slice.overDecodeContext.emplace_back(line);
        }
        slices_.push_back(std::move(slice));
    }
    sortOnce(chunks_);
    sortOnce(decodes_);
    for (const double chunk : chunks_) {
        for (const double decodes : decodes_) {
            const auto distance = [&](const Pair& pair) {
                const double across = pair.first - chunk;
                const double along = pair.second - decodes;
                return across * across + along * along;
            };
            const auto nearest = std::ranges::min_element(pairs, {}, distance);
            sliceAt_.push_back(static_cast<std::size_t>(nearest - pairs.begin()));
        }
    }
}

double AttentionGrid::timeIn(const Slice& slice, const AttentionLoad& work) {
    const AxisPlace place = placeOn(slice.chunkContexts, work.chunkContext);
    const double low = slice.overDecodeContext[place.low].at(work.decodeContext);
    if (place.low == place.high) {
        return low;
    }
    return between(low, slice.overDecodeContext[place.high].at(work.decodeContext), place.share);
}

double AttentionGrid::at(const AttentionLoad& work) const {
    if (work.chunk <= 0 && work.decodes <= 0) {
        return 0;
    }
    const AxisPlace chunk = placeOn(chunks_, work.chunk);
    const AxisPlace decodes = placeOn(decodes_, work.decodes);
    const auto corner = [&](std::size_t c, std::size_t d) { return timeIn(slices_[sliceOf(c, d)], work); };
    const double low =
        between(corner(chunk.low, decodes.low), corner(chunk.low, decodes.high), decodes.share);
    if (chunk.share == 0) {
        return std::max(0.0, low);
    }
    const double high =
        between(corner(chunk.high, decodes.low), corner(chunk.high, decodes.high), decodes.share);
    return std::max(0.0, between(low, high, chunk.share));
}

} // namespace loadline
