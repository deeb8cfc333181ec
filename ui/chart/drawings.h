// The drawings there are: one function per figure of core.
#pragma once

#include "core/cache/composition/composition_order.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/timeline/timeline.h"
#include "ui/chart/drawing.h"

#include <memory>
#include <string>

namespace loadline::ui {

/// The part of a timeline that is shown, and how.
struct TimelineView {
    TimelineAxis axis = TimelineAxis::CompressedGaps;
    double start = 0; ///< axis units (see TimelineScale)
    double end = -1;  ///< below start: everything
    bool operator==(const TimelineView&) const = default;
};

/// How the Composition page draws its rows.
struct CompositionView {
    bool perRequest = false; ///< mean of each request's shares instead of shares of the sums
    bool shares = true;      ///< shares of 100 % instead of tokens
    CompositionOrder order = CompositionOrder::Usual; ///< that the rows are in: marked at its column
    bool reversed = false;
    bool operator==(const CompositionView&) const = default;
};

std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const DistributionFigure> figure);
/// `sentence`: above the picture; "": the timeline's own.
std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const Timeline> timeline,
                                   std::shared_ptr<const Corpus> corpus, const TimelineView& view,
                                   const std::string& sentence = {});
std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const Composition> composition,
                                   const CompositionView& view, const std::string& sentence = {});

} // namespace loadline::ui
