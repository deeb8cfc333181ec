// The drawings there are: one function per figure of core.
#pragma once

#include "core/cache/composition/composition_view.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/timeline/timeline_view.h"
#include "ui/chart/drawing.h"

#include <memory>
#include <string>

namespace loadline::ui {

using loadline::CompositionView;
using loadline::TimelineView;

std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const DistributionFigure> figure);
/// `sentence`: above the picture; "": the timeline's own.
std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const Timeline> timeline,
                                   std::shared_ptr<const Corpus> corpus, const TimelineView& view,
                                   const std::string& sentence = {});
std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const Composition> composition,
                                   const CompositionView& view, const std::string& sentence = {});

} // namespace loadline::ui
