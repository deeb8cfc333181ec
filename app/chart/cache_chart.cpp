// The charts of caches: of sessions, or of the trace that --trace names.
#include "app/chart/cache_chart.h"

#include "app/asked/asked.h"
#include "app/cache/cache_shown.h"
#include "app/chart/session_chart.h"
#include "ui/chart/cache/cache_drawings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace loadline::app {
namespace {

/// "; 8 x H100 SXM; llama-3.3-70b, 2 bytes a value, TP 1", as far as the chart depends on them.
std::string settingsWords(const ChartRequest& request) {
    const CacheSettings settings = settingsOf(request.asked.cache);
    const auto matters = [&](std::string_view key) {
        return std::ranges::find(request.chart->fields, key) != request.chart->fields.end();
    };
    std::string text;
    if (matters("tiers")) {
        text += fmt::format("; {}", nodeOf(settings).name);
    }
    if (matters("cache-model")) {
        text += "; " + settings.model;
    }
    if (matters("kv-bytes")) {
        text += fmt::format(", {:g} bytes a value", settings.bytesPerValue);
        text += settings.tensorParallel ? fmt::format(", TP {}", *settings.tensorParallel)
                                        : std::string(); // else it follows from what is shown
    }
    return text;
}

/// Returns the caption: the scope of the sessions, or the name of the trace's file; then the settings.
std::string cacheCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    const std::string trace = request.asked.cache.shownTrace();
    const std::string settings =
        (request.asked.cache.subAgents ? "; sub-agents counted" : "") + settingsWords(request);
    if (trace.empty()) {
        return scopeCaption(request, corpus) + settings;
    }
    const std::filesystem::path path(trace);
    return "trace " + (path.has_filename() ? path.filename() : path.parent_path().filename()).string() +
           settings;
}

bool isOfSame(const Scoped& a, const Scoped& b) {
    return a == b || (a && b && a->corpus == b->corpus && a->scope == b->scope && a->method == b->method);
}

/// Counted once for all charts of a page.
std::shared_ptr<const CacheShown> countedFor(const Scoped& scoped, const CacheQuestion& asked,
                                             ChartMemory* memory) {
    const std::string trace = asked.shownTrace();
    const SubAgents agents = asked.agents();
    if (memory != nullptr && memory->cache && memory->cache->trace == trace &&
        memory->cache->agents == agents &&
        isOfSame(memory->cache->scoped, trace.empty() ? scoped : nullptr)) {
        return memory->cache;
    }
    PageProgress unseen;
    const std::stop_token stop = memory != nullptr ? memory->stop : std::stop_token();
    auto counted = std::make_shared<const CacheShown>(cacheOf(scoped, trace, agents, stop, unseen));
    if (memory != nullptr) {
        memory->cache = counted;
    }
    return counted;
}

template <ui::CacheChart chart>
ChartDrawing drawCache(const ChartRequest& request, const std::shared_ptr<const ScopedCorpus>& scoped,
                       ChartMemory* memory) {
    const auto counted = countedFor(scoped, request.asked.cache, memory);
    const CacheShown& shown = *counted;
    if (memory != nullptr && memory->stop.stop_requested()) {
        return stoppedError();
    }
    if (shown.error) {
        return *shown.error;
    }
    if (shown.figure->input().n == 0 && shown.figure->subAgentRequests() > 0) {
        return Error{fmt::format("no main agent made an API call here: all {} are of sub-agents, which "
                                 "--sub-agents counts",
                                 shown.figure->subAgentRequests()),
                     "", "--sub-agents, sessions with their main agents, or a request trace"};
    }
    if (chart != ui::CacheChart::Tiers && shown.figure->caches.blockTokens == 0) {
        return Error{"what prompts share is not told: the trace holds lengths alone",
                     request.asked.cache.shownTrace(), "a trace with hash_ids, or sessions"};
    }
    if (const Replicas replicas = replicasOf(settingsOf(request.asked.cache)); !problemOf(replicas).empty()) {
        return Error{problemOf(replicas), fmt::format("--tp {}", replicas.tensorParallel),
                     fmt::format("--tp that divides {:g} GPUs", replicas.gpus)};
    }
    std::string session = request.asked.sessions.session;
    if (scoped && !session.empty()) {
        const Result<std::string> key = sessionKey(*scoped->corpus, session);
        if (!key) {
            return key.error();
        }
        session = *key;
    }
    const std::string chain = request.asked.cache.chain;
    const std::vector<BlockChain>& chains = shown.figure->requests.trace.chains;
    if (!scoped && !chain.empty() && std::ranges::find(chains, chain, &BlockChain::id) == chains.end()) {
        return Error{"the trace has no conversation of this id", chain, "one that it names, or none"};
    }
    return std::shared_ptr<const ui::Drawing>(
        ui::drawingOf(chart, shown.figure, settingsOf(request.asked.cache, shown.figure->longestTurn()),
                      requestsShown(shown, session, chain)));
}

template <ui::CacheChart chart>
ChartSpec specOfCache(std::string_view key, std::string_view description, const FieldKeys& more) {
    FieldKeys all = {"trace", "sub-agents"};
    all.insert(all.end(), more.begin(), more.end());
    return {.key = key,
            .description = description,
            .subject = ChartSubject::Cache,
            .caption = cacheCaption,
            .fields = std::move(all),
            .draw = drawCache<chart>,
            .title = [] { return ui::titleOf(chart); }};
}

} // namespace

QString cachePageSentence(const ChartRequest& base, const std::shared_ptr<const Corpus>& /*corpus*/,
                          const ChartMemory& drawn) {
    return drawn.cache && drawn.cache->figure
               ? cachePageSentence(*drawn.cache->figure,
                                   settingsOf(base.asked.cache, drawn.cache->figure->longestTurn()))
               : QString();
}

QString cachePageSentence(const CacheFigure& figure, const CacheSettings& settings) {
    return QString::fromStdString(cacheSentence(figure, settings) + " " + leftOutSentence(figure.requests))
        .trimmed();
}

namespace charts {

const ChartSpec cacheTiers = specOfCache<ui::CacheChart::Tiers>(
    "cache-tiers", "capacity, hits, time to first token and cost of each tier of a node",
    {"cache-model", "kv-bytes", "weight-bytes", "tp", "tiers"});
const ChartSpec cacheCapacity = specOfCache<ui::CacheChart::Capacity>(
    "cache-capacity", "misses of an engine's cache by its capacity, with the tiers of a node",
    {"lru", "cache-model", "kv-bytes", "weight-bytes", "tp", "tiers"});
const ChartSpec cacheTtl = specOfCache<ui::CacheChart::Ttl>(
    "cache-ttl", "hits of an unlimited cache by its time to live, and the gaps between requests", {"ttl-s"});
const ChartSpec cacheUsers = specOfCache<ui::CacheChart::Shared>(
    "cache-users", "hits of an engine's cache that sessions share, by its capacity",
    {"cache-model", "kv-bytes", "weight-bytes", "tp", "tiers"});
const ChartSpec cacheRequests = specOfCache<ui::CacheChart::Requests>(
    "cache-requests", "cached, new and output tokens of a session's requests, with prefix breaks",
    {"show", "chain"});
const ChartSpec cacheSplit = specOfCache<ui::CacheChart::Split>(
    "cache-split", "GPUs of prefill and decode before and after reuse",
    {"split", "ttl-s", "cache-model", "kv-bytes", "weight-bytes", "tp", "tiers"});

} // namespace charts
} // namespace loadline::app
