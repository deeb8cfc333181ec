// Words that the chart of a log's rates and its read-outs share.
#pragma once

#include "core/serverlog/verdict/log_figure.h"

#include <functional>
#include <string>
#include <vector>

namespace loadline {

bool tellsContext(const ObservedRate& rate);
/// The middle of the contexts that a rate may be of.
double middleOf(const ObservedRate& rate);
/// "10 k to 18 k tokens of context"
std::string contextWords(double low, double high);
/// "8 192", "11.9 to 12.9"
std::string rangeWords(double low, double high, const std::function<std::string(double)>& words);
/// The read-out of a rate, a line each.
std::vector<std::string> wordsOfRate(const LogFigure& figure, const ObservedRate& rate);

} // namespace loadline
