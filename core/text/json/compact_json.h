// JSON documents as text in one line.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline {

/// Return JSON text in which bytes that are not UTF-8 are replaced by U+FFFD.
std::string compactJson(const std::string& text); ///< in quotes, escaped
std::string compactJson(const nlohmann::json& document);
std::string compactJson(const nlohmann::ordered_json& document);

} // namespace loadline
