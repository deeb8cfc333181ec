// Charts of studies on the command line: their options are the study's own.
#pragma once

#include "app/cli/help/command.h"
#include "core/ask/study.h"

namespace loadline::app {

/// The study of the plot, or of the page, that the arguments of `export` begin with; null: another chart.
const ask::Study* studyOfChart(const Arguments& arguments);

} // namespace loadline::app
