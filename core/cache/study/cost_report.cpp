// GPUs that hit rates free, cost of tokens, and context moved out of the prompt.
#include "core/cache/study/report_parts.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline::ask {
namespace {

using Columns = std::vector<Column>;
using FreedOf = std::function<const FreedGpus&(std::size_t row)>;
using CostOf = std::function<const TokenCost&(std::size_t row)>;
using Price = std::optional<double>;

Columns splitColumns(const FreedOf& of, const SplitFleet& fleet) {
    const auto column = [&of](const char* key, double PrefillDecodeSplit::*value, const char* title = "") {
        return columnAt(
            key, [of, value](std::size_t row) { return of(row).split.*value; }, title);
    };
    Columns columns = {column("prefill_work_left", &PrefillDecodeSplit::workLeft),
                       column("gpus_freed", &PrefillDecodeSplit::gpusFreed, "GPUs freed"),
                       column("speed_up", &PrefillDecodeSplit::speedUp, "Throughput"),
                       column("bound", &PrefillDecodeSplit::bound),
                       column("prefill_gpus", &PrefillDecodeSplit::prefillGpus),
                       column("decode_gpus", &PrefillDecodeSplit::decodeGpus)};
    columns[1].words = [of, &fleet](std::size_t row) { return wordsOfFreed(fleet, of(row).hit); };
    columns[2].words = [of](std::size_t row) {
        const double times = of(row).split.speedUp;
        return std::isfinite(times) ? fmt::format("{:.3f} times", times) : "no work is left";
    };
    return columns;
}

/// A hit rate, `more` of it, and what it frees.
Columns freedColumns(const FreedOf& of, const SplitFleet& fleet, Column more) {
    Columns columns = {
        columnAt(
            "hit_rate", [of](std::size_t row) { return of(row).hit.low; }, "Hit rate", Form::Share),
        std::move(more), columnAt("at_least", [of](std::size_t row) { return of(row).hit.least; }),
        columnAt("hit_rate_if_unchanged", [of](std::size_t row) { return of(row).hit.high; })};
    columns[0].words = [of](std::size_t row) { return wordsOfEnds(of(row).hit); };
    std::ranges::move(splitColumns(of, fleet), std::back_inserter(columns));
    return columns;
}

/// In GPU-seconds, and in dollars where there is a price; people see one of both.
void addBoth(Columns& columns, const std::string& key, const std::string& title, const Price& gpuHour,
             const std::function<std::optional<double>(std::size_t row)>& gpuS) {
    const auto usd = [gpuS, gpuHour](std::size_t row) {
        const std::optional<double> of = gpuS(row);
        return of && gpuHour ? Cell(dollarsOf(*of, *gpuHour)) : Cell();
    };
    const std::string name = title.empty() ? title : title + ", GPU s";
    columns.push_back(groupOf(key));
    columns.push_back(columnAt(key + ".gpu_s", gpuS, gpuHour ? "" : name));
    columns.push_back(columnAt(key + ".usd", usd, gpuHour ? title : "", Form::Usd));
}

Columns costColumns(const CostOf& of, const Price& gpuHour) {
    Columns columns;
    const auto both = [&](const char* key, auto value, const char* title = "") {
        addBoth(columns, key, title, gpuHour,
                [of, value](std::size_t row) -> std::optional<double> { return of(row).*value; });
    };
    const auto one = [&](const char* key, double TokenCost::*value) {
        columns.push_back(columnAt(key, [of, value](std::size_t row) { return of(row).*value; }));
    };
    both("per_million.input", &TokenCost::perMillionUncached, "Uncached input");
    both("per_million.cached", &TokenCost::perMillionCached, "Cached input");
    both("per_million.output", &TokenCost::perMillionOutput, "Output");
    both("per_million.all", &TokenCost::perMillionTokens, "All");
    both("per_request", &TokenCost::perRequest);
    columns.push_back(columnAt("tokens_per_usd", [of, gpuHour](std::size_t row) {
        const double dollars = gpuHour ? dollarsOf(of(row).perMillionTokens, *gpuHour) : 0;
        return dollars > 0 ? Cell(1e6 / dollars) : Cell();
    }));
    one("request_gpu_s.compute", &TokenCost::computeGpuS);
    one("request_gpu_s.load", &TokenCost::loadGpuS);
    one("request_gpu_s.decode", &TokenCost::decodeGpuS);
    one("request_gpu_s.idle", &TokenCost::idleGpuS);
    one("balanced_prefill_share", &TokenCost::balancedShare);
    return columns;
}

/// Returns the mark before a mean cost of all tokens. Longer outputs raise or lower the mean; more hits lower
/// it. If the two oppose each other, the cost has no bound: "~".
std::string boundOf(const RequestCost& one, bool leastOutput) {
    const bool raises = one.cost.perMillionOutput.value_or(0) >= one.cost.perMillionTokens;
    return !leastOutput              ? (one.leastHits ? "\u2264 " : "")
           : raises && one.leastHits ? "~ "
           : raises                  ? "\u2265 "
                                     : "\u2264 ";
}

void addToldCosts(Report& report, const CacheAnswer& all, const TierAnswer& answer) {
    const auto& costs = answer.costs;
    const double batch = answer.serving.batch;
    Columns columns = costColumns([&costs](std::size_t row) -> const TokenCost& { return costs[row].cost; },
                                  all.machine.gpuHour);
    for (Column& column : columns) {
        if (column.key.starts_with("per_million.all.")) {
            column.words = [&costs, least = all.leastOutputs(), at = column.at, form = column.form](
                               auto row) { return boundOf(costs[row], least) + wordsOf(at(row), form); };
        }
    }
    columns.insert(columns.begin(),
                   columnOf(costs, "name", "A million tokens cost", &RequestCost::name, Form::Text));
    report.add({},
               fmt::format("The mean request on its own, {:g} {} decoding together", batch,
                           batch == 1 ? "sequence" : "sequences"),
               costs.size(), std::move(columns));
}

/// Null, and false, where it was not counted.
bool addCost(Report& report, const TierAnswer& answer, const char* key, const Price& price) {
    const std::string path = std::string("token_cost.") + key;
    const auto found = std::ranges::find(answer.costs, key, &RequestCost::key);
    if (found == answer.costs.end()) {
        report.add(path, Cell());
        return false;
    }
    report.addRow(path, costColumns([&](std::size_t) -> const TokenCost& { return found->cost; }, price));
    return true;
}

/// Two rows: the mean request before and after the move.
Columns stateColumns(const MoveOutFigure& figure) {
    const auto column = [&figure](const char* key, double MoveOutState::*value, const char* title,
                                  Form form) {
        const auto at = [&figure, value](std::size_t row) {
            return (row == 0 ? figure.before : figure.after).*value;
        };
        return columnAt(key, at, title, form);
    };
    return {column("input", &MoveOutState::input, "Prompt", Form::Tokens),
            column("cached", &MoveOutState::cached, "of it cached", Form::Tokens),
            column("hit_rate", &MoveOutState::hitRate, "Hit rate", Form::Share),
            column("held_gb_per_session", &MoveOutState::heldGB, "KV of a session", Form::Gigabytes),
            column("held_gb", &MoveOutState::allHeldGB, "of all", Form::Gigabytes),
            column("prefill_work_left", &MoveOutState::workLeft, "Work of prompts", Form::Share),
            column("kv_read_gb_per_s", &MoveOutState::kvReadGBs, "KV read, GB/s", Form::Plain)};
}

} // namespace

