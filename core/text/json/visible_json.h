// JSON that cannot steer the terminal it is shown on.
#pragma once

#include <string>
#include <string_view>

namespace loadline {

/// The document with each hidden character of its strings (core/text/visible_text.h) as a \u escape: for a
/// reader of JSON the same values. `json`: valid JSON in UTF-8; line ends and tabs between values stay.
std::string visibleJson(std::string_view json);

} // namespace loadline
