// A model on a machine: what serves, what each tier holds and hits, where sessions rest.
#include "core/cache/study/report_parts.h"
#include "core/cache/tier/load_or_recompute.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>

namespace loadline::ask {
namespace {

std::string gbText(double gb) {
    return wordsOf(Cell(gb), Form::Gigabytes);
}

Cell textOrNone(std::string text) {
    return text.empty() ? Cell() : Cell(std::move(text));
}

/// "8 x H100 SXM"; "4 GPUs as those of 8 x H100 SXM"
std::string machineWords(const TierQuestion& machine) {
    return machine.replicas.gpus == machine.node->gpus
               ? std::string(machine.node->name)
               : fmt::format("{} as those of {}",
                             counted(static_cast<std::uint64_t>(machine.replicas.gpus), "GPU"),
                             machine.node->name);
}

void addServing(Report& report, const TierQuestion& machine, const TierAnswer& answer) {
    const ServingSetup& serving = answer.serving;
    const CacheModel& model = *serving.layout.model;
    const std::string published = wordsOf(machine.published);
    const std::string weights =
        gbText(weightsGB(model, serving.bytesPerWeight)) + (published.empty() ? "" : ": " + published);
    const Below below(report, "tiers.serving");
    report.add({}, machineWords(machine), "machine", Form::Text);
    below.add("model", model.key, "model");
    below.add("model_source", model.source);
    below.add("experts", model.experts);
    below.add("experts_per_token", model.expertsPerToken);
    below.add("experts_source", textOrNone(std::string(model.expertsSource)));
    below.add("tensor_parallel", serving.layout.tensorParallel, "GPUs of a replica");
    below.add("bytes_per_kv_value", serving.layout.bytesPerValue);
    below.add("bytes_per_token", serving.layout.bytesPerToken(), "KV cache of a token", Form::Bytes);
    below.add("bytes_per_weight", serving.bytesPerWeight);
    below.add("weights_published", machine.published.source.empty() ? Cell() : Cell(published),
              "weights of a replica", Form::Text, weights);
    below.add("node", machine.node->key);
    below.add("gpu", machine.node->hardware);
    below.add("gpus", machine.replicas.gpus);
    below.add("replicas", machine.replicas.count(), "replicas, each with its share of all tiers");
    below.add("peak_tflops", serving.compute.peakTflops, "TFLOP/s of a GPU");
    below.add("mfu", serving.compute.mfu, "of it, reached by prompts", Form::Share);
    below.add("prefill_t0_s", serving.compute.fixedS, "added to a prompt for launches", Form::Seconds,
              serving.compute.fixedS > 0 ? "" : "nothing");
    below.add("gpu_bandwidth_gb_per_s", serving.gpuBandwidthGBs);
    below.add("bandwidth_share", serving.bandwidthShare);
    below.add("batch", serving.batch, "sequences that decode together");
    below.add("sessions", answer.sessions);
}

void addSharing(Report& report, const CacheAnswer& all, const CacheSharing& sharing) {
    const Below below(report, "tiers.sharing");
    report.add("tiers.hits_of", all.caches().blockTokens > 0 ? Cell(wordsOf(sharing)) : Cell(),
               "an engine's cache (LRU, looked up before it is touched) of");
    below.add("kind", keyOf(sharing.kind));
    below.add("sessions", sharing.sessions);
    below.add("at_once", sharing.atOnce);
    below.add("replicas", sharing.replicas);
    below.add("routing", textOrNone(routingWords(sharing)), "routing");
    below.add("asked", all.machine.sessions);
    below.add("at_least", sharing.leastHits);
}

std::vector<Column> tierColumns(const CacheAnswer& all) {
    const TierAnswer& answer = *all.tiers;
    const auto& tiers = all.machine.tiers;
    const auto& rows = answer.rows;
    const bool fits = answer.fit.fits(); // what does not run serves nothing
    const bool hit = fits && all.caches().blockTokens > 0;
    const bool held = answer.heldTokens.n > 0;
    const auto layoutAt = [&](std::size_t i) { return layoutIn(all.machine.serving.layout, tiers[i]); };
    const auto known = [](bool isKnown, auto read) {
        return [isKnown, read](std::size_t i) { return isKnown ? Cell(read(i)) : Cell(); };
    };
    const auto hits = [&](double TierHits::*share) {
        return known(hit, [&rows, share](std::size_t i) { return rows[i].hits.*share; });
    };
    const auto mostHits = [&](double TierHits::*share) {
        return known(fits && !answer.most.empty(),
                     [&answer, share](std::size_t i) { return answer.most[i].hits.*share; });
    };
    const auto sessions = [&](double tokens) {
        return known(fits, [&tiers, layoutAt, tokens](std::size_t i) {
            return readingOf(tiers[i].capacityGB, layoutAt(i), tokens).sessions;
        });
    };
    const auto time = [&](double PromptTime::*part) {
        return known(fits, [&rows, part](std::size_t i) { return rows[i].time.*part; });
    };
    Column ownHits = columnAt("hit", hits(&TierHits::hit), "Block hits", Form::Share,
                              "Of the references to blocks, found in this tier and in none before it");
    Column pays =
        columnAt("pays_from_tokens", known(fits, [&](std::size_t i) { return rows[i].paysFromTokens; }),
                 "Loading pays", Form::Tokens,
                 "Prompts from which on loading their blocks takes less time than computing them");
    const auto& price = all.machine.gpuHour;
    Column cached = columnAt("cached_gpu_s_per_million",
                             known(fits, [&](std::size_t i) { return rows[i].cost.perMillionCached; }),
                             price ? "A million cached" : "A million cached, GPU s", Form::Plain,
                             "Cost of a million tokens, if all that hits up to here were loaded from here");
    if (price) {
        cached.words = [&rows, fits, price](std::size_t i) {
            const auto& gpuS = rows[i].cost.perMillionCached;
            return wordsOf(fits && gpuS ? Cell(dollarsOf(*gpuS, *price)) : Cell(), Form::Usd);
        };
    }
    Column first = columnAt("ttft_s", time(&PromptTime::ttftS), "First token", Form::Seconds,
                            "Of the mean request, with what hits in the tier and those before it");
    if (hit) {
        ownHits.words = [&](std::size_t i) { return cellOfEnds(answer.ends(&TierHits::hit, i)); };
    }
    pays.words = [&](std::size_t i) { return wordsOfBreakEven(rows[i].paysFromTokens); };
    first.words = [&](std::size_t i) {
        return cellOfTimes(rows[i].time.ttftS,
                           answer.most.empty() ? std::nullopt : std::optional(answer.most[i].time.ttftS),
                           answer.ends(&TierHits::hitTokensUpToHere, i));
    };
    return {
        columnAt(
            "name", [&](std::size_t i) { return tiers[i].name; }, "Tier", Form::Text),
        columnAt(
            "capacity_gb", [&](std::size_t i) { return tiers[i].capacityGB; }, "Capacity", Form::Gigabytes),
        columnAt("bandwidth_gb_per_s", [&](std::size_t i) { return tiers[i].bandwidthGBs; }),
        columnAt("latency_us", [&](std::size_t i) { return tiers[i].latencyUs; }),
        columnAt("source", [&](std::size_t i) { return tiers[i].source; }),
        columnAt("on_gpu", [&](std::size_t i) { return tiers[i].onGpu; }),
        columnAt("bytes_per_token", [layoutAt](std::size_t i) { return layoutAt(i).bytesPerToken(); }),
        columnAt(
            "capacity_tokens", [&](std::size_t i) { return rows[i].hits.own.tokens; }, "Tokens",
            Form::Tokens),
        groupOf("sessions"),
        columnAt("sessions.p50", sessions(answer.heldTokens.p50)),
        columnAt("sessions.p90", sessions(answer.heldTokens.p90)),
        columnAt("sessions.p99", sessions(answer.heldTokens.p99)),
        columnAt("sessions_up_to_here", known(fits, [&](std::size_t i) { return rows[i].sessions; }),
                 held ? "Sessions" : "", Form::Whole,
                 "Sessions of the upper tenth that the tier and those before it hold at once"),
        columnAt("up_to_here.gb", [&](std::size_t i) { return rows[i].hits.upToHere.gb; }),
        columnAt("up_to_here.tokens", [&](std::size_t i) { return rows[i].hits.upToHere.tokens; }),
        std::move(ownHits),
        columnAt("hit_up_to_here", hits(&TierHits::hitUpToHere)),
        columnAt("hit_tokens", hits(&TierHits::hitTokens)),
        columnAt("hit_tokens_up_to_here", hits(&TierHits::hitTokensUpToHere)),
        columnAt("hit_up_to_here_if_unchanged", mostHits(&TierHits::hitUpToHere)),
        columnAt("hit_tokens_up_to_here_if_unchanged", mostHits(&TierHits::hitTokensUpToHere)),
        columnAt("ttft_s_if_unchanged", known(fits && !answer.most.empty(),
                                              [&](std::size_t i) { return answer.most[i].time.ttftS; })),
        std::move(pays),
        columnAt("load_s", time(&PromptTime::loadS)),
        std::move(first),
        std::move(cached)};
}

/// For people: the tiers that a table lists.
void addListed(Report& report, const CacheTiers& tiers, std::vector<Column> columns) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        if (isListed(tiers, i)) {
            rows.push_back(i);
        }
    }
    for (Column& column : columns) {
        column.at = [rows, at = column.at](std::size_t row) { return at(rows[row]); };
        if (column.words) {
            column.words = [rows, words = column.words](std::size_t row) { return words(rows[row]); };
        }
    }
    report.add({}, "Tiers", rows.size(), std::move(columns));
}

