// The charts of caches: of sessions, or of the trace that --trace names.
#include "app/chart/cache_chart.h"

#include "app/cache/cache_shown.h"
#include "app/chart/session_chart.h"
#include "app/choices/cache_choices.h"
#include "ui/chart/cache/cache_drawings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace loadline::app {
namespace {

/// "; 8 x H100 SXM; llama-3.3-70b, 2 bytes a value, TP 1", as far as the chart depends on them.
std::string settingsWords(const ChartRequest& request) {
    const CacheSettings settings = cacheSettings(request.choices);
    const auto matters = [&](const ChoiceSpec& spec) {
        return std::ranges::find(request.chart->choices, &spec) != request.chart->choices.end();
    };
    std::string text;
    if (matters(choices::tiers.spec)) {
        text += fmt::format("; {}", nodeOf(settings).name);
    }
    if (matters(choices::cacheModel.spec)) {
        text += "; " + settings.model;
    }
    if (matters(choices::kvBytesPerValue.spec)) {
        text += fmt::format(", {:g} bytes a value", settings.bytesPerValue);
        text += settings.tensorParallel ? fmt::format(", TP {}", *settings.tensorParallel)
                                        : std::string(); // else it follows from what is shown
    }
    return text;
}

/// Of the sessions, in scope; of a trace its file's name; and what is set.
std::string cacheCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    const std::string trace = traceOf(request.choices);
    const std::string settings =
        (request.choices[choices::subAgents] ? "; sub-agents counted" : "") + settingsWords(request);
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
std::shared_ptr<const CacheShown> countedFor(const Scoped& scoped, const Choices& choices,
                                             ChartMemory* memory) {
    const std::string trace = traceOf(choices);
    const SubAgents agents = subAgentsOf(choices);
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
    const auto counted = countedFor(scoped, request.choices, memory);
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
                     traceOf(request.choices), "a trace with hash_ids, or sessions"};
    }
    if (const Replicas replicas = replicasOf(cacheSettings(request.choices)); !problemOf(replicas).empty()) {
        return Error{problemOf(replicas), fmt::format("--tp {}", replicas.tensorParallel),
                     fmt::format("--tp that divides {:g} GPUs", replicas.gpus)};
    }
    std::string session = request.choices[choices::session];
    if (scoped && !session.empty()) {
        const Result<std::string> key = sessionKey(*scoped->corpus, session);
        if (!key) {
            return key.error();
        }
        session = *key;
    }
    const std::string chain = request.choices[choices::chain];
    const std::vector<BlockChain>& chains = shown.figure->requests.trace.chains;
    if (!scoped && !chain.empty() && std::ranges::find(chains, chain, &BlockChain::id) == chains.end()) {
        return Error{"the trace has no conversation of this id", chain, "one that it names, or none"};
    }
    return std::shared_ptr<const ui::Drawing>(
        ui::drawingOf(chart, shown.figure, cacheSettings(request.choices, shown.figure.get()),
                      requestsShown(shown, session, chain)));
}

template <ui::CacheChart chart>
ChartSpec specOfCache(std::string_view key, std::string_view description, const ChoiceSpecs& more) {
    ChoiceSpecs all = {&choices::trace.spec, &choices::subAgents.spec};
    all.insert(all.end(), more.begin(), more.end());
    return {.key = key,
            .description = description,
            .subject = ChartSubject::Cache,
            .caption = cacheCaption,
            .choices = std::move(all),
            .draw = drawCache<chart>,
            .title = [] { return ui::titleOf(chart); }};
}

} // namespace

QString cachePageSentence(const ChartRequest& base, const std::shared_ptr<const Corpus>& /*corpus*/,
                          const ChartMemory& drawn) {
    return drawn.cache && drawn.cache->figure
               ? cachePageSentence(*drawn.cache->figure,
                                   cacheSettings(base.choices, drawn.cache->figure.get()))
               : QString();
}

QString cachePageSentence(const CacheFigure& figure, const CacheSettings& settings) {
    return QString::fromStdString(cacheSentence(figure, settings) + " " + leftOutSentence(figure.requests))
        .trimmed();
}

namespace charts {

const ChartSpec cacheTiers = specOfCache<ui::CacheChart::Tiers>(
    "cache-tiers", "capacity, hits, time to first token and cost of each tier of a node",
    {&choices::cacheModel.spec, &choices::kvBytesPerValue.spec, &choices::bytesPerWeight.spec,
     &choices::tensorParallel.spec, &choices::tiers.spec});
const ChartSpec cacheCapacity = specOfCache<ui::CacheChart::Capacity>(
    "cache-capacity", "misses of an engine's cache by its capacity, with the tiers of a node",
    {&choices::lruCount.spec, &choices::cacheModel.spec, &choices::kvBytesPerValue.spec,
     &choices::bytesPerWeight.spec, &choices::tensorParallel.spec, &choices::tiers.spec});
const ChartSpec cacheTtl = specOfCache<ui::CacheChart::Ttl>(
    "cache-ttl", "hits of an unlimited cache by its time to live, and the gaps between requests",
    {&choices::ttlS.spec});
const ChartSpec cacheUsers = specOfCache<ui::CacheChart::Shared>(
    "cache-users", "hits of an engine's cache that sessions share, by its capacity",
    {&choices::cacheModel.spec, &choices::kvBytesPerValue.spec, &choices::bytesPerWeight.spec,
     &choices::tensorParallel.spec, &choices::tiers.spec});
const ChartSpec cacheRequests = specOfCache<ui::CacheChart::Requests>(
    "cache-requests", "cached, new and output tokens of a session's requests, with prefix breaks",
    {&choices::session.spec, &choices::chain.spec});
const ChartSpec cacheSplit = specOfCache<ui::CacheChart::Split>(
    "cache-split", "GPUs of prefill and decode before and after reuse",
    {&choices::split.spec, &choices::ttlS.spec, &choices::cacheModel.spec, &choices::kvBytesPerValue.spec,
     &choices::bytesPerWeight.spec, &choices::tensorParallel.spec, &choices::tiers.spec});

} // namespace charts
} // namespace loadline::app
