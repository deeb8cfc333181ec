// Ranges of numbers in words, as options and choices name them.
#pragma once

#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <string>

namespace loadline::app {

template <typename Number>
std::string wordsOf(const NumberRange<Number>& range) {
    return fmt::format("{}..{}", range.least, range.most);
}

} // namespace loadline::app
