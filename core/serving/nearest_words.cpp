// One sentence a case.
#include "core/serving/nearest_words.h"

#include "core/serving/server_place.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// "12 %": whole percent.
std::string wholePercent(double share) {
    return formatShare(share, 1);
}

/// The names, the most frequent first; of more than two their number: "3 models".
std::string fewNames(const std::map<std::string, std::size_t>& counts, const char* one) {
    constexpr std::size_t few = 2;
    if (counts.size() > few) {
        return counted(counts.size(), one);
    }
    std::vector<std::pair<std::string, std::size_t>> names(counts.begin(), counts.end());
    std::ranges::stable_sort(names, std::greater<>(), &std::pair<std::string, std::size_t>::second);
    return commaList(names, &std::pair<std::string, std::size_t>::first);
}

std::string gpuName(const std::string& gpu) {
    const Hardware* const hardware = hardwareOfServer(gpu);
    return hardware == nullptr ? gpu : hardware->key;
}

/// "at most 7.83 k tokens": the values of the servers next to the point's on either side.
std::string nextValues(std::span<const JudgedServer* const> judged, double ServerPoint::*member, double here,
                       const char* unit) {
    std::optional<double> below;
    std::optional<double> above;
    for (const JudgedServer* const server : judged) {
        const double there = server->at.*member;
        if (there <= here) {
            below = std::max(below.value_or(there), there);
        } else {
            above = std::min(above.value_or(there), there);
        }
    }
    const auto words = [](double value) { return formatCount(value); };
    if (below && above) {
        return fmt::format(" ({} and {} {} are nearest)", words(*below), words(*above), unit);
    }
    return below || above
               ? fmt::format(" (at {} {} {})", below ? "most" : "least", words(below ? *below : *above), unit)
               : std::string();
}

std::string reuseWords(std::span<const JudgedServer* const> judged, const ServerPoint& point) {
    const auto share = [](const JudgedServer* server) { return server->at.cachedShare; };
    const auto [least, most] = std::ranges::minmax(judged, {}, share);
    if (point.cachedShare > share(most)) {
        return share(most) > 0 ? fmt::format("with this much of its prompts reused (at most {})",
                                             wholePercent(share(most)))
                               : "with a reused prefix";
    }
    return point.cachedShare < share(least)
               ? fmt::format("with so little of its prompts reused (at least {})", wholePercent(share(least)))
               : "with this share of its prompts reused";
}

std::string axisName(ServerAxis axis) {
    constexpr std::array<const char*, serverAxisCount> names{
        "GPU",   "weight format", "model size", "number of GPUs", "context",
        "reuse", "new tokens",    "batch",      "KV memory"};
    return names[static_cast<std::size_t>(axis)];
}

/// "with this context (at most 7.83 k tokens)".
std::string axisWords(ServerAxis axis, std::span<const JudgedServer* const> judged,
                      const ServerPoint& point) {
    const auto values = [&](double ServerPoint::*member, const char* unit) {
        return nextValues(judged, member, point.*member, unit);
    };
    switch (axis) {
    case ServerAxis::Gpu:
        return "on this GPU";
    case ServerAxis::Format:
        return "with weights in this format";
    case ServerAxis::ModelSize:
        return "with a model of this size";
    case ServerAxis::Gpus:
        return "on " + counted(static_cast<std::uint64_t>(std::max(point.tensorParallel, 0)), "GPU");
    case ServerAxis::Context:
        return "with this context" + values(&ServerPoint::context, "tokens");
    case ServerAxis::Reuse:
        return reuseWords(judged, point);
    case ServerAxis::NewTokens:
        return "with this many new tokens" + values(&ServerPoint::newTokens, "a request");
    case ServerAxis::Batch:
        return "with this batch" + values(&ServerPoint::batch, "requests");
    case ServerAxis::KvMemory:
        return point.isKvBound ? "short of KV memory" : "with enough KV memory";
    }
    return {};
}

} // namespace

std::string nearestWords(const NearestServers& found, std::span<const JudgedServer* const> nearest) {
    std::map<std::string, std::size_t> models;
    std::map<std::string, std::size_t> gpus;
    for (const JudgedServer* const server : nearest) {
        ++models[nameOfFile(server->model)];
        ++gpus[gpuName(server->at.gpu)];
    }
    const NearestErrors& errors = found.tpot ? *found.tpot : *found.ttft;
    return fmt::format("{} {} median on {} like this: {}, {}", found.tpot ? "TPOT" : "TTFT",
                       wholePercent(errors.median), counted(errors.n, "server"), fewNames(models, "model"),
                       fewNames(gpus, "GPU"));
}

std::string moreOfNearest(const NearestServers& found) {
    constexpr std::size_t enoughForP90 = 10;
    std::string more;
    for (const auto& [name, errors] : {std::pair("TPOT", found.tpot), std::pair("TTFT", found.ttft)}) {
        if (errors) {
            const bool isMany = errors->n >= enoughForP90;
            more += fmt::format("{}{}: median {}, {} {} on {}.", more.empty() ? "" : " ", name,
                                wholePercent(errors->median), isMany ? "90th percentile" : "largest",
                                wholePercent(isMany ? errors->p90 : errors->largest),
                                counted(errors->n, "server"));
        }
    }
    if (found.inferred > 0) {
        more += fmt::format(" Settings of {} were inferred.", counted(found.inferred, "server"));
    }
    return more;
}

std::string outsideWords(const NearestServers& found, std::span<const JudgedServer* const> judged,
                         const ServerPoint& point) {
    const std::vector<ServerAxis>& outside = found.outside;
    if (outside.empty()) {
        return "no measured servers to compare with";
    }
    if (found.isTogether) {
        std::vector<std::string> names;
        std::ranges::transform(outside, std::back_inserter(names), axisName);
        return "no server like this was measured: the nearest differ in " + listed(names);
    }
    std::string words = "no server ";
    for (std::size_t i = 0; i < outside.size(); ++i) {
        words += i == 0 ? "" : i + 1 == outside.size() ? " or " : ", ";
        words += axisWords(outside[i], judged, point);
    }
    return words + " was measured";
}

} // namespace loadline
