// Reads lists and ranges of whole numbers.
#include "core/text/number_list.h"

#include <algorithm>

namespace loadline {
namespace {

std::string_view takeUntil(std::string_view& text, char separator) {
    const std::size_t at = text.find(separator);
    const std::string_view part = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    return part;
}

/// Adds "A", "A:B" or "A:B:STEP"; false: it is none of them, or too much.
bool addPart(std::string_view text, const NumberRange<std::int64_t>& range,
             std::vector<std::int64_t>& numbers) {
    const auto colons = std::count(text.begin(), text.end(), ':');
    const auto first = parseNumber(takeUntil(text, ':'), range);
    const auto last = colons > 0 ? parseNumber(takeUntil(text, ':'), range) : first;
    const auto step = colons > 1 ? parseNumber<std::int64_t>(text) : std::optional<std::int64_t>(1);
    if (colons > 2 || !first || !last || !step || *step < 1 || *last < *first ||
        (*last - *first) / *step >= static_cast<std::int64_t>(mostListed)) {
        return false;
    }
    for (std::int64_t number = *first;; number += *step) {
        numbers.push_back(number);
        if (*last - number < *step) {
            return numbers.size() <= mostListed;
        }
    }
}

} // namespace

std::optional<std::vector<std::int64_t>> numbersIn(std::string_view text,
                                                   const NumberRange<std::int64_t>& range) {
    std::vector<std::int64_t> numbers;
    const auto parts = std::count(text.begin(), text.end(), ',') + 1;
    for (std::ptrdiff_t i = 0; i < parts; ++i) {
        if (!addPart(takeUntil(text, ','), range, numbers)) {
            return std::nullopt;
        }
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

} // namespace loadline