void addResting(Report& report, const CacheTiers& tiers, const TierAnswer& answer) {
    using Resting = TierAnswer::Resting;
    const auto& rows = answer.resting;
    const auto tier = [&](std::size_t row) {
        const auto& found = rows[row].found.tier;
        return found ? Cell(tiers[*found].name) : Cell();
    };
    Column where = columnAt("tier", tier, "Tier", Form::Text);
    where.words = [&rows, &tiers](std::size_t row) {
        const auto& found = rows[row].found.tier;
        return found ? tiers[*found].name : std::string("its blocks are gone");
    };
    report.add("tiers.resting_sessions",
               answer.fit.fits()
                   ? fmt::format("Where a session, one of {:g}, rests until it comes back", answer.sessions)
                   : "",
               rows.size(),
               {columnOf(rows, "gap", "Pause", &Resting::gap, Form::Text),
                columnAt(
                    "gap_s", [&](std::size_t row) { return rows[row].found.gapS; }, "Rests", Form::Seconds),
                columnOf(rows, "held", "Held", &Resting::held, Form::Text),
                columnAt(
                    "held_tokens", [&](std::size_t row) { return rows[row].found.heldTokens; }, "Tokens",
                    Form::Tokens),
                columnAt(
                    "touched_gb", [&](std::size_t row) { return rows[row].found.gb; }, "Touched meanwhile",
                    Form::Gigabytes),
                std::move(where)});
}

