// What differs between two settings, in words and numbers.
#include "core/simulate/study/comparison.h"

#include "core/cost/shapes/shapes_json.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

std::string words(std::int64_t value) {
    return formatExact(value);
}

std::string words(double value) {
    return fmt::format("{:g}", value);
}

std::string words(const std::string& value) {
    return value;
}

std::string words(bool value) {
    return value ? "on" : "off";
}

std::string words(int value) {
    return fmt::format("{}", value);
}

template <typename T>
std::string words(const std::optional<T>& value) {
    return value ? words(*value) : "none";
}

/// Shapes that are given as text have no short name.
std::string shapesWord(const std::string& shapes) {
    return isShapesText(shapes) ? "edited shapes" : shapes;
}

/// Collects what is not equal.
class Differences {
public:
    template <typename T>
    void add(const char* choice, const T& now, const T& pinned) {
        if (now != pinned) {
            list_.push_back({choice, words(now), words(pinned)});
        }
    }

    template <typename T>
    void key(const char* choice, T now, T pinned) {
        if (now != pinned) {
            list_.push_back({choice, std::string(keyOf(now)), std::string(keyOf(pinned))});
        }
    }

    void put(ChoiceDifference difference) { list_.push_back(std::move(difference)); }

    std::vector<ChoiceDifference> take() { return std::move(list_); }

private:
    std::vector<ChoiceDifference> list_;
};

void addAsking(Differences& list, const SimulationRequest& now, const SimulationRequest& pinned) {
    const ArrivalSetup& a = now.arrivals;
    const ArrivalSetup& b = pinned.arrivals;
    list.add("workload", now.workload, pinned.workload);
    if (now.outputs != pinned.outputs) {
        list.put({"outputs", std::string(keyOf(now.outputs)), std::string(keyOf(pinned.outputs))});
    }
    list.key("arrivals", a.kind, b.kind);
    list.add("users", a.users, b.users);
    if (a.kind == ArrivalKind::Poisson || b.kind == ArrivalKind::Poisson) {
        list.add("turns a second", a.ratePerS, b.ratePerS);
    }
    list.key("think time", a.think, b.think);
    if (a.think == ThinkTime::Fixed || b.think == ThinkTime::Fixed) {
        list.add("think seconds", a.thinkS, b.thinkS);
    }
    list.key("turns", a.order, b.order);
}

void addPolicy(Differences& list, const PolicySetup& now, const PolicySetup& pinned) {
    list.key("policy", now.policy, pinned.policy);
    list.add("chunk", now.chunkTokens, pinned.chunkTokens);
    list.add("token budget", now.budgetTokens, pinned.budgetTokens);
    list.add("max sequences", now.maxSeqs, pinned.maxSeqs);
    list.add("KV blocks", now.kvBlocks, pinned.kvBlocks);
    list.add("block size", now.blockTokens, pinned.blockTokens);
    list.add("prefix cache", now.prefixCache, pinned.prefixCache);
    list.add("chunked prefill", now.chunkedPrefill, pinned.chunkedPrefill);
    list.add("asynchronous", now.async, pinned.async);
    list.add("longest request", now.maxModelLen, pinned.maxModelLen);
    list.add("watermark", now.watermark, pinned.watermark);
    list.add("full reservation", now.reserveFullPrompt, pinned.reserveFullPrompt);
    list.add("prefill batch", now.prefillBatch, pinned.prefillBatch);
    list.add("prompt cap", now.fit.promptCap, pinned.fit.promptCap);
    list.add("free prompt", now.fit.freePrompt, pinned.fit.freePrompt);
    if (now.order != pinned.order) {
        const auto name = [](VllmPolicy order) { return order == VllmPolicy::Fcfs ? "fcfs" : "priority"; };
        list.put({"order", name(now.order), name(pinned.order)});
    }
    if (now.version != pinned.version) {
        const auto name = [](VllmVersion version) {
            return version == VllmVersion::Latest      ? "2026-08"
                   : version == VllmVersion::March2026 ? "2026-03"
                                                       : "2025-10";
        };
        list.put({"version", name(now.version), name(pinned.version)});
    }
}

void addCost(Differences& list, const SimulationRequest& now, const SimulationRequest& pinned) {
    list.add("k", now.kBits, pinned.kBits);
    list.add("shapes", shapesWord(now.shapes), shapesWord(pinned.shapes));
    list.add("profile", now.profile, pinned.profile);
    list.add("kernels", now.rule, pinned.rule);
    list.key("counts", now.scope, pinned.scope);
    list.add("host us", now.hostUs, pinned.hostUs);
    list.add("missing kernels modelled", now.modelMissing, pinned.modelMissing);
    for (const Kernel kernel : allKernels) {
        const auto i = static_cast<std::size_t>(kernel);
        if (now.timeScale[i] != pinned.timeScale[i]) {
            list.put({std::string(nameOf(kernel)) + " times", words(now.timeScale[i]),
                      words(pinned.timeScale[i])});
        }
    }
    list.add("iterations", now.length.iterations, pinned.length.iterations);
    list.add("turns answered", now.length.turns, pinned.length.turns);
    list.add("replicas", now.replicas, pinned.replicas);
    list.add("seed", static_cast<std::int64_t>(now.seed), static_cast<std::int64_t>(pinned.seed));
}

