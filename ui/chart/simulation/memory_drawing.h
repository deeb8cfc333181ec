// What stands in place of a chart when the model does not fit into the device's memory.
#pragma once

#include "core/simulate/answer/memory_fit.h"
#include "ui/chart/plot_drawing.h"

#include <memory>

namespace loadline::ui {

/// Weights by k and of fp16 as bars against the device's memory; where there is no room for bars, or
/// `inShort`, only what does not fit. `sentence`: the answer's. Precondition: fit.isTooLarge().
std::unique_ptr<PlotDrawing> memoryDrawing(const QString& title, const std::string& sentence,
                                           const MemoryFit& fit, bool inShort = false);

/// "does not fit into 24 GiB"
QString doesNotFitText(const MemoryFit& fit);
/// "fp16", or "fp16: does not fit" where that is known.
QString fp16Text(const MemoryFit& fit);
/// Of everything that is fp16's: dotted where it does not fit.
Qt::PenStyle fp16Line(const MemoryFit& fit);

} // namespace loadline::ui
