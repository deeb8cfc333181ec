// Sessions or a trace to the figure of their caches.
#include "app/cache/cache_shown.h"

#include <utility>

namespace loadline::app {
namespace {

Result<CacheRequests> requestsOfTrace(const std::string& trace, SubAgents agents, const std::stop_token& stop,
                                      PageProgress& progress) {
    const std::vector<std::string> paths{trace};
    const Result<CacheFiles> found = cacheFilesIn(paths, stop);
    if (!found) {
        return found.error();
    }
    if (found->traces.empty()) {
        return Error{"there is no request trace", trace,
                     "a trace (Mooncake, kv-cache-tester, Qwen-Bailian), an archive or a folder of them"};
    }
    return cacheRequestsIn(*found, {}, stop, progress.reading, agents);
}

} // namespace

CacheShown cacheOf(const Scoped& scoped, const std::string& trace, SubAgents agents,
                   const std::stop_token& stop, PageProgress& progress) {
    CacheShown shown{trace.empty() ? scoped : nullptr, trace, nullptr, std::nullopt, agents};
    CacheRequests requests;
    if (trace.empty()) {
        requests = cacheRequestsOf(scoped->corpus, scoped->selection, sessionBlockTokens, stop, agents);
    } else {
        Result<CacheRequests> read = requestsOfTrace(trace, agents, stop, progress);
        if (!read) {
            shown.error = read.error();
            return shown;
        }
        requests = std::move(*read);
    }
    shown.figure =
        std::make_shared<const CacheFigure>(cacheFigureOf(std::move(requests), 0, stop, progress.counting));
    return shown;
}

std::shared_ptr<const NamedRequests> requestsShown(const CacheShown& shown, const std::string& session,
                                                   const std::string& chain) {
    NamedRequests named;
    if (shown.scoped) {
        if (const auto index = sessionShown(*shown.scoped, session)) {
            const std::vector<Session>& sessions = shown.scoped->corpus->sessions;
            SessionIndex chosen = *index;
            named.requests = requestPartsOf(*shown.figure, chosen);
            const auto busiest = busiestMainSession(*shown.figure);
            if (named.requests.empty() && busiest && sessions[chosen].key != session) { // nobody chose it
                chosen = *busiest;
                named.requests = requestPartsOf(*shown.figure, chosen);
            }
            const Session& which = sessions[chosen];
            named.key = which.key;
            named.name = which.title.empty() ? which.sessionId : which.title;
        }
    } else if (const auto index = chainShown(shown.figure->requests.trace, chain)) {
        named.key = named.name = shown.figure->requests.trace.chains[*index].id;
        named.requests = requestPartsOf(shown.figure->requests.trace, *index);
    }
    return std::make_shared<const NamedRequests>(std::move(named));
}

} // namespace loadline::app
