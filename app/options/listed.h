// Names in a sentence.
#pragma once

#include <functional>
#include <string>

namespace loadline::app {

/// Returns "a, b, c": the names that `projection` takes of each entry.
template <typename Range, typename Projection = std::identity>
std::string listed(const Range& range, Projection projection = {}) {
    std::string text;
    for (const auto& entry : range) {
        text += (text.empty() ? "" : ", ") + std::string(std::invoke(projection, entry));
    }
    return text;
}

} // namespace loadline::app
