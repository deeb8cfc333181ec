// Tiers, costs and what is moved out, in the text of `loadline cache`.
#include "app/cli/cache/tier_answer.h"
#include "app/cli/terminal/text_table.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline::app {
namespace {

std::string gbText(double gb) {
    return formatBytes(static_cast<std::uint64_t>(gb * 1e9));
}

/// A prefix of one token is any prefix.
std::string paysFrom(const std::optional<double>& tokens) {
    return !tokens ? "never" : *tokens > 1 ? "from " + formatCount(*tokens) + " tokens" : "always";
}

std::string tiersTable(const CacheAnswer& all, const TierAnswer& answer) {
    const TierQuestion& question = all.question.tiers;
    const bool blocks = all.trace.blockTokens > 0;
    TextTable table{{{"Tier"},
                     {"Capacity", true},
                     {"Tokens", true},
                     {"Median sessions", true},
                     {"Hits", true},
                     {"Loading pays", true},
                     {"First token", true}},
                    {}};
    for (std::size_t i = 0; i < question.tiers.size(); ++i) {
        const TierHits& hits = answer.hits[i];
        table.rows.push_back({question.tiers[i].name, gbText(hits.own.gb), formatCount(hits.own.tokens),
                              answer.heldTokens.n > 0 ? formatCount(hits.own.sessions) : "–",
                              blocks ? formatShare(hits.hit) : "–", paysFrom(answer.breakEvens[i]),
                              formatSeconds(answer.times[i].ttftS)});
    }
    table.rows.push_back({"computed again", "", "", "",
                          blocks ? formatShare(1 - answer.hits.back().hitUpToHere) : "–", "",
                          formatSeconds(answer.times.back().recomputeS)});
    return alignedText(std::move(table));
}

std::string headOfTiers(const CacheAnswer& all, const TierAnswer& answer) {
    const ServingSetup& serving = answer.serving;
    const Replicas& replicas = all.question.tiers.replicas;
    return fmt::format(
        "\nOn {} with {} ({} a token), an engine's cache of {}; {} of {}, each with the weights ({}), its "
        "share of all tiers and of their bandwidth; {:g} TFLOP/s a GPU at {} compute, {}:\n",
        all.question.tiers.node->name, serving.layout.model->key,
        formatBytes(static_cast<std::uint64_t>(serving.layout.bytesPerToken())),
        all.trace.blockTokens > 0 ? answer.blocksOf : "unknown blocks",
        counted(static_cast<std::uint64_t>(replicas.count()), "replica"),
        counted(static_cast<std::uint64_t>(replicas.tensorParallel), "GPU"),
        gbText(weightsGB(*serving.layout.model, serving.bytesPerWeight)), serving.compute.peakTflops,
        formatShare(serving.compute.mfu),
        serving.compute.fixedS > 0 ? fmt::format("and {} a prompt", formatSeconds(serving.compute.fixedS))
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

std::string costText(const std::optional<double>& gpuS, const std::optional<double>& gpuHour) {
    return !gpuS     ? "–"
           : gpuHour ? formatReal(dollarsOf(*gpuS, *gpuHour), 3) + " USD"
                     : fmt::format("{} GPU s", formatReal(*gpuS, 3));
}

std::string costsTable(const CacheAnswer& all, const TierAnswer& answer) {
    const std::optional<double>& price = all.question.tiers.gpuHour;
    TextTable table{{{"A million tokens cost"},
                     {"Uncached input", true},
                     {"Cached input", true},
                     {"Output", true},
                     {"All", true}},
                    {}};
    const auto add = [&](std::string name, const TokenCost& cost) {
        table.rows.push_back({std::move(name), costText(cost.perMillionUncached, price),
                              costText(cost.perMillionCached, price), costText(cost.perMillionOutput, price),
                              costText(cost.perMillionTokens, price)});
    };
    add((answer.kept ? "with reuse, from " : "with reuse, were there room in ") + answer.serving.tier.name,
        answer.cost);
    add("without reuse", answer.withoutReuse);
    if (answer.fixedSplit) {
        add(fmt::format("with reuse, {} of the GPUs for prompts",
                        formatShare(all.question.fleet.prefillShare)),
            *answer.fixedSplit);
    }
    for (const CostMove& move : answer.moves) {
        add("  " + move.what + " " + move.to, move.cost);
    }
    return fmt::format("\nThe mean request on its own, {:g} {} decoding together:\n", answer.serving.batch,
                       answer.serving.batch == 1 ? "sequence" : "sequences") +
           alignedText(std::move(table));
}

std::string doesNotFitText(const CacheAnswer& all, const TierAnswer& answer) {
    const ServingSetup& serving = answer.serving;
    const CacheModel& model = *serving.layout.model;
    return fmt::format(
        "\n{} does not fit: its weights ({}, once a replica) leave no room for the mean request in {}, so "
        "nothing has a price; try another node, --tp, more GPUs in --tiers, or --weight-bytes.\n",
        model.key, gbText(weightsGB(model, serving.bytesPerWeight)), all.question.tiers.memory().name);
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
    return headOfTiers(all, answer) + tiersTable(all, answer) + restingText(all, answer) +
           (answer.fits ? costsTable(all, answer) : doesNotFitText(all, answer)) + moveOutText(all, answer);
}

} // namespace loadline::app