void addBreakEven(Report& report, const ServingSetup& serving) {
    static constexpr std::array<int, 4> prompts = {1024, 8192, 32'768, 131'072};
    const auto bandwidth = [&](int tokens) { return breakEvenGBs(serving.layout, serving.compute, tokens); };
    report.add(
        "tiers.break_even_gb_per_s", {}, prompts.size(),
        {columnOf(prompts, "tokens", "", std::identity()), columnOf(prompts, "gb_per_s", "", bandwidth)},
        Shape::Map);
}

} // namespace

void addTiers(Report& report, const CacheAnswer& all) {
    if (!all.tiers) {
        report.add("tiers", Cell());
        return;
    }
    const TierAnswer& answer = *all.tiers;
    const bool hasBlocks = all.caches().blockTokens > 0;
    const bool hits = answer.fit.fits() && hasBlocks;
    const PromptTime& time = answer.rows.back().time;
    report.add("tiers.text", textOf(all.machine.tiers));
    addServing(report, all.machine, answer);
    addSharing(report, all, answer.sharing);
    const std::vector<Column> columns = tierColumns(all);
    report.add("tiers.tiers", {}, answer.rows.size(), columns);
    report.add("tiers.recomputed_at_most", answer.sharing.leastHits);
    if (answer.fit.fits()) {
        addListed(report, all.machine.tiers, columns);
    }
    report.add("tiers.recomputed", hits ? Cell(1 - answer.rows.back().hits.hitUpToHere) : Cell(),
               "computed again, of the blocks", Form::Share,
               hits ? cellOfAgain(answer.ends(&TierHits::hitUpToHere, answer.rows.size() - 1)) : "");
    report.add("tiers.recomputed_tokens", hits ? Cell(1 - answer.hitOfTokens()) : Cell());
    addBreakEven(report, answer.serving);
    const Below prompt(report, "tiers.prompt");
    prompt.add("tokens", answer.request.input, "tokens of the mean request", Form::Tokens);
    prompt.add("cached_tokens",
               answer.request.input * (hasBlocks ? answer.hitOfTokens() : answer.request.hitRate));
    prompt.add("compute_s", time.computeS);
    prompt.add("recompute_s", time.recomputeS, answer.fit.fits() ? "its first token, all computed again" : "",
               Form::Seconds);
    addResting(report, all.machine.tiers, answer);
    report.add("tiers.weights_fit", answer.fit.fits());
    report.add("tiers.needs_gb", answer.fit.needsGB());
    report.add("tiers.of_gb", answer.fit.hasGB);
}

} // namespace loadline::ask
