// The one place that writes JSON without line breaks.
#include "core/text/json/compact_json.h"

#include <nlohmann/json.hpp>

namespace loadline {

std::string compactJson(const std::string& text) {
    return compactJson(nlohmann::json(text));
}

std::string compactJson(const nlohmann::json& document) {
    return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string compactJson(const nlohmann::ordered_json& document) {
    return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace loadline
