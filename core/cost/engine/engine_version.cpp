// Reads versions.
#include "core/cost/engine/engine_version.h"

#include "core/text/parse_number.h"
#include "core/text/word_rule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace loadline {
namespace {

constexpr std::string_view versionDigits = "0123456789";
constexpr NumberRange<int> versionNumbers{.least = 0, .most = 1'000'000};

} // namespace

std::optional<EngineVersion> engineVersionFrom(std::string_view text) {
    if (text == "nightly" || text.starts_with("nightly-")) {
        return newestVersion;
    }
    text.remove_prefix(text.starts_with('v') ? 1 : 0);
    std::array<int, 3> numbers{};
    std::size_t count = 0;
    for (; count < numbers.size() && !text.empty(); ++count) {
        const std::string_view piece = cutUpTo(text, '.');
        const std::size_t digits = std::min(piece.find_first_not_of(versionDigits), piece.size());
        const auto number = parseNumber(piece.substr(0, digits), versionNumbers);
        const bool isWhole = digits == piece.size();
        if (!number || (!isWhole && count == 0)) {
            return std::nullopt;
        }
        numbers[count] = *number;
        if (!isWhole) { // "0rc1", "0+cu128": what follows does not count
            text = {};
        }
    }
    constexpr std::size_t leastNumbers = 2;
    if (count < leastNumbers) {
        return std::nullopt;
    }
    return EngineVersion{.major = numbers[0], .minor = numbers[1], .patch = numbers[2]};
}

} // namespace loadline
