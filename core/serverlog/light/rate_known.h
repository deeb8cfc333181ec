// The rate of one stream, as far as a line of statistics tells it.
#pragma once

#include "core/serverlog/light/speed_of_light.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace loadline {

/// A line's throughput is a mean over its time, and its count of running requests is of an instant: their
/// quotient is a stream's rate only where as many ran throughout.
enum class RateKnown : std::uint8_t {
    Exact,   ///< of a request, or of a line within which none began or ended
    Between, ///< of a line within which requests ended alone: between the quotients of both ends
    AtLeast, ///< prompts or waiting are in the time, of streams that are told
    Untold,  ///< requests began within the line, and nothing tells how many ran: it bounds nothing
};

RateKnown knownOf(const ObservedRate& rate);
/// "exact", "between", "at_least", "untold".
std::string_view wordOf(RateKnown known);
/// The rate to show: over the mean of the streams at both ends where these differ.
double shownRate(const ObservedRate& rate);
/// Output of the lines that alone tell no rate over their streams at both ends, all together: their errors
/// cancel. Not told of none.
double untoldTogether(const std::vector<ObservedRate>& rates);

} // namespace loadline
