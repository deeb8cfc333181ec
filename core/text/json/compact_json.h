// JSON documents as text in one line.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline {

/// What is not UTF-8 in it becomes U+FFFD.
std::string compactJson(const std::string& text); ///< in quotes, escaped
std::string compactJson(const nlohmann::json& document);
std::string compactJson(const nlohmann::ordered_json& document);

} // namespace loadline
