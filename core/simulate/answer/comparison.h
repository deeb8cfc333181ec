// Two settings side by side: which choices differ, and what that does to the figures.
#pragma once

#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/request/simulation_request.h"
#include "core/text/table.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline {

/// A choice that differs.
struct ChoiceDifference {
    std::string choice; ///< "chunk"
    std::string now;    ///< "512"
    std::string pinned; ///< "2 048"
    bool operator==(const ChoiceDifference&) const = default;
};

/// Returns the differences in the order of the panel. Replicas and seed count, too: the result depends on
/// them.
std::vector<ChoiceDifference> differencesOf(const SimulationRequest& now, const SimulationRequest& pinned);
/// "chunk 512 instead of 2 048, k 3 instead of 4"; "nothing differs" without any.
std::string differencesSentence(const std::vector<ChoiceDifference>& differences);
/// One side of the first two that matter: "chunk 512, k 3"; "" without any. For legends.
std::string nowNameOf(const std::vector<ChoiceDifference>& differences);
std::string pinnedNameOf(const std::vector<ChoiceDifference>& differences);

/// A number of a figure, with its unit in the name; none: it has no value here (no crossing in range).
struct Quantity {
    std::string name;
    std::optional<double> value;
    bool operator==(const Quantity&) const = default;
};

/// Returns the quantities at the present users; crossings of each k that was looked for.
std::vector<Quantity> quantitiesOf(const SimulatorFigure& figure);
std::vector<Quantity> quantitiesOf(std::span<const Crossover> crossovers);

/// Rows "now", "pinned", "difference" (now - pinned); one column for each quantity either has. Of a preview
/// the first row is "preview", and nothing is subtracted: its few short runs may differ by more than the
/// settings.
Table comparisonTable(const std::vector<Quantity>& now, const std::vector<Quantity>& pinned,
                      FigureStage stage = FigureStage::Refined);
/// The rows of both under a first column "setting". Precondition: the same columns, or only those of `now`
/// are kept.
Table joined(const Table& now, const Table& pinned);

} // namespace loadline
