// Parses JSON that is not nested too deeply and fits in memory as values.
#include "core/base/file/read_json.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

/// Brackets within strings do not count; of text that is no JSON the answer does not matter.
bool isTooMuch(std::string_view text) {
    std::size_t depth = 0;
    std::size_t values = 1;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            if (++values > mostJsonValues) {
                return true;
            }
        } else if (c == '[' || c == '{') {
            if (++depth > mostNested || ++values > mostJsonValues) {
                return true;
            }
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return false;
}

template <typename Json>
Json parsed(std::string_view text) {
    // To the parser a NUL is the end: what stands behind it would be passed over.
    const bool refused = text.find('\0') != std::string_view::npos || isTooMuch(text);
    return refused ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

} // namespace

nlohmann::json jsonFrom(std::string_view text) {
    return parsed<nlohmann::json>(text);
}

nlohmann::ordered_json orderedJsonFrom(std::string_view text) {
    return parsed<nlohmann::ordered_json>(text);
}

} // namespace loadline
