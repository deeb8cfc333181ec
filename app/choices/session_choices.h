// What can be chosen of the charts of sessions.
#pragma once

#include "app/choices/choice.h"
#include "core/base/zone.h"
#include "core/cache/composition/composition_order.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/scope/scope.h"
#include "ui/chart/drawings.h"

#include <string>

namespace loadline::app {

namespace choices {

extern const Choice<Zone> clock; ///< setShownZone
extern const Choice<TurnMethod> method;
extern const Choice<BinKind> bins;
extern const Choice<Measure> measure;
extern const Choice<bool> reference;
/// Session::key, id or its unique beginning; outside of the scope or "": most tokens in scope.
extern const Choice<std::string> session;
extern const Choice<TimelineAxis> axis;
extern const Choice<double> viewStart, viewEnd; ///< ui::TimelineView's, of `zoomedSession`
extern const Choice<std::string> zoomedSession; ///< Session::key; others are shown whole
extern const Choice<CompositionGroup> group;
extern const Choice<bool> perRequest, shares;
extern const Choice<CompositionOrder> order;
extern const Choice<bool> reversed;

} // namespace choices

DistributionOptions distributionOptions(const Choices& all);
ui::CompositionView compositionView(const Choices& all);
/// As chosen.
ui::TimelineView timelineView(const Choices& all);
/// The part of this session's timeline that is shown.
ui::TimelineView timelineView(const Choices& all, const std::string& sessionKey);
void setTimelineView(Choices& all, const ui::TimelineView& view);

} // namespace loadline::app
