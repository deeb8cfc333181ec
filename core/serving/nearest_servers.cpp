// Distances and the choice of the nearest.
#include "core/serving/nearest_servers.h"

#include "core/base/statistics.h"
#include "core/serving/nearest_words.h"
#include "core/serving/server_place.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace loadline {
namespace {

static_assert(std::size_t(ServerAxis::KvMemory) + 1 == serverAxisCount);

double atLeastOne(double value) {
    return std::isnan(value) ? value : std::max(value, 1.0);
}

/// log2 of the ratio, without its sign.
double octavesApart(double one, double other) {
    return std::abs(std::log2(atLeastOne(one)) - std::log2(atLeastOne(other)));
}

bool isWithin(double ratio, double one, double other) {
    constexpr double rounding = 1e-9;
    return octavesApart(one, other) <= std::log2(ratio) + rounding;
}

bool isNear(ServerAxis axis, const ServerPlace& a, const ServerPlace& b) {
    const ServerPoint& one = *a.point;
    const ServerPoint& other = *b.point;
    switch (axis) {
    case ServerAxis::Gpu:
        return isSameGpu(a, b) || (a.generation == b.generation && a.generation != GpuGeneration::Other);
    case ServerAxis::Format:
        return a.formatClass == b.formatClass;
    case ServerAxis::ModelSize:
        return isWithin(mostSizeRatio, one.totalBytes, other.totalBytes) &&
               isWithin(mostSizeRatio, one.activeBytes, other.activeBytes);
    case ServerAxis::Gpus:
        return isWithin(mostSizeRatio, one.tensorParallel, other.tensorParallel);
    case ServerAxis::Context:
        return isWithin(mostSizeRatio, one.context, other.context);
    case ServerAxis::Reuse:
        return std::abs(one.cachedShare - other.cachedShare) <= mostReuseApart;
    case ServerAxis::NewTokens:
        return isWithin(mostSizeRatio, one.newTokens, other.newTokens);
    case ServerAxis::Batch:
        return isWithin(mostBatchRatio, one.batch, other.batch);
    case ServerAxis::KvMemory:
        return one.isKvBound == other.isKvBound;
    }
    return false;
}

/// The axes on which two places are near: bit i is that of axis i.
unsigned nearAxes(const ServerPlace& one, const ServerPlace& other) {
    unsigned axes = 0;
    for (unsigned i = 0; i < serverAxisCount; ++i) {
        axes |= isNear(static_cast<ServerAxis>(i), one, other) ? 1U << i : 0U;
    }
    return axes;
}

constexpr unsigned allAxes = (1U << serverAxisCount) - 1;

double distanceOf(const ServerPlace& a, const ServerPlace& b) {
    const ServerPoint& one = *a.point;
    const ServerPoint& other = *b.point;
    const std::array apart{octavesApart(one.totalBytes, other.totalBytes),
                           octavesApart(one.activeBytes, other.activeBytes),
                           octavesApart(one.tensorParallel, other.tensorParallel),
                           octavesApart(one.context, other.context),
                           octavesApart(one.newTokens, other.newTokens),
                           octavesApart(one.batch, other.batch),
                           std::abs(one.cachedShare - other.cachedShare) / mostReuseApart};
    double squares = 0;
    for (const double each : apart) {
        squares += each * each;
    }
    return std::sqrt(squares) + (isSameGpu(a, b) ? 0 : 1) + (a.kvClass == b.kvClass ? 0 : 1);
}

std::vector<ServerAxis> axesOf(unsigned set) {
    std::vector<ServerAxis> axes;
    for (unsigned i = 0; i < serverAxisCount; ++i) {
        if ((set >> i & 1U) != 0) {
            axes.push_back(static_cast<ServerAxis>(i));
        }
    }
    return axes;
}

/// Puts in NearestServers::outside, from the axes on which each server is near. Precondition: none is near on
/// all.
void findOutside(NearestServers& found, const std::vector<unsigned>& near) {
    unsigned alone = allAxes;
    std::map<unsigned, std::size_t> counts; // servers by the axes in which they differ
    for (const unsigned axes : near) {
        alone &= ~axes;
        ++counts[allAxes & ~axes];
    }
    const auto fewerAxes = [](const auto& one, const auto& other) {
        return std::pair(std::popcount(one.first), other.second) <
               std::pair(std::popcount(other.first), one.second);
    };
    found.isTogether = alone == 0;
    found.outside = axesOf(alone != 0 ? alone : std::ranges::min_element(counts, fewerAxes)->first);
}

std::optional<NearestErrors> nearestErrorsOf(std::span<const JudgedServer* const> servers,
                                             std::optional<double> JudgedServer::*error) {
    constexpr double high = 0.9;
    std::vector<double> sizes;
    for (const JudgedServer* const server : servers) {
        if (server->*error) {
            sizes.push_back(std::abs(*(server->*error)));
        }
    }
    if (sizes.empty()) {
        return std::nullopt;
    }
    return NearestErrors{.n = sizes.size(),
                         .median = medianOf(sizes),
                         .p90 = quantileOf(sizes, high),
                         .largest = std::ranges::max(sizes)};
}

/// Cuts the servers, with their distances, to the nearest ones.
std::vector<const JudgedServer*> nearestOf(std::vector<std::pair<double, const JudgedServer*>> all) {
    std::ranges::sort(all, {}, &std::pair<double, const JudgedServer*>::first);
    std::vector<const JudgedServer*> nearest;
    for (const auto& [distance, server] : all) {
        if (nearest.size() >= mostNearest && distance > all[mostNearest - 1].first) {
            break;
        }
        nearest.push_back(server);
    }
    return nearest;
}

} // namespace

bool isNearOn(ServerAxis axis, const ServerPoint& one, const ServerPoint& other) {
    ServerPlaces places;
    return isNear(axis, places.of(one), places.of(other));
}

std::optional<double> serverDistance(const ServerPoint& one, const ServerPoint& other) {
    ServerPlaces places;
    const ServerPlace a = places.of(one);
    const ServerPlace b = places.of(other);
    return nearAxes(a, b) == allAxes ? std::optional(distanceOf(a, b)) : std::nullopt;
}

NearestServers nearestServers(std::span<const JudgedServer> servers, const ServerPoint& point) {
    ServerPlaces places;
    const ServerPlace here = places.of(point);
    std::vector<std::pair<double, const JudgedServer*>> all;
    std::vector<unsigned> near;
    std::vector<const JudgedServer*> judged;
    for (const JudgedServer& server : servers) {
        if (!server.ttftError && !server.tpotError) {
            continue;
        }
        const ServerPlace there = places.of(server.at);
        judged.push_back(&server);
        near.push_back(nearAxes(here, there));
        if (near.back() == allAxes) {
            all.emplace_back(distanceOf(here, there), &server);
        }
    }
    NearestServers found;
    if (all.empty()) {
        if (!judged.empty()) {
            findOutside(found, near);
        }
        found.words = outsideWords(found, judged, point);
        return found;
    }
    const std::vector<const JudgedServer*> nearest = nearestOf(std::move(all));
    found.n = nearest.size();
    found.inferred = static_cast<std::size_t>(
        std::ranges::count_if(nearest, [](const JudgedServer* server) { return server->tier == "C"; }));
    found.tpot = nearestErrorsOf(nearest, &JudgedServer::tpotError);
    found.ttft = nearestErrorsOf(nearest, &JudgedServer::ttftError);
    found.words = nearestWords(found, nearest);
    found.more = moreOfNearest(found);
    return found;
}

} // namespace loadline
