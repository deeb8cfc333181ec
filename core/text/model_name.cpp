// A model's name as lists have room for it.
#include "core/text/model_name.h"

#include <algorithm>

namespace loadline {
namespace {

/// "-20251101", "@20250929"
bool endsInDate(std::string_view model) {
    constexpr std::size_t length = 9;
    if (model.size() <= length) {
        return false;
    }
    const std::string_view end = model.substr(model.size() - length);
    return (end[0] == '-' || end[0] == '@') && end.substr(1, 2) == "20" &&
           std::ranges::all_of(end.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::string shortModelName(std::string_view model) {
    constexpr std::string_view maker = "claude-";
    if (model.starts_with(maker) && model.size() > maker.size()) {
        model.remove_prefix(maker.size());
    }
    if (endsInDate(model)) {
        model.remove_suffix(9);
    }
    return std::string(model);
}

} // namespace loadline
