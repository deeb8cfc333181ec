// Functions of a field's row: its option, its value as text and as a number, when it matters.
#include "core/ask/field.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>
#include <limits>

namespace loadline::ask {
namespace {

using Type = Access::Type;

bool isNumber(const Field& field) {
    const Type type = field.access.type;
    return type == Type::Whole || type == Type::Seed || type == Type::Real;
}

NumberRange<std::int64_t> wholeRangeOf(const Field& field) {
    return {static_cast<std::int64_t>(field.range.least), static_cast<std::int64_t>(field.range.most)};
}

bool isInRange(const Field& field, const Value& value) {
    if (const auto* real = std::get_if<double>(&value)) {
        return field.range.contains(*real); // never contains NaN
    }
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole == nullptr || wholeRangeOf(field).contains(*whole);
}

const Choice& choiceIn(const Field& field, const void* question) {
    return field.access.choices[static_cast<std::size_t>(chosenOf(field, question))];
}

template <typename Number>
std::optional<Value> readNumber(std::string_view text, const NumberRange<Number>& range) {
    const auto number = parseNumber(text, range);
    return number ? std::optional(Value(*number)) : std::nullopt;
}

/// The value that a text means; nothing for what it cannot mean.
std::optional<Value> valueFrom(const Field& field, std::string_view text) {
    if (field.access.mayBeNone && text == field.traits.none) {
        return Value();
    }
    switch (field.access.type) {
    case Type::Flag:
        return text == "true" || text == "false" ? std::optional(Value(text == "true")) : std::nullopt;
    case Type::Whole:
        return readNumber(text, wholeRangeOf(field));
    case Type::Seed:
        return readNumber(text, NumberRange<std::uint64_t>{0, std::numeric_limits<std::uint64_t>::max()});
    case Type::Real:
        return readNumber(text, field.range);
    case Type::Chosen: {
        const auto found = std::ranges::find(field.access.choices, text, &Choice::key);
        return found == field.access.choices.end()
                   ? std::nullopt
                   : std::optional(Value(std::int64_t{found - field.access.choices.begin()}));
    }
    case Type::Text:
        return Value(std::string(text));
    case Type::Words:
        break;
    }
    return std::nullopt;
}

/// "1", "1e-06", "1 048 576"
std::string boundText(double bound) {
    return std::abs(bound) < 1000 ? fmt::format("{:g}", bound)
                                  : formatExact(static_cast<std::int64_t>(bound));
}

} // namespace

const Field* findField(Fields fields, std::string_view key) {
    const auto found = std::ranges::find(fields, key, &Field::key);
    return found == fields.end() ? nullptr : &*found;
}

const Field& fieldOf(Fields fields, std::string_view key) {
    const Field* field = findField(fields, key);
    assert(field != nullptr);
    return *field;
}

std::string optionOf(const Field& field, const void* defaults) {
    const bool takesAway = field.access.type == Type::Flag && std::get<bool>(field.access.get(defaults));
    return fmt::format("--{}{}", takesAway ? "no-" : "", field.key);
}

std::string inputKeyOf(const Field& field) {
    std::string key(field.key);
    std::ranges::replace(key, '-', '_');
    return key;
}

std::string formOf(const Field& field) {
    if (!field.traits.text.form.empty()) {
        return std::string(field.traits.text.form);
    }
    std::string form;
    switch (field.access.type) {
    case Type::Chosen:
        for (const Choice& choice : field.access.choices) {
            form += (form.empty() ? "" : "|") + std::string(choice.key);
        }
        return form;
    case Type::Whole:
    case Type::Seed:
        form = "N";
        break;
    case Type::Real:
        form = "X";
        break;
    case Type::Flag:
    case Type::Text:
    case Type::Words:
        return form;
    }
    return field.access.mayBeNone ? fmt::format("{}|{}", form, field.traits.none) : form;
}

std::string takesOf(const Field& field) {
    const FieldText& text = field.traits.text;
    if (!text.limits.empty()) {
        return std::string(text.limits);
    }
    if (!text.number.empty()) {
        return fmt::format("{}: {}..{}", text.number, text.range.least, text.range.most);
    }
    const std::string none =
        field.access.mayBeNone ? fmt::format(" or {}", field.traits.none) : std::string();
    switch (field.access.type) {
    case Type::Whole: {
        const auto range = wholeRangeOf(field);
        return fmt::format("{}..{}{}", range.least, range.most, none);
    }
    case Type::Seed:
        return fmt::format("0..{}{}", std::numeric_limits<std::uint64_t>::max(), none);
    case Type::Real:
        return fmt::format("{}..{}{}", field.range.least, field.range.most, none);
    default:
        return {};
    }
}

std::string textOf(const Field& field, const void* question) {
    if (field.traits.text.text != nullptr) {
        return field.traits.text.text(question);
    }
    if (field.access.type == Type::Words) {
        return {};
    }
    if (field.access.type == Type::Chosen) {
        return std::string(choiceIn(field, question).key);
    }
    const Value value = field.access.get(question);
    return std::holds_alternative<std::monostate>(value) ? std::string(field.traits.none) : plainText(value);
}

bool readText(const Field& field, std::string_view text, void* question) {
    if (field.traits.text.read != nullptr) {
        return field.traits.text.read(question, text);
    }
    const auto value = valueFrom(field, text);
    if (value) {
        field.access.set(question, *value);
    }
    return value.has_value();
}

std::string wordOf(const Field& field, const void* question) {
    switch (field.access.type) {
    case Type::Words:
        return textOf(field, question);
    case Type::Flag:
        return std::get<bool>(field.access.get(question)) ? "on" : "off";
    case Type::Chosen: {
        const Choice& choice = choiceIn(field, question);
        return std::string(choice.said.empty() ? choice.key : choice.said);
    }
    default:
        break;
    }
    const Value value = field.access.get(question);
    if (const auto* real = std::get_if<double>(&value); real != nullptr && field.traits.form == Form::Plain) {
        return fmt::format("{:g}", *real);
    }
    return std::holds_alternative<std::monostate>(value) ? std::string(field.traits.none)
                                                         : wordsOf(Cell(value), field.traits.form);
}

Cell inputOf(const Field& field, const void* question) {
    const Type type = field.access.type;
    if (type == Type::Words || type == Type::Chosen || field.traits.text.text != nullptr) {
        return textOf(field, question);
    }
    return Cell(field.access.get(question));
}

std::optional<double> numberOf(const Field& field, const void* question) {
    return isNumber(field) ? numberOf(field.access.get(question)) : std::nullopt;
}

void setNumber(const Field& field, std::optional<double> number, void* question) {
    if (!isNumber(field)) {
        return;
    }
    if (!number) {
        field.access.set(question, field.access.mayBeNone ? Value() : field.access.get(question));
    } else if (field.access.type == Type::Real) {
        field.access.set(question, Value(*number));
    } else if (field.access.type == Type::Seed) {
        field.access.set(question, Value(static_cast<std::uint64_t>(std::llround(std::max(*number, 0.0)))));
    } else {
        field.access.set(question, Value(static_cast<std::int64_t>(std::llround(*number))));
    }
}

std::optional<bool> isWhole(const Field& field) {
    return isNumber(field) ? std::optional(field.access.type != Type::Real) : std::nullopt;
}

int chosenOf(const Field& field, const void* question) {
    if (field.access.type != Type::Chosen) {
        return 0;
    }
    const auto chosen = std::get<std::int64_t>(field.access.get(question));
    assert(chosen >= 0 && static_cast<std::size_t>(chosen) < field.access.choices.size());
    return static_cast<int>(chosen);
}

void choose(const Field& field, int choice, void* question) {
    if (field.access.type == Type::Chosen && choice >= 0 &&
        static_cast<std::size_t>(choice) < field.access.choices.size()) {
        field.access.set(question, Value(std::int64_t{choice}));
    }
}

std::string nounOf(const Field& field) {
    return field.words.noun.empty() ? fmt::format("the {}", field.words.name) : std::string(field.words.noun);
}

std::optional<Error> problemOf(const Field& field, const void* question) {
    if (!isNumber(field) || field.access.type == Type::Seed) {
        return std::nullopt;
    }
    const Value value = field.access.get(question);
    if (isInRange(field, value)) {
        return std::nullopt;
    }
    const bool hasUnit = field.access.type == Type::Real && !field.slider.unit.empty();
    return Error{fmt::format("{} is {}", nounOf(field), plainText(value)), "",
                 fmt::format("choose {} to {}{}{}", boundText(field.range.least), boundText(field.range.most),
                             hasUnit ? " " : "", hasUnit ? field.slider.unit : "")};
}

bool isShown(const Field& field, const void* question, const Sources& sources) {
    return field.form.isShown == nullptr || field.form.isShown(question, sources);
}

std::optional<double> standInOf(const Field& field, const void* question, const Sources& sources) {
    return field.slider.standIn == nullptr || numberOf(field, question)
               ? std::nullopt
               : field.slider.standIn(question, sources);
}

std::string whyNot(const Field& field, const void* question, const Sources& sources) {
    return field.form.whyNot == nullptr ? std::string() : field.form.whyNot(question, sources);
}

std::string nameOfChange(const Field& field) {
    return fmt::format("Change {}", field.words.change.empty() ? nounOf(field) : field.words.change);
}

} // namespace loadline::ask
