// Simulated steps along a strip to scrub on.
#pragma once

#include "core/simulate/answer/batch.h"
#include "ui/chart/plot_drawing.h"

#include <memory>

namespace loadline::ui {

/// A recording, and the step that is looked at.
struct BatchView {
    std::shared_ptr<const BatchRecording> recording;
    std::int64_t step = 0; ///< held within the recording
};

/// Lanes over all steps (rows M, running, waiting, KV blocks, preemptions) and the neighbourhood of the step;
/// dragging scrubs. Its table has one row a step.
std::unique_ptr<PlotDrawing> drawingOf(const BatchView& view);

} // namespace loadline::ui
