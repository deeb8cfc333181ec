// One request after the other.
#include "core/cache/figure/request_parts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace loadline {
namespace {

using Place = std::tuple<FileIndex, RecordPlace>;

std::map<Place, const PrefixBreak*> breaksOf(const ProviderFigures& provider, SessionIndex session) {
    std::map<Place, const PrefixBreak*> breaks;
    for (const PrefixBreak& one : provider.breaks) {
        if (one.session == session) {
            breaks.emplace(Place(one.file, one.place), &one);
        }
    }
    return breaks;
}

} // namespace

std::vector<RequestParts> requestPartsOf(const CacheFigure& figure, SessionIndex session) {
    std::vector<RequestParts> requests;
    const auto breaks = breaksOf(*figure.requests.provider, session);
    TimeMs first = unknownTime;
    Compactions compactions(*figure.requests.corpus);
    for (const LaneCalls& lane : figure.requests.lanes) {
        if (lane.session != session || !isMain(lane)) {
            continue;
        }
        std::map<ModelIndex, const LaneCall*> before;
        for (const LaneCall& call : lane.calls) {
            if (call.place.inherited) {
                continue;
            }
            const LaneCall*& last = before[call.call->model];
            const Usage& usage = call.call->usage;
            const Tokens cached = lane.recordsCache ? usage.cacheRead
                                  : last == nullptr ? 0
                                                    : sharedByGrowth(*last, call, compactions);
            last = &call;
            first = isKnown(first) ? first : call.start;
            const auto lost = breaks.find(Place(call.place.file, call.copy->place));
            requests.push_back({.startS = isKnown(call.start) && isKnown(first)
                                              ? secondsBetween(first, call.start)
                                          : requests.empty() ? 0
                                                             : requests.back().startS,
                                .time = call.start,
                                .cached = cached,
                                .newInput = usage.context() - cached,
                                .output = usage.output,
                                .lost = lost == breaks.end() ? nullptr : lost->second});
        }
    }
    return requests;
}

std::optional<SessionIndex> busiestMainSession(const CacheFigure& figure) {
    std::map<SessionIndex, Tokens> tokens;
    for (const LaneCalls& lane : figure.requests.lanes) {
        for (const LaneCall& call : lane.calls) {
            if (isMain(lane) && !call.place.inherited) {
                tokens[lane.session] += call.call->usage.context() + call.call->usage.output;
            }
        }
    }
    const auto most = std::ranges::max_element(tokens, {}, [](const auto& one) { return one.second; });
    return most == tokens.end() ? std::nullopt : std::optional(most->first);
}

std::vector<RequestParts> requestPartsOf(const BlockTrace& trace, std::size_t chain) {
    std::vector<RequestParts> result;
    const BlockChain& which = trace.chains[chain];
    std::vector<std::uint8_t> seen(trace.blocksOfScope[which.scope]);
    for (const BlockRequest& request : trace.requestsOf(which)) {
        const auto added = trace.addedBy(request);
        const auto fresh = std::ranges::find_if(added, [&](std::uint32_t block) { return seen[block] == 0; });
        const auto cached = static_cast<Tokens>(request.shared + (fresh - added.begin())) * trace.blockTokens;
        for (const std::uint32_t block : added) {
            seen[block] = 1;
        }
        result.push_back({.startS = request.startS,
                          .cached = std::min(cached, request.input),
                          .newInput = request.input - std::min(cached, request.input),
                          .output = request.output});
    }
    return result;
}

std::optional<std::size_t> chainShown(const BlockTrace& trace, std::string_view id) {
    std::optional<std::size_t> longest;
    Tokens most = -1;
    for (std::size_t i = 0; i < trace.chains.size(); ++i) {
        const BlockChain& chain = trace.chains[i];
        if (chain.id == id) {
            return i;
        }
        Tokens tokens = 0;
        for (const BlockRequest& request : trace.requestsOf(chain)) {
            tokens += request.input;
        }
        if (!chain.subAgent && tokens > most) {
            most = tokens;
            longest = i;
        }
    }
    return longest;
}

} // namespace loadline
