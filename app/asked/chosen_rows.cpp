// Rows as scopes.
#include "app/asked/chosen_rows.h"

#include "core/base/zone.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

constexpr std::string_view turnWord = "prompt-turn";
constexpr std::string_view callWord = "api-call";

/// By the clock that is shown.
std::optional<Scope> onDay(Scope scope, const std::string& day) {
    constexpr std::int64_t dayMs = 86'400'000;
    const auto midnight = parseIso8601(day + "T00:00:00Z");
    if (!midnight) {
        return std::nullopt;
    }
    const TimeMs from = fromShown(*midnight);
    const TimeMs to = fromShown({midnight->ms + dayMs});
    scope.from = std::max(from, scope.from.value_or(from));
    scope.to = std::min(to, scope.to.value_or(to));
    return scope;
}

} // namespace

std::string keyOf(const SessionPromptTurn& turn) {
    return std::to_string(turn.start.ms);
}

std::string keyOf(const CallSpan& call, const Corpus& corpus) {
    return corpus.files[call.evidence.file].file->path + ':' + std::to_string(call.evidence.place.line);
}

std::vector<std::string> wordsOf(const ChosenRows& rows) {
    const std::string_view ofSession = rows.calls ? callWord : turnWord;
    std::vector<std::string> words{std::string(rows.group ? keyOf(*rows.group) : ofSession), rows.session};
    words.insert(words.end(), rows.keys.begin(), rows.keys.end());
    return words;
}

std::optional<ChosenRows> chosenRowsFrom(std::span<const std::string> words) {
    if (words.size() < 3) {
        return std::nullopt;
    }
    ChosenRows rows{.group = compositionGroupFromKey(words[0]),
                    .session = words[1],
                    .keys = {words.begin() + 2, words.end()},
                    .calls = words[0] == callWord};
    return rows.group || rows.calls || words[0] == turnWord ? std::optional(std::move(rows)) : std::nullopt;
}

std::vector<Scope> narrowed(const Scope& scope, CompositionGroup group,
                            const std::vector<std::string>& keys) {
    Scope one = scope;
    std::vector<Scope> scopes;
    switch (group) {
    case CompositionGroup::Session:
        one.sessions = keys;
        break;
    case CompositionGroup::Model:
        one.models = keys;
        break;
    case CompositionGroup::Project:
        one.projects = keys;
        break;
    case CompositionGroup::Agent:
        one.agents = keys;
        break;
    case CompositionGroup::Day:
        for (const std::string& day : keys) {
            if (const auto part = onDay(scope, day)) {
                scopes.push_back(*part);
            }
        }
        return scopes;
    }
    scopes.push_back(std::move(one));
    return scopes;
}

} // namespace loadline::app
