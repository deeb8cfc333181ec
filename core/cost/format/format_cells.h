// How weights are stored, in tables of exact values.
#pragma once

#include "core/cost/format/format.h"
#include "core/text/table.h"

#include <vector>

namespace loadline {

/// The cell of a column "k": empty where no k names the storage.
Cell kCell(Storage weights);

/// Appends the column "weights" with the keys of storages that no k names; nothing where each has a k.
/// Precondition: one for each row.
void addWeightsColumn(Table& table, const std::vector<Storage>& weights);

} // namespace loadline
