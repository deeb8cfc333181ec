// Tables of what the atlas has times of, by GPU and model.
#pragma once

#include "core/ask/report.h"
#include "core/cost/step/coverage.h"

#include <vector>

namespace loadline::ask {

/// Adds "coverage", a row for each GPU and model, to documents, and for people: the shares of all models by
/// GPU, how most of each part's time is found, and the sentences where nothing answers. Nothing without rows.
void addCoverage(Report& report, const std::vector<StepCoverage>& rows);

} // namespace loadline::ask
