// Tiers, costs and what is moved out, in the text of `loadline cache`.
#include "app/cli/cache/tier_answer.h"
#include "core/text/text_table.h"
#include "core/cache/figure/cache_words.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline::app {
namespace {

std::string gbText(double gb) {
    return formatBytes(static_cast<std::uint64_t>(gb * 1e9));
}

std::string costText(const std::optional<double>& gpuS, const std::optional<double>& gpuHour) {
    return !gpuS     ? "–"
           : gpuHour ? formatReal(dollarsOf(*gpuS, *gpuHour), 3) + " USD"
                     : fmt::format("{} GPU s", formatReal(*gpuS, 3));
}

std::string tiersText(const CacheAnswer& all, const TierAnswer& answer) {
    const TierQuestion& question = all.question.tiers;
    const bool blocks = all.trace.blockTokens > 0;
    TextTable table{{{"Tier"},
                     {"Capacity", true},
                     {"Tokens", true},
                     {"Sessions", true},
                     {"Block hits", true},
                     {"Loading pays", true},
                     {"First token", true},
                     {"A million cached", true}},
                    {}};
    for (std::size_t i = 0; i < question.tiers.size(); ++i) {
        const TierRow& row = answer.rows[i];
        if (isListed(question.tiers, i)) {
            table.rows.push_back(
                {question.tiers[i].name, gbText(row.hits.own.gb), formatCount(row.hits.own.tokens),
                 answer.heldTokens.n > 0 ? formatExact(static_cast<std::int64_t>(row.sessions)) : "–",
                 blocks ? cellOfEnds(answer.ends(&TierHits::hit, i)) : "–",
                 wordsOfBreakEven(row.paysFromTokens),
                 cellOfTimes(row.time.ttftS,
                             answer.most.empty() ? std::nullopt : std::optional(answer.most[i].time.ttftS),
                             answer.ends(&TierHits::hitTokensUpToHere, i)),
                 costText(row.cost.perMillionCached, question.gpuHour)});
        }
    }
    table.rows.push_back(
        {"computed again", "", "", "",
         blocks ? cellOfAgain(answer.ends(&TierHits::hitUpToHere, answer.rows.size() - 1)) : "–", "",
         formatSeconds(answer.rows.back().time.recomputeS),
         costText(answer.withoutReuse.perMillionUncached, question.gpuHour)});
    return alignedText(std::move(table)) +
           (answer.heldTokens.n > 0
                ? "Sessions: of the upper tenth, held at once by a tier and those before it.\n"
                : "") +
           (blocks ? fmt::format("First token: of the mean request ({} tokens), with what hits in a tier and "
                                 "those before it.\n",
                                 formatCount(answer.request.input))
                   : "");
}

/// "8 x H100 SXM"; "4 GPUs as those of 8 x H100 SXM"
std::string machineWords(const TierQuestion& question) {
    const CacheNode& node = *question.node;
    return question.replicas.gpus == node.gpus
               ? std::string(node.name)
               : fmt::format("{} as those of {}",
                             counted(static_cast<std::uint64_t>(question.replicas.gpus), "GPU"), node.name);
}

std::string headOfTiers(const CacheAnswer& all, const TierAnswer& answer) {
    const ServingSetup& serving = answer.serving;
    const Replicas& replicas = all.question.tiers.replicas;
    const std::string routing = all.trace.blockTokens > 0 ? routingWords(answer.sharing) : "";
    const std::string published = wordsOf(all.question.tiers.published);
    return fmt::format("\nOn {} with {} ({} a token), an engine's cache (LRU, looked up before it is "
                       "touched) of {}{}; {} of {}, each with the weights ({}{}), its "
                       "share of all tiers and of their bandwidth; {:g} TFLOP/s a GPU at {} compute, {}:\n",
                       machineWords(all.question.tiers), serving.layout.model->key,
                       formatBytes(static_cast<std::uint64_t>(serving.layout.bytesPerToken())),
                       all.trace.blockTokens > 0 ? wordsOf(answer.sharing) : "unknown blocks",
                       routing.empty() ? routing : ", " + routing,
                       counted(static_cast<std::uint64_t>(replicas.count()), "replica"),
                       counted(static_cast<std::uint64_t>(replicas.tensorParallel), "GPU"),
                       gbText(weightsGB(*serving.layout.model, serving.bytesPerWeight)),
                       published.empty() ? published : ": " + published, serving.compute.peakTflops,
                       formatShare(serving.compute.mfu),
                       serving.compute.fixedS > 0
                           ? fmt::format("and {} a prompt", formatSeconds(serving.compute.fixedS))
                           : std::string("nothing is added for launches"));
}

std::string restingText(const CacheAnswer& all, const TierAnswer& answer) {
    std::string text;
    for (const auto& [gap, held, found] : answer.resting) {
        if (std::string_view(held) == "p50") {
            text += fmt::format(
                "{} {} ({}): {}\n",
                text.empty() ? fmt::format("The session in the middle ({} tokens), one of {:g}, rests",
                                           formatCount(found.heldTokens), answer.sessions)
                             : "  and",
                formatSeconds(found.gapS), gap,
                found.tier ? all.question.tiers.tiers[*found.tier].name : "its blocks are gone");
        }
    }
    return text;
}

std::string costsTable(const CacheAnswer& all, const TierAnswer& answer) {
    const std::optional<double>& price = all.question.tiers.gpuHour;
    TextTable table{{{"A million tokens cost"},
                     {"Uncached input", true},
                     {"Cached input", true},
                     {"Output", true},
                     {"All", true}},
                    {}};
    const bool leastOutput = all.leastOutputs();
    // Longer outputs raise the mean, or lower it; more hits lower it. Where they oppose each other nothing
    // bounds it.
    const auto mark = [&](const TokenCost& cost, bool leastHits) {
        const bool raises = cost.perMillionOutput.value_or(0) >= cost.perMillionTokens;
        return !leastOutput          ? std::string(leastHits ? "\u2264 " : "")
               : raises && leastHits ? std::string("~ ")
               : raises              ? std::string("\u2265 ")
                                     : std::string("\u2264 ");
    };
    const auto add = [&](std::string name, const TokenCost& cost, bool leastHits) {
        table.rows.push_back({std::move(name), costText(cost.perMillionUncached, price),
                              costText(cost.perMillionCached, price), costText(cost.perMillionOutput, price),
                              mark(cost, leastHits) + costText(cost.perMillionTokens, price)});
    };
    if (answer.fromTiers) {
        const Ends hits = answer.ends(&TierHits::hitTokensUpToHere, answer.rows.size() - 1);
        add(fmt::format("with the tiers' hits, {} of tokens", leastCell(hits.low, hits.least)),
            *answer.fromTiers, hits.least);
        if (isRange(hits)) {
            add(fmt::format("  if up to {} hit", formatShare(*hits.high)), *answer.fromMost, false);
        }
    }
    add(fmt::format("with {} {} {}", leastCell(answer.request.hitRate, all.leastHitRate()),
                    answer.kept ? "from" : "were there room in", answer.serving.tier.name),
        answer.cost, all.leastHitRate());
    add("without reuse", answer.withoutReuse, false);
    if (answer.fixedSplit) {
        add(fmt::format("with reuse, {} of the GPUs for prompts",
                        formatShare(all.question.fleet.prefillShare)),
            *answer.fixedSplit, all.leastHitRate());
    }
    for (const CostMove& move : answer.moves) { // tiers stand in their own table, "--split" in its row
        if (move.what == "hit rate" && move.to != "0") {
            add("  " + move.what + " " + move.to, move.cost, false);
        }
    }
    return fmt::format("\nThe mean request on its own, {:g} {} decoding together:\n", answer.serving.batch,
                       answer.serving.batch == 1 ? "sequence" : "sequences") +
           alignedText(std::move(table));
}

std::string doesNotFitText(const CacheAnswer& all, const TierAnswer& answer) {
    const TierQuestion& question = all.question.tiers;
    return fmt::format("\n{} On {}: {}. Try another node, --tp, more GPUs in --tiers, or --weight-bytes.\n",
                       doesNotFitSentence(question.serving.layout.model->key, answer.fit),
                       question.node->name, needsOf(answer.fit, question.replicas));
}

std::string moveOutText(const CacheAnswer& all, const TierAnswer& answer) {
    if (!answer.moveOut) {
        return "";
    }
    const MoveOutFigure& figure = *answer.moveOut;
    const CacheTier& tier = all.question.tiers.tiers[all.question.tiers.moveOutTo];
    return fmt::format(
        "\nWith {} tokens of the prompt moved to {}: prompt {} to {}, hit rate {} to {}, work of prompts {} "
        "to "
        "{} of the whole, KV of a session {} to {}.\n"
        "  A request reads {} from {} ({} of its bandwidth for all sessions) and waits {} for it. What this "
        "does to answers is not in it.\n",
        formatCount(figure.movedTokens), tier.name, formatCount(figure.before.input),
        formatCount(figure.after.input), formatShare(figure.before.hitRate),
        formatShare(figure.after.hitRate), formatShare(figure.before.workLeft),
        formatShare(figure.after.workLeft), gbText(figure.before.heldGB), gbText(figure.after.heldGB),
        formatBytes(static_cast<std::uint64_t>(figure.readBytes)), tier.name,
        formatShare(figure.bandwidthShare), formatSeconds(figure.readS));
}

} // namespace

std::string tierText(const CacheAnswer& all) {
    if (!all.tellsReuse()) {
        return "";
    }
    const TierAnswer answer = tierAnswerOf(all);
    if (!answer.fit.fits()) {
        return doesNotFitText(all, answer);
    }
    return headOfTiers(all, answer) + tiersText(all, answer) + restingText(all, answer) +
           costsTable(all, answer) + moveOutText(all, answer);
}

} // namespace loadline::app
