// Choices that pages and charts have to themselves: words by name, in every state, setting and command.
#pragma once

#include "app/faces/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace loadline::app {

/// One choice by its names. Its value is a word wherever it goes: state, undo, settings, commands, PNGs.
struct ChoiceSpec {
    std::string setting = {};  ///< "distributions/measure"; "": forgotten at the end
    std::string option = {};   ///< "--measure"; "": not on command lines
    std::string help = {};     ///< of the option
    std::string form = {};     ///< what the option takes: "count|share", "ID"; "": it is a flag
    std::string usual = {};    ///< the default's word
    std::string limits = {};   ///< of a number: "0..256"
    std::string group = {};    ///< of options in the help; "": the common one
    std::string flag = "true"; ///< the word that a flag stands for; "=false" behind it: the other
    std::function<bool(const std::string& word)> accepts = {};
};

/// "count|share": the words of a choice of a few.
inline std::vector<std::string> wordsOf(const ChoiceSpec& spec) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= spec.form.size();) {
        const std::size_t end = std::min(spec.form.find('|', at), spec.form.size());
        words.push_back(spec.form.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

using ChoiceSpecs = std::vector<const ChoiceSpec*>;

/// A choice whose words mean values of type T. It is known by its address.
template <typename T>
struct Choice {
    ChoiceSpec spec;
    std::function<T(const std::string& word)> read; ///< of an accepted word
    std::function<std::string(const T& value)> write;
    Choice(ChoiceSpec names, std::function<T(const std::string&)> reads,
           std::function<std::string(const T&)> writes)
        : spec(std::move(names)), read(std::move(reads)), write(std::move(writes)) {}
    Choice(const Choice&) = delete;
};

/// What was chosen; what was not is at its default. Equal choices are equal words.
class Choices {
public:
    template <typename T>
    T operator[](const Choice<T>& choice) const {
        return choice.read(word(choice.spec));
    }

    template <typename T>
    void set(const Choice<T>& choice, const std::type_identity_t<T>& value) {
        setWord(choice.spec, choice.write(value));
    }

    [[nodiscard]] const std::string& word(const ChoiceSpec& spec) const {
        const auto found = words_.find(&spec);
        return found == words_.end() ? spec.usual : found->second;
    }

    /// False where the word is none of the choice's: nothing changes then.
    bool setWord(const ChoiceSpec& spec, const std::string& word) {
        if (word == spec.usual) {
            words_.erase(&spec);
        } else if (spec.accepts(word)) {
            words_[&spec] = word;
        } else {
            return false;
        }
        return true;
    }

    /// These choices alone.
    [[nodiscard]] Choices only(const ChoiceSpecs& specs) const {
        Choices some;
        for (const ChoiceSpec* spec : specs) {
            some.setWord(*spec, word(*spec));
        }
        return some;
    }

    bool operator==(const Choices&) const = default;

private:
    std::map<const ChoiceSpec*, std::string> words_; ///< of what is not at its default
};

/// One of several values with a name each: keyOf(value).
template <typename T>
Choice<T> wordChoice(ChoiceSpec spec, T usual, const std::vector<T>& values) {
    std::map<std::string, T> byWord;
    for (const T value : values) {
        byWord.emplace(keyOf(value), value);
        spec.form += (spec.form.empty() ? "" : "|") + std::string(keyOf(value));
    }
    spec.usual = keyOf(usual);
    spec.accepts = [byWord](const std::string& word) { return byWord.contains(word); };
    return {std::move(spec), [byWord](const std::string& word) { return byWord.at(word); },
            [](const T& value) { return std::string(keyOf(value)); }};
}

/// On or off; the option, without a value, chooses what is not usual.
inline Choice<bool> flagChoice(ChoiceSpec spec, bool usual) {
    spec.usual = usual ? "true" : "false";
    spec.flag = usual ? "false" : "true";
    spec.accepts = [](const std::string& word) { return word == "true" || word == "false"; };
    return {std::move(spec), [](const std::string& word) { return word == "true"; },
            [](const bool& value) { return std::string(value ? "true" : "false"); }};
}

inline constexpr std::size_t mostBytesOfText = 4096; ///< of a path, and more than any other word

inline Choice<std::string> textChoice(ChoiceSpec spec) {
    if (!spec.accepts) {
        spec.accepts = [](const std::string& word) { return word.size() <= mostBytesOfText; };
    }
    return {std::move(spec), [](const std::string& word) { return word; },
            [](const std::string& value) { return value; }};
}

template <typename Number>
Choice<Number> numberChoice(ChoiceSpec spec, Number usual, NumberRange<Number> range) {
    spec.form = std::is_floating_point_v<Number> ? "X" : "N";
    spec.limits = wordsOf(range);
    spec.usual = fmt::format("{}", usual);
    spec.accepts = [range](const std::string& word) { return parseNumber(word, range).has_value(); };
    return {std::move(spec),
            [range, usual](const std::string& word) { return parseNumber(word, range).value_or(usual); },
            [](const Number& value) { return fmt::format("{}", value); }};
}

/// A number or, by default, none.
template <typename Number>
Choice<std::optional<Number>> optionalChoice(ChoiceSpec spec, NumberRange<Number> range) {
    spec.form = std::is_floating_point_v<Number> ? "X" : "N";
    spec.limits = wordsOf(range);
    spec.accepts = [range](const std::string& word) { return parseNumber(word, range).has_value(); };
    return {std::move(spec), [range](const std::string& word) { return parseNumber(word, range); },
            [](const std::optional<Number>& value) { return value ? fmt::format("{}", *value) : ""; }};
}

} // namespace loadline::app