std::string sideOf(const std::vector<ChoiceDifference>& differences, std::string ChoiceDifference::*side) {
    constexpr std::size_t most = 2;
    std::vector<ChoiceDifference> said = differences;
    const auto small = [](const ChoiceDifference& d) {
        return d.choice == "users" || d.choice == "replicas" || d.choice == "seed"; // seen without words
    };
    if (!std::all_of(said.begin(), said.end(), small)) {
        std::erase_if(said, small);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(most, said.size()); ++i) {
        text += fmt::format("{}{} {}", i > 0 ? ", " : "", said[i].choice, said[i].*side);
    }
    return said.size() > most ? text + ", \u2026" : text;
}

void addCrossovers(std::vector<Quantity>& list, std::span<const Crossover> crossovers) {
    for (const Crossover& crossover : crossovers) {
        const std::string step = crossover.scope == StepScope::WholeStep ? "_whole_step" : "";
        list.push_back({fmt::format("crossing_k{}{}_users", crossover.kBits, step),
                        crossover.crossings.empty() || crossover.memory.isTooLarge()
                            ? std::nullopt
                            : std::optional(crossover.crossings.front().users)});
    }
}

const Quantity* named(const std::vector<Quantity>& list, const std::string& name) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Quantity& q) { return q.name == name; });
    return found == list.end() ? nullptr : &*found;
}

Cell cellOf(const Quantity* quantity) {
    Cell cell;
    if (quantity != nullptr && quantity->value) {
        cell = *quantity->value;
    }
    return cell;
}

} // namespace

std::vector<ChoiceDifference> differencesOf(const SimulationRequest& now, const SimulationRequest& pinned) {
    Differences list;
    addAsking(list, now, pinned);
    addPolicy(list, now.policy, pinned.policy);
    addCost(list, now, pinned);
    return list.take();
}

std::string sentenceOf(const std::vector<ChoiceDifference>& differences) {
    if (differences.empty()) {
        return "nothing differs";
    }
    std::string text;
    for (const ChoiceDifference& one : differences) {
        text +=
            fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", one.choice, one.now, one.pinned);
    }
    return text;
}

std::string nowNameOf(const std::vector<ChoiceDifference>& differences) {
    return sideOf(differences, &ChoiceDifference::now);
}

std::string pinnedNameOf(const std::vector<ChoiceDifference>& differences) {
    return sideOf(differences, &ChoiceDifference::pinned);
}

std::vector<Quantity> quantitiesOf(const SimulatorFigure& figure) {
    constexpr double msPerS = 1e3;
    const SimulationResult& present = figure.present;
    const bool steps = present.rows.iterations() > 0 && !figure.memory.isTooLarge();
    const auto ifAny = [](bool any, double value) { return any ? std::optional(value) : std::nullopt; };
    const bool firsts = steps && present.ttftS.n > 0;
    const bool mores = steps && present.tpotS.n > 0;
    std::vector<Quantity> list = {{"time_vs_fp16", ifAny(steps, figure.timeVsFp16.value)},
                                  {"ttft_p50_ms", ifAny(firsts, present.ttftS.p50 * msPerS)},
                                  {"ttft_p90_ms", ifAny(firsts, present.ttftS.p90 * msPerS)},
                                  {"tpot_p50_ms", ifAny(mores, present.tpotS.p50 * msPerS)},
                                  {"output_tokens_per_s", ifAny(steps, present.throughputTokensPerS())},
                                  {"decode_only_share", ifAny(steps, present.decodeOnlyFraction())}};
    addCrossovers(list, figure.crossovers);
    return list;
}

std::vector<Quantity> quantitiesOf(std::span<const Crossover> crossovers) {
    std::vector<Quantity> list;
    addCrossovers(list, crossovers);
    return list;
}

Table comparisonTable(const std::vector<Quantity>& now, const std::vector<Quantity>& pinned) {
    std::vector<std::string> names;
    for (const auto* list : {&now, &pinned}) {
        for (const Quantity& quantity : *list) {
            if (std::find(names.begin(), names.end(), quantity.name) == names.end()) {
                names.push_back(quantity.name);
            }
        }
    }
    // A preview knows the crossing of one k, a refined figure those of all: by k nevertheless.
    const auto crossings = std::stable_partition(
        names.begin(), names.end(), [](const std::string& name) { return !name.starts_with("crossing_"); });
    std::sort(crossings, names.end());
    Table table;
    table.columns = {"setting"};
    table.rows = {{std::string("now")}, {std::string("pinned")}, {std::string("difference")}};
    for (const std::string& name : names) {
        const Quantity* a = named(now, name);
        const Quantity* b = named(pinned, name);
        table.columns.push_back(name);
        table.rows[0].push_back(cellOf(a));
        table.rows[1].push_back(cellOf(b));
        Cell difference;
        if (a != nullptr && b != nullptr && a->value && b->value) {
            difference = *a->value - *b->value;
        }
        table.rows[2].push_back(std::move(difference));
    }
    return table;
}

Table joined(const Table& now, const Table& pinned) {
    Table table;
    table.columns = {"setting"};
    table.columns.insert(table.columns.end(), now.columns.begin(), now.columns.end());
    const auto add = [&](const Table& from, const char* setting) {
        for (const auto& row : from.rows) {
            std::vector<Cell> cells = {std::string(setting)};
            for (const std::string& column : now.columns) {
                const auto place = std::find(from.columns.begin(), from.columns.end(), column);
                cells.emplace_back();
                if (place != from.columns.end()) {
                    cells.back() = row[static_cast<std::size_t>(place - from.columns.begin())];
                }
            }
            table.rows.push_back(std::move(cells));
        }
    };
    add(now, "now");
    add(pinned, "pinned");
    return table;
}

} // namespace loadline