void addSplit(Report& report, const CacheAnswer& answer, const CacheQuestion& question) {
    const SplitFleet& fleet = question.fleet;
    const SplitAnswer& split = answer.split;
    const bool tells = answer.caches().blockTokens > 0 && !fleet.hitRate;
    const std::string path = "prefill_decode_split";
    const FreedOf lines = [&split](std::size_t row) -> const FreedGpus& {
        return row == 0 ? split.answered : row == 1 ? split.limit : split.counted;
    };
    const FreedOf within = [&split](std::size_t row) -> const FreedGpus& { return split.within[row]; };
    const FreedOf models = [&split](std::size_t row) -> const FreedGpus& { return split.withAttention[row]; };
    const Columns columns = freedColumns(
        lines, fleet,
        columnAt(
            "hit_rate_of", [lines](std::size_t row) { return lines(row).of; }, "of", Form::Text));
    const Below below(report, path);
    below.add("gpus", fleet.gpus);
    below.add("prefill", fleet.prefillShare);
    below.add("hit_rate", split.counted.hit.low);
    below.add("hit_rate_of", fleet.hitRate                 ? "typed"
                             : answer.figure->ofProvider() ? "provider"
                                                           : "unlimited");
    below.add("mean_input_tokens", split.meanInput);
    report.addRow(path + ".answer", columns, 0);
    below.add("hit_rate_at_least", split.counted.hit.least);
    report.addRow(path + ".linear", splitColumns(lines, fleet), 2);
    Columns attention = splitColumns(models, fleet);
    attention.insert(attention.begin(),
                     columnAt("model", [models](std::size_t row) { return models(row).of; }));
    report.add(path + ".with_attention", {}, split.withAttention.size(), std::move(attention));
    if (answer.tiers) {
        report.add({},
                   fmt::format("Prefill and decode: of {:g} GPUs, {} of their time prefill", fleet.gpus,
                               formatShare(fleet.prefillShare)),
                   tells ? 3 : 2, columns);
    }
    Columns kept = freedColumns(
        within, fleet,
        columnAt(
            "hit_rate_blocks",
            [within](std::size_t row) { return boundCell(within(row).hitBlocks, within(row).hit.least); },
            "of blocks", Form::Share));
    kept.insert(kept.begin(), columnOf(question.ttlsS, "ttl_s", "Kept", std::identity(), Form::Seconds));
    report.add(path + ".within_ttl_and_tiers", tells ? "Kept for a time in the tiers" : "",
               split.within.size(), std::move(kept), Shape::MapRows);
    report.addRow(path + ".limit", splitColumns(lines, fleet), 1);
}

