// "Decoding rate by context": rates of a log below what the memory's bandwidth allows.
#pragma once

#include "core/ask/report.h"
#include "core/serverlog/verdict/log_figure.h"

#include <cstddef>
#include <string>

namespace loadline {

inline constexpr std::size_t mostRatesListed = std::size_t{1} << 16;

/// Adds the plot "log-rate" and its tables. A click on a rate picks its line by textOfLine(). The figure
/// outlives the report.
void addRatePlot(ask::Report& report, const LogFigure& figure);

/// "0:1005": file and line.
std::string textOfLine(const LogLine& line);
/// The same back; line 0: none.
LogLine lineOfText(const std::string& text);

/// "11.9 to 12.9 tokens/s a stream at 10 k to 18 k tokens of context: 49 % to 52 % of the ceiling."
std::string rateSentence(const LogFigure& figure);

} // namespace loadline
