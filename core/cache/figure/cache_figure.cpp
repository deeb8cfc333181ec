// From what caches are asked for to what they hit.
#include "core/cache/figure/cache_figure.h"

#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace loadline {
namespace {

std::string sourceOf(const CacheRequests& requests, const TraceFigures& caches) {
    if (requests.provider) {
        return counted(requests.provider->mainLanes, "main lane");
    }
    std::string formats;
    for (const std::string& format : requests.files->formats) {
        formats += (formats.empty() ? "" : ", ") + format;
    }
    const std::string chains =
        caches.conversations ? " in " + counted(caches.mainChains, "conversation") : std::string();
    return fmt::format("{}: {}{}", formats, counted(caches.unlimited.requests, "request"), chains);
}

} // namespace

ShareWithin::ShareWithin(std::span<const WeightedSample::Part> sorted, std::uint64_t of) {
    std::uint64_t within = 0;
    for (const WeightedSample::Part& part : sorted) {
        within += part.count;
        upTo_.push_back({part.value, static_cast<double>(within) / static_cast<double>(of)});
    }
}

double ShareWithin::at(double seconds) const {
    const auto after = std::ranges::upper_bound(upTo_, seconds, {}, &Part::seconds);
    return after == upTo_.begin() ? 0 : std::prev(after)->share;
}

bool tellsBlocks(const CacheFigure& figure) {
    return figure.caches.blockTokens > 0 && figure.caches.unlimited.references > 0;
}

double cachedShareOf(const std::optional<ProviderFigures>& provider, const PrefixReuse& unlimited) {
    if (provider && provider->recordsCache()) {
        return provider->composition.hitRate;
    }
    return unlimited.inputTokens == 0 ? 0
                                      : static_cast<double>(unlimited.consecutive.tokens) /
                                            static_cast<double>(unlimited.inputTokens);
}

double CacheFigure::hitRate() const {
    return cachedShareOf(requests.provider, caches.unlimited);
}

const RealSummary& CacheFigure::input() const {
    return ofSessions() ? requests.provider->input : caches.unlimited.input;
}

const RealSummary& CacheFigure::output() const {
    return ofSessions() ? requests.provider->output : caches.unlimited.output;
}

double CacheFigure::servedOutput() const {
    return ofSessions() ? requests.provider->servedOutput : caches.unlimited.output.mean;
}

const RealSummary& CacheFigure::heldTokens() const {
    return ofSessions() ? requests.provider->heldTokens : caches.unlimited.heldTokens;
}

const RealSummary& CacheFigure::gapS() const {
    return ofSessions() ? requests.provider->gapS : caches.unlimited.gapS;
}

const std::vector<WeightedSample::Part>& CacheFigure::gapsS() const {
    return ofSessions() ? requests.provider->gapsS : caches.unlimited.gapsS;
}

double CacheFigure::longestTurn() const {
    return input().max + output().max;
}

std::uint64_t CacheFigure::subAgentRequests() const {
    return ofSessions() ? requests.provider->subAgentCalls : caches.unlimitedOfSubAgents.requests;
}

CacheFigure cacheFigureOf(CacheRequests requests, unsigned threads, const std::stop_token& stop,
                          WorkProgress& progress, std::span<const std::size_t> replicas) {
    CacheFigure figure;
    figure.caches = figuresOfRequests(requests, threads, stop, progress, replicas);
    figure.requests = std::move(requests);
    if (!figure.caches.most) {
        figure.requests.most.reset();
    }
    if (!stop.stop_requested()) {
        const PrefixReuse& unlimited = figure.caches.unlimited;
        figure.ages = ShareWithin(figure.caches.agesS, unlimited.references);
        figure.gaps = ShareWithin(figure.gapsS(), figure.gapS().n);
        figure.source = sourceOf(figure.requests, figure.caches);
    }
    return figure;
}

} // namespace loadline