void addCosts(Report& report, const CacheAnswer& all, const CacheQuestion& question) {
    if (!all.tiers || !all.tiers->fit.fits()) { // what does not run serves nothing
        report.add("token_cost", Cell());
        return;
    }
    const TierAnswer& answer = *all.tiers;
    const Price& price = all.machine.gpuHour;
    const auto& moves = answer.moves;
    const Below below(report, "token_cost");
    below.add("gpu_hour_usd", price);
    below.add("request.input", answer.request.input);
    below.add("request.hit_rate", answer.request.hitRate);
    below.add("request.hit_rate_at_least", all.leastHitRate());
    below.add("request.output", answer.request.output);
    below.add("request.output_at_least", all.leastOutputs());
    below.add("cached_in", answer.kept ? Cell(answer.serving.tier.name) : Cell());
    addCost(report, answer, "with_reuse", price);
    addCost(report, answer, "without_reuse", price);
    if (addCost(report, answer, "with_tiers", price)) {
        below.add("with_tiers.hit_rate", answer.hitOfTokens());
        below.add("with_tiers.hit_rate_at_least", answer.sharing.leastHits);
    }
    if (addCost(report, answer, "with_reuse_fixed_split", price)) {
        below.add("with_reuse_fixed_split.prefill_share", question.fleet.prefillShare);
    }
    addToldCosts(report, all, answer);
    Columns columns =
        costColumns([&moves](std::size_t row) -> const TokenCost& { return moves[row].cost; }, price);
    columns.insert(columns.begin(), {columnOf(moves, "what", "One thing moved", &CostMove::what, Form::Text),
                                     columnOf(moves, "to", "to", &CostMove::to, Form::Text)});
    report.add("token_cost.moves", "The same with one thing moved", moves.size(), std::move(columns));
}

void addMoveOut(Report& report, const CacheAnswer& all) {
    if (!all.tiers || !all.tiers->moveOut) {
        report.add("move_out", Cell());
        return;
    }
    const MoveOut& asked = *all.machine.moveOut;
    const MoveOutFigure& figure = *all.tiers->moveOut;
    const CacheTier& tier = all.machine.tiers[all.machine.moveOutTo];
    const bool isShown = all.tiers->fit.fits();
    Columns states = stateColumns(figure);
    const Below below(report, "move_out");
    below.add("share", asked.share);
    below.add("index", asked.index);
    below.add("fetched", asked.fetched);
    below.add("kind", keyOf(asked.kind));
    below.add("bytes_per_token", asked.bytesPerToken);
    below.add("tier", tier.name);
    report.addRow("move_out.before", states, 0);
    report.addRow("move_out.after", states, 1);
    if (isShown) {
        states.insert(states.begin(),
                      columnAt(
                          "state", [](std::size_t row) { return row == 0 ? "before" : "after"; },
                          "With and without", Form::Text));
        report.add(
            {},
            fmt::format("With {} tokens of the prompt moved to {}. What this does to answers is not in it",
                        formatCount(figure.movedTokens), tier.name),
            2, std::move(states));
    }
    below.add("moved_tokens", figure.movedTokens);
    below.add("fetched_tokens_per_request", figure.fetchedTokens);
    below.add("read_bytes_per_request", figure.readBytes, isShown ? "read by a request from there" : "",
              Form::Bytes);
    below.add("read_gb_per_s", figure.readGBs);
    below.add("share_of_bandwidth", figure.bandwidthShare,
              isShown ? "of its bandwidth, for all sessions" : "", Form::Share);
    below.add("read_s", figure.readS, isShown ? "a request waits for it" : "", Form::Seconds);
    below.add("sessions_per_gb_times", figure.sessionsPerGB);
}

} // namespace loadline::ask
