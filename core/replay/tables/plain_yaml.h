// The plain part of YAML that profilers write: nested keys, scalars and flow lists.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Scalars by their path, keys joined by '.': "skew_fit.per_tp.2.alpha_default" -> "0.0649". Quotes around a
/// scalar are taken off; lists in brackets stay text. Lines that are neither "key:" nor "key: value" (block
/// lists, comments, anchors) are passed over; of equal paths the last stands.
std::map<std::string, std::string, std::less<>> plainYaml(std::string_view text);

/// The entries of "[a, b]", without blanks and quotes around them; one entry for text without brackets, none
/// for "" and "[]".
std::vector<std::string> flowList(std::string_view text);

} // namespace loadline
