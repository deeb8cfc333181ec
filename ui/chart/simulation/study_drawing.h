// The published study's tables beside ours.
#pragma once

#include "core/simulate/study/study_tables.h"
#include "ui/chart/plot_drawing.h"

#include <memory>

namespace loadline::ui {

/// Rows, decode-only steps and time over users: what was printed, and what each reading gives with its
/// spread.
std::unique_ptr<PlotDrawing> usersDrawingOf(std::shared_ptr<const StudyTables> tables);
/// The single user's turn, as a small table.
std::unique_ptr<PlotDrawing> turnDrawingOf(std::shared_ptr<const StudyTables> tables);

} // namespace loadline::ui
