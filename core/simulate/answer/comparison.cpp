// Compares two settings in words and numbers.
#include "core/simulate/answer/comparison.h"

#include "core/cost/shapes/shapes_json.h"
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace loadline {
namespace {

/// Returns a field's word for a comparison: shapes that are given as text have no short one, and files have
/// their name, not their path.
std::string wordFor(const ask::Field& field, const SimulationRequest& request) {
    if (field.key == "shapes" && isShapesText(request.shapes)) {
        return "edited shapes";
    }
    const std::string word = wordOf(field, &request);
    const bool isPath = field.key == "profile" && word.find('/') != std::string::npos;
    return isPath ? std::filesystem::path(word).stem().string() : word;
}

void addFactors(std::vector<ChoiceDifference>& list, const SimulationRequest& now,
                const SimulationRequest& pinned) {
    for (const Kernel kernel : allKernels) {
        const auto i = static_cast<std::size_t>(kernel);
        if (now.timeScale[i] != pinned.timeScale[i]) {
            list.push_back({std::string(nameOf(kernel)) + " times", fmt::format("{:g}", now.timeScale[i]),
                            fmt::format("{:g}", pinned.timeScale[i])});
        }
    }
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
        std::string weights(specOf(crossover.weights).key);
        std::ranges::replace(weights, '-', '_');
        list.push_back(
            {fmt::format("crossing_{}{}_users", weights, step),
             crossover.crossings.empty() || crossover.isMisfit()
                 ? std::nullopt
                 : std::optional(static_cast<double>(firstUsersBehind(crossover.crossings.front())))});
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
    std::vector<ChoiceDifference> list;
    for (const ask::Field& field : simulationFields()) {
        const bool bothHaveK = quantisedK(now.weights) && quantisedK(pinned.weights);
        if ((field.key == "k" && !bothHaveK) || (field.key == "weights" && bothHaveK)) {
            continue; // the other one says it
        }
        const bool matters = field.traits.isOption || isShown(field, &now, {}) || isShown(field, &pinned, {});
        if (field.traits.text.several != nullptr) {
            addFactors(list, now, pinned);
        } else if (const std::string word = wordFor(field, now), other = wordFor(field, pinned);
                   matters && (wordOf(field, &now) != wordOf(field, &pinned) ||
                               numberOf(field, &now) != numberOf(field, &pinned))) {
            list.push_back({std::string(field.words.name), word, other});
        }
    }
    return list;
}

std::string differencesSentence(const std::vector<ChoiceDifference>& differences) {
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
    const bool tells = steps && tellsLatencies(figure.inputs);
    const bool firsts = tells && present.ttftS.n > 0;
    const bool mores = tells && present.tpotS.n > 0;
    std::vector<Quantity> list;
    if (figure.pair) {
        const auto& ratio = figure.pair->turnsPerS;
        list.push_back({"turns_per_s_vs_against", ratio ? std::optional(ratio->value) : std::nullopt});
        list.push_back({"turns_per_s", ifAny(tells, present.turnsPerS())});
    }
    const std::vector<Quantity> others = {
        {"time_vs_fp16", ifAny(steps, figure.timeVsFp16.value)},
        {"ttft_p50_ms", ifAny(firsts, present.ttftS.p50 * msPerS)},
        {"ttft_p99_ms", ifAny(firsts, present.ttftS.p99 * msPerS)},
        {"tpot_p50_ms", ifAny(mores, present.tpotS.p50 * msPerS)},
        {"tpot_p99_ms", ifAny(mores, present.tpotS.p99 * msPerS)},
        {"output_tokens_per_s", ifAny(tells, present.throughputTokensPerS())},
        {"decode_only_share", ifAny(steps, present.decodeOnlyFraction())}};
    list.insert(list.end(), others.begin(), others.end());
    addCrossovers(list, figure.crossovers);
    return list;
}

std::vector<Quantity> quantitiesOf(std::span<const Crossover> crossovers) {
    std::vector<Quantity> list;
    addCrossovers(list, crossovers);
    return list;
}

Table comparisonTable(const std::vector<Quantity>& now, const std::vector<Quantity>& pinned,
                      FigureStage stage) {
    const bool preview = stage == FigureStage::Preview;
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
    Table table = tableWith("setting");
    table.rows = {
        {std::string(preview ? "preview" : "now")}, {std::string("pinned")}, {std::string("difference")}};
    for (const std::string& name : names) {
        const Quantity* a = named(now, name);
        const Quantity* b = named(pinned, name);
        table.columns.push_back(name);
        table.rows[0].push_back(cellOf(a));
        table.rows[1].push_back(cellOf(b));
        Cell difference;
        if (!preview && a != nullptr && b != nullptr && a->value && b->value) {
            difference = *a->value - *b->value;
        }
        table.rows[2].push_back(std::move(difference));
    }
    return table;
}

Table joined(const Table& now, const Table& pinned) {
    Table table = tableWith("setting");
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
