// What can be chosen of the charts of a server's log.
#pragma once

#include "app/choices/choice.h"
#include "core/serverlog/log_range.h"
#include "ui/chart/plot_drawing.h"
#include "ui/panel/serverlog/served_panel.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline::app {

namespace choices {

extern const Choice<std::vector<std::string>> log; ///< its files, in their order; none: no log
extern const Choice<bool> followLog;
extern const Choice<std::string> logModel; ///< CacheModel::key; "": as the log says
extern const Choice<std::optional<double>> logBits;
extern const Choice<double> logKvBytes;
extern const Choice<std::string> logDevice; ///< Hardware::key; "": as the log says
extern const Choice<std::optional<double>> logBandwidth;
extern const Choice<std::optional<double>> logGbPerToken;
extern const Choice<std::optional<double>> logKvBytesPerToken;
extern const Choice<ui::PlotChange::Stretch> logStretch; ///< of its time line in view
extern const Choice<bool> logOnlyView;                   ///< the verdict is on that stretch alone

} // namespace choices

ui::ServedSettings servedSettings(const Choices& all);
/// What the verdict is on: all, or the stretch in view.
LogRange judgedRange(const Choices& all);
void setServedSettings(Choices& all, const ui::ServedSettings& settings);

} // namespace loadline::app
