// The text of `loadline cache`.
#include "app/cli/cache/cache_document.h"
#include "app/cli/cache/cache_split.h"
#include "app/cli/cache/tier_answer.h"
#include "core/text/text_table.h"
#include "core/cache/figure/cache_words.h"
#include "core/cache/provider/call_before.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline::app {
namespace {

constexpr std::size_t mostShown = 20;

std::string ratioText(double ratio) {
    return std::isinf(ratio) ? "nothing new" : fmt::format("{:.1f}", ratio);
}

/// `leastHits`, `leastOutput`: hits, outputs are lower bounds.
std::string compositionLine(const char* name, const TokenShares& shares, bool leastHits, bool leastOutput) {
    const std::string output = formatShare(shares.output);
    return fmt::format("  {:<17} cached {}, new input {}{}, output {}\n", name,
                       leastCell(shares.cached, leastHits), leastHits ? "\u2264 " : "",
                       formatShare(shares.newInput),
                       !leastOutput              ? output
                       : output.starts_with('<') ? output + " recorded, may be more"
                                                 : "\u2265 " + output);
}

std::string secondsLine(const char* name, const RealSummary& summary) {
    if (summary.n == 0) {
        return "";
    }
    return fmt::format("{}: median {}, mean {}, 90 % within {}, 99 % within {}\n", name,
                       formatSeconds(summary.p50), formatSeconds(summary.mean), formatSeconds(summary.p90),
                       formatSeconds(summary.p99));
}

std::string tokensLine(const char* name, const RealSummary& summary) {
    if (summary.n == 0) {
        return "";
    }
    return fmt::format("{}: median {}, mean {}, 90 % up to {}, largest {}\n", name, formatCount(summary.p50),
                       formatCount(summary.mean), formatCount(summary.p90), formatCount(summary.max));
}

/// The calls that the figures leave out; "" where there are none.
std::string subAgentsText(std::uint64_t calls, const char* what, std::optional<double> hitRate, bool breaks) {
    return calls == 0 ? std::string()
                      : fmt::format("Not counted{}: {} of sub-agents, hit rate {}.\n",
                                    breaks ? " but for prefix breaks" : "", counted(calls, what),
                                    hitRate ? formatShare(*hitRate) : "not recorded");
}

std::string headText(const CacheAnswer& answer) {
    if (answer.provider) {
        const ProviderFigures& provider = *answer.provider;
        return fmt::format(
            "{} of main agents{} in {}: {}\n{}", counted(provider.input.n, "API call"),
            answer.trace.agentsCounted > 0 ? " and sub-agents" : "",
            counted(provider.mainSessions, "session"),
            provider.recordsCache() ? "the provider's cache, as usage records tell it"
                                    : "usage records that tell of no cache",
            subAgentsText(provider.subAgentCalls, "API call",
                          provider.recordsCache() ? std::optional(provider.subAgentHitRate) : std::nullopt,
                          true));
    }
    std::string formats;
    for (const std::string& format : answer.files->formats) {
        formats += (formats.empty() ? "" : ", ") + format;
    }
    const TraceFigures& trace = answer.trace;
    const PrefixReuse& agents = trace.unlimitedOfSubAgents;
    return fmt::format(
        "{} ({}), {}: {}\n{}", counted(trace.unlimited.requests, "request"), formats,
        counted(trace.mainChains - trace.agentsCounted, trace.conversations ? "conversation" : "trace") +
            (trace.agentsCounted > 0 ? " and " + counted(trace.agentsCounted, "sub-agent") : ""),
        trace.blockTokens > 0
            ? fmt::format("{} references to {} blocks of {} tokens",
                          formatExact(static_cast<std::int64_t>(trace.unlimited.references)),
                          formatExact(static_cast<std::int64_t>(trace.unlimited.uniqueBlocks)),
                          trace.blockTokens)
            : "lengths alone, no blocks",
        subAgentsText(agents.requests, "request", agents.share(agents.consecutive.blocks), false));
}

/// The answer, as the window has it.
std::string answerText(const CacheAnswer& answer) {
    const TierQuestion& asked = answer.question.tiers;
    if (!answer.tellsReuse() || answer.trace.blockTokens == 0) {
        return "";
    }
    const TierAnswer tiers = tierAnswerOf(answer);
    const CacheSharing& sharing = tiers.sharing;
    if (!tiers.fit.fits()) {
        return doesNotFitSentence(asked.serving.layout.model->key, tiers.fit) + "\n";
    }
    const std::string times = timesSentence(sharing);
    return sharingHeadline(sharing, asked.tiers, asked.serving.layout, answer.trace.blockTokens) +
           (answer.asked || times.empty() ? "" : " " + times) + "\n";
}

std::string notesText(const CacheAnswer& answer) {
    std::string text;
    for (const std::string& note : answer.notes()) {
        text += "Note: " + visibleText(note) + (answer.provider ? ".\n" : "\n");
    }
    return text;
}

/// "the provider's cache", and of which sessions where some record none.
std::string providerWords(const ProviderFigures& provider) {
    constexpr const char* words = "the provider's cache";
    return provider.sessionsWithoutCache == 0
               ? words
               : fmt::format("{}, without {} of {} whose logs record none", words,
                             provider.sessionsWithoutCache, counted(provider.mainSessions, "session"));
}

std::string overallText(const CacheAnswer& answer) {
    const PrefixReuse& reuse = answer.trace.unlimited;
    const bool provider = answer.ofProvider();
    const bool leastOutput = answer.leastOutputs();
    const bool leastHits = answer.leastHitRate();
    if (!answer.tellsReuse()) {
        return "What prompts share is not told, so no figure of a cache follows. A trace with blocks "
               "(Mooncake, "
               "kv-cache-tester, Qwen-Bailian) tells it; 'loadline simulate --workload FILE' serves "
               "lengths.\n" +
               tokensLine("Input of a request", reuse.input);
    }
    const CompositionRow* row = provider ? &answer.provider->composition : nullptr;
    std::string text = fmt::format("Composition ({}):\n", provider          ? providerWords(*answer.provider)
                                                          : answer.provider ? "unlimited cache, estimated"
                                                                            : "unlimited cache");
    text += compositionLine("token-weighted", provider ? row->tokenWeighted : reuse.tokenWeighted, leastHits,
                            leastOutput);
    text += compositionLine("mean per request", provider ? row->meanPerRequest : reuse.meanPerRequest,
                            leastHits, leastOutput);
    text += fmt::format("Cached tokens per new input token: {}{}\n", leastWord(leastHits),
                        ratioText(provider ? answer.provider->readWriteRatio() : reuse.readWriteRatio()));
    text += tokensLine("Input of a request", provider ? answer.provider->input : reuse.input);
    text += tokensLine("Held by a session", provider ? answer.provider->heldTokens : reuse.heldTokens);
    text += secondsLine("From one request of a session to the next",
                        provider ? answer.provider->gapS : reuse.gapS);
    return text;
}

/// Up to the first that changes nothing any more.
std::vector<std::int64_t> capacitiesThatMatter(const CacheAnswer& answer, const CapacityCurve& curve) {
    std::vector<std::int64_t> capacities;
    for (const std::int64_t capacity : answer.question.capacitiesBlocks) {
        capacities.push_back(capacity);
        if (static_cast<std::uint64_t>(capacity) >= curve.hits.size()) {
            break;
        }
    }
    return capacities;
}

std::string blocksText(const CacheAnswer& answer) {
    const TraceFigures& trace = answer.trace;
    if (trace.blockTokens == 0) {
        return "";
    }
    std::string text = answer.provider
                           ? fmt::format("\nBlocks of {} tokens, estimated from usage:\n", trace.blockTokens)
                           : "\n";
    const auto high = [&](auto shareOf) {
        return trace.most ? std::optional(shareOf(*trace.most)) : std::nullopt;
    };
    const auto unlimited = [](const TraceFigures& of) {
        return of.unlimited.share(of.unlimited.prefix.blocks);
    };
    text += fmt::format("Unlimited cache: {} of the blocks hit as a prefix\n",
                        wordsOfEnds({unlimited(trace), high(unlimited), answer.provider.has_value()}));
    for (const std::int64_t ttl : answer.question.ttlsS) {
        const auto seconds = static_cast<double>(ttl);
        const auto kept = [&](const TraceFigures& of) { return of.ttlHit(seconds); };
        text += fmt::format("  forgotten after {}: {}\n", formatSeconds(seconds),
                            wordsOfEnds({kept(trace), high(kept), trace.leastHits}));
    }
    TextTable table{{{"Capacity, blocks", true},
                     {"LRU front to back", true},
                     {"back to front", true},
                     {"contiguous", true}},
                    {}};
    for (const std::int64_t capacity : capacitiesThatMatter(answer, trace.engine.fwd)) {
        const auto c = static_cast<std::uint64_t>(capacity);
        table.rows.push_back({formatExact(capacity), leastCell(trace.engine.fwd.hit(c), trace.leastHits),
                              leastCell(trace.engine.rev.hit(c), trace.leastHits),
                              leastCell(trace.engine.contiguousBlocks.hit(c), trace.leastHits)});
    }
    const char* const whose = trace.conversations && trace.agentsCounted > 0
                                  ? ", one for each session and sub-agent"
                              : trace.conversations  ? ", one for each session"
                              : trace.mainChains > 1 ? ", one for each trace"
                                                     : "";
    return text + "An engine's cache" + whose + ":\n" + alignedText(std::move(table));
}

std::string sharedText(const CacheAnswer& answer) {
    if (answer.trace.shared.empty()) {
        return "";
    }
    const std::vector<std::int64_t> capacities =
        capacitiesThatMatter(answer, answer.trace.shared.back().contiguous);
    TextTable table{{{"Sessions", true}}, {}};
    for (const std::int64_t capacity : capacities) {
        table.columns.push_back({formatCount(static_cast<double>(capacity)), true});
    }
    for (const SharedCurve& curve : answer.trace.shared) {
        std::vector<std::string> row = {formatExact(static_cast<std::int64_t>(curve.sessions))};
        for (const std::int64_t capacity : capacities) {
            row.push_back(leastCell(curve.contiguous.hit(static_cast<std::uint64_t>(capacity)),
                                    answer.trace.leastHits));
        }
        table.rows.push_back(std::move(row));
    }
    if (answer.trace.active.recorded) {
        std::vector<std::string> row = {"as recorded"};
        for (const std::int64_t capacity : capacities) {
            row.push_back(leastCell(answer.trace.dealtTo(1).hit(static_cast<std::uint64_t>(capacity)),
                                    answer.trace.leastHits));
        }
        table.rows.push_back(std::move(row));
    }
    return "\nAn engine's cache that sessions share, which begin at once, by blocks of capacity. " +
           sharersWords(answer.trace) + "\n" + alignedText(std::move(table));
}

std::string breaksText(const CacheAnswer& answer) {
    if (!answer.provider) {
        return "";
    }
    if (!answer.ofProvider()) {
        return "\nPrefix breaks: not recorded.\n";
    }
    const std::vector<PrefixBreak>& breaks = answer.provider->breaks;
    const std::string missing = wordsOfMissingParents(answer.provider->callsWithoutParent);
    std::string text = fmt::format("\n{}.\n{}.\n{}", wordsOf(totalsOf(breaks)), breakRule(),
                                   missing.empty() ? "" : missing + ".\n");
    for (std::size_t i = 0; i < std::min(breaks.size(), mostShown); ++i) {
        const PrefixBreak& one = breaks[i];
        text += fmt::format("  {}  {} tokens, {}: {}\n    {}:{}\n", formatIso8601(one.time),
                            formatCount(static_cast<double>(one.paidAgain)), describe(one.cause()),
                            visibleText(one.reasons.front().evidence),
                            visibleText(answer.corpus->files[one.file].file->path), one.place.line);
    }
    if (breaks.size() > mostShown) {
        text += fmt::format("  and {} more (--json lists them all)\n", breaks.size() - mostShown);
    }
    return text;
}

std::string oddText(const CacheAnswer& answer) {
    std::string text;
    if (!answer.files) {
        return text;
    }
    const std::vector<TraceFileDiagnostic>& all = answer.files->diagnostics;
    text += all.empty() ? "" : "\nOdd in the data:\n";
    for (std::size_t i = 0; i < std::min(all.size(), mostShown); ++i) {
        text += fmt::format("  {}: {}\n", visibleText(all[i].path), visibleText(all[i].what));
    }
    if (all.size() > mostShown) {
        text += fmt::format("  and {} more (--json lists them all)\n", all.size() - mostShown);
    }
    return text;
}

} // namespace

std::string cacheText(const CacheAnswer& answer) {
    return headText(answer) + answerText(answer) + notesText(answer) + overallText(answer) +
           blocksText(answer) + sharedText(answer) + "\n" +
           (answer.tellsReuse() ? splitText(answer) : std::string()) + tierText(answer) + breaksText(answer) +
           oddText(answer) +
           (answer.incomplete().empty() ? "" : "\n" + visibleText(answer.incomplete()) + ".\n");
}

} // namespace loadline::app
