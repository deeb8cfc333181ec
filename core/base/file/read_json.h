// JSON that others wrote, as a value.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string_view>

namespace loadline {

/// Arrays and objects within each other. To write, copy or compare a value takes stack for each of them.
inline constexpr std::size_t mostNested = 512;
/// Values in one document. As values text takes up to 30 times its room ("{},").
inline constexpr std::size_t mostJsonValues = 8'000'000;

/// Discarded (is_discarded()) where the text is not JSON, is nested deeper than mostNested, or holds more
/// than mostJsonValues.
nlohmann::json jsonFrom(std::string_view text);
/// Returns jsonFrom() with members in their order.
nlohmann::ordered_json orderedJsonFrom(std::string_view text);

} // namespace loadline
