// For tables of fields: rows with their rare parts left out, older names, texts that are tested.
#pragma once

#include "core/ask/field.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline::ask {

/// A row without an engine's word.
inline Field row(std::string_view key, Access access, FieldWords words, NumberRange<double> range = {},
                 FormPlace form = {}, Slider slider = {}, FieldTraits traits = {}) {
    return {key, access, words, range, form, slider, traits, {}};
}

/// The rows with this heading over their options in the help.
inline std::vector<Field> inGroup(std::string_view group, std::vector<Field> rows) {
    for (Field& field : rows) {
        field.words.group = group;
    }
    return rows;
}

/// FieldText::read of the text at a place that bound() names: only what `isKnown`(text) is taken.
template <auto isKnown, auto... place>
bool readIf(void* question, std::string_view text) {
    const bool known = isKnown(text);
    if (known) {
        detail::Place<place...>::in(question) = std::string(text);
    }
    return known;
}

/// Reads and writes a list of texts at a place that bound() names; each is taken as it is.
template <auto... place>
FieldText textsOf(std::string_view form) {
    FieldText text{.form = form};
    text.read = [](void* question, std::string_view one) {
        detail::Place<place...>::in(question).emplace_back(one);
        return true;
    };
    text.several = [](const void* question) { return detail::Place<place...>::in(question); };
    return text;
}

template <std::size_t size>
struct Literal {
    char text[size]{};

    consteval Literal(const char (&from)[size]) { std::copy_n(from, size, text); } // NOLINT: a literal is one
};

/// FieldTraits::was: older<"--cache-model", "cache/model">.
template <Literal... names>
inline constexpr std::array<std::string_view, sizeof...(names)> older = {
    std::string_view(names.text, sizeof(names.text) - 1)...};

} // namespace loadline::ask
