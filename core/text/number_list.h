// Lists and ranges of whole numbers: what a sweep goes through.
#pragma once

#include "core/text/parse_number.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace loadline {

inline constexpr std::size_t mostListed = 4096;

/// "8", "1:256" (both included), "64:8192:64" (in steps of 64), "128,512:1024:256", in ascending order, each
/// once. Nothing where the text is of another form, a number is out of `range`, A:B runs backwards, or there
/// are more than mostListed numbers.
std::optional<std::vector<std::int64_t>> numbersIn(std::string_view text,
                                                   const NumberRange<std::int64_t>& range);

} // namespace loadline
