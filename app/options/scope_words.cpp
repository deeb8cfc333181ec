// A scope as the words of a command line, and back.
#include "app/options/scope_words.h"

#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

using ListField = std::vector<std::string> Scope::*;
using TimeField = std::optional<TimeMs> Scope::*;
using RangeField = std::optional<TokenRange> Scope::*;

constexpr std::pair<std::string_view, ListField> listOptions[] = {{"--session", &Scope::sessions},
                                                                  {"--project", &Scope::projects},
                                                                  {"--model", &Scope::models},
                                                                  {"--agent", &Scope::agents}};
constexpr std::pair<std::string_view, TimeField> timeOptions[] = {{"--from", &Scope::from},
                                                                  {"--to", &Scope::to}};
constexpr std::pair<std::string_view, RangeField> rangeOptions[] = {{"--turn-input", &Scope::turnInput},
                                                                    {"--turn-output", &Scope::turnOutput}};

std::optional<TokenRange> tokenRangeFrom(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const auto low = parseNumber<Tokens>(text.substr(0, colon));
    const auto high = parseNumber<Tokens>(text.substr(colon + 1));
    return low && high && 0 <= *low && *low <= *high ? std::optional(TokenRange{*low, *high}) : std::nullopt;
}

/// False where the option is none of a scope's, or the value not one of its own.
bool takeOption(Scope& scope, std::string_view option, const std::string& value) {
    for (const auto& [name, list] : listOptions) {
        if (name == option) {
            (scope.*list).push_back(value);
            return true;
        }
    }
    for (const auto& [name, time] : timeOptions) {
        if (name == option) {
            scope.*time = parseIso8601(value);
            return (scope.*time).has_value();
        }
    }
    for (const auto& [name, range] : rangeOptions) {
        if (name == option) {
            scope.*range = tokenRangeFrom(value);
            return (scope.*range).has_value();
        }
    }
    scope.text = value;
    return option == "--text";
}

} // namespace

std::vector<std::string> wordsOf(const Scope& scope) {
    std::vector<std::string> words;
    const auto add = [&](std::string_view option, std::string value) {
        words.emplace_back(option);
        words.push_back(std::move(value));
    };
    for (const auto& [name, list] : listOptions) {
        for (const std::string& value : scope.*list) {
            add(name, value);
        }
    }
    if (!scope.text.empty()) {
        add("--text", scope.text);
    }
    for (const auto& [name, time] : timeOptions) {
        if (scope.*time) {
            add(name, formatIso8601(*(scope.*time)));
        }
    }
    for (const auto& [name, range] : rangeOptions) {
        if (const auto& tokens = scope.*range) {
            add(name, fmt::format("{}:{}", tokens->low, tokens->high));
        }
    }
    return words;
}

std::optional<Scope> scopeFrom(std::span<const std::string> words) {
    Scope scope;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        if (i + 1 == words.size() || !takeOption(scope, words[i], words[i + 1])) {
            return std::nullopt;
        }
    }
    return scope;
}

} // namespace loadline::app
