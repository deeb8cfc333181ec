// Words that the chart of a log's rates and its read-outs share.
#pragma once

#include "core/serverlog/light/speed_of_light.h"

#include <QString>

namespace loadline::ui {

bool tellsContext(const ObservedRate& rate);
/// The middle of the contexts that a rate may be of.
double middleOf(const ObservedRate& rate);
/// "10 k to 18 k tokens of context"
QString contextText(double low, double high);
/// "8 192", "11.9 to 12.9"
QString rangeText(double low, double high, QString (*words)(double));

} // namespace loadline::ui
