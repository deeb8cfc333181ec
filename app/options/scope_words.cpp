// The fields of a scope, and its words.
#include "app/options/scope_words.h"

#include "core/ask/field_row.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

constexpr std::int64_t msPerDay = 86'400'000;
constexpr NumberRange<Tokens> turnTokens{0, maxTokensPerCount};

/// A day or an instant; a day means its begin or, as an end, the begin of the next.
std::optional<TimeMs> timeFrom(std::string_view text, bool asEnd) {
    constexpr std::size_t lettersOfDay = 10;
    if (text.size() == lettersOfDay) {
        const std::optional<TimeMs> day = parseIso8601(std::string(text) + "T00:00:00Z");
        return day ? std::optional(TimeMs{day->ms + (asEnd ? msPerDay : 0)}) : std::nullopt;
    }
    return parseIso8601(text);
}

template <auto member, bool asEnd>
ask::FieldText timeText() {
    return {.form = "YYYY-MM-DD[Thh:mm:ssZ]",
            .text =
                [](const void* scope) {
                    return formatIso8601((static_cast<const Scope*>(scope)->*member).value_or(unknownTime));
                },
            .read =
                [](void* scope, std::string_view text) {
                    const std::optional<TimeMs> time = timeFrom(text, asEnd);
                    static_cast<Scope*>(scope)->*member = time ? time : static_cast<Scope*>(scope)->*member;
                    return time.has_value();
                }};
}

/// "A:B", "A:" or ":B".
std::optional<TokenRange> tokensFrom(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view low = text.substr(0, colon);
    const std::string_view high = text.substr(colon + 1);
    const std::optional<Tokens> first = low.empty() ? turnTokens.least : parseNumber(low, turnTokens);
    const std::optional<Tokens> last = high.empty() ? turnTokens.most : parseNumber(high, turnTokens);
    return first && last && *first <= *last ? std::optional(TokenRange{*first, *last}) : std::nullopt;
}

template <auto member>
ask::FieldText tokensText() {
    static const std::string limits = fmt::format("{}..{}", turnTokens.least, turnTokens.most);
    return {.form = "A:B",
            .text =
                [](const void* scope) {
                    const std::optional<TokenRange>& range = static_cast<const Scope*>(scope)->*member;
                    return range ? fmt::format("{}:{}", range->low, range->high) : std::string();
                },
            .read =
                [](void* scope, std::string_view text) {
                    const std::optional<TokenRange> range = tokensFrom(text);
                    static_cast<Scope*>(scope)->*member = range ? range : static_cast<Scope*>(scope)->*member;
                    return range.has_value();
                },
            .limits = limits};
}

} // namespace

ask::Fields scopeFields() {
    using ask::inWords;
    using ask::row;
    static const std::vector<ask::Field> rows = ask::inGroup(
        "What it is about",
        {row("session", inWords<Scope>(),
             {"session", "A session's id or its beginning; may be given several times"}, {}, {}, {},
             {.text = ask::textsOf<&Scope::sessions>("ID")}),
         row("project", inWords<Scope>(),
             {"project", "A project, as 'loadline sessions' names it, or a part of its name"}, {}, {}, {},
             {.text = ask::textsOf<&Scope::projects>("NAME")}),
         row("model", inWords<Scope>(), {"model", "A model, or a part of its name"}, {}, {}, {},
             {.text = ask::textsOf<&Scope::models>("NAME")}),
         row("agent", inWords<Scope>(), {"agent", "main, sub-agent, a lane's or an agent program's name"}, {},
             {}, {}, {.text = ask::textsOf<&Scope::agents>("NAME")}),
         row("text", ask::bound<&Scope::text>(),
             {"text", "Part of a title, project, path, session id or model"}, {}, {}, {},
             {.text = {.form = "TEXT"}}),
         row("from", inWords<Scope>(), {"first time", "Calls from this time on (UTC)"}, {}, {}, {},
             {.text = timeText<&Scope::from, false>()}),
         row("to", inWords<Scope>(), {"last time", "Calls before this time, or up to the end of this day"},
             {}, {}, {}, {.text = timeText<&Scope::to, true>()}),
         row("turn-input", inWords<Scope>(), {"input of turns", "Highlight turns with A to B input tokens"},
             {}, {}, {}, {.text = tokensText<&Scope::turnInput>()}),
         row("turn-output", inWords<Scope>(),
             {"output of turns", "Highlight turns with A to B output tokens"}, {}, {}, {},
             {.text = tokensText<&Scope::turnOutput>()})});
    return rows;
}

std::vector<std::string> wordsOf(const Scope& scope) {
    std::vector<std::string> words;
    for (const ask::Field& field : scopeFields()) {
        const bool isList = field.traits.text.several != nullptr;
        std::vector<std::string> texts =
            isList ? field.traits.text.several(&scope) : std::vector{ask::textOf(field, &scope)};
        for (std::string& text : texts) {
            if (isList || !text.empty()) {
                words.insert(words.end(), {ask::optionOf(field, nullptr), std::move(text)});
            }
        }
    }
    return words;
}

std::optional<Scope> scopeFrom(std::span<const std::string> words) {
    Scope scope;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const ask::Field* field =
            words[i].starts_with("--") ? ask::findField(scopeFields(), words[i].substr(2)) : nullptr;
        if (field == nullptr || i + 1 == words.size() || !ask::readText(*field, words[i + 1], &scope)) {
            return std::nullopt;
        }
    }
    return scope;
}

} // namespace loadline::app
