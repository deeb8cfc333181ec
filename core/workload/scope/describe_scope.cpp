// The scope in words, for the captions of charts.
#include "core/base/zone.h"
#include "core/text/model_name.h"
#include "core/text/number_format.h"
#include "core/workload/scope/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace loadline {
namespace {

constexpr std::int64_t dayMs = 86'400'000;

bool isMidnight(TimeMs time) {
    return asShown(time).ms % dayMs == 0;
}

/// "2026-01-20", or with the time of day, to the second, where it is not midnight.
std::string dayOrTime(TimeMs time) {
    const TimeMs shown = asShown(time);
    return isMidnight(time) ? utcDay(shown)
                            : utcDay(shown) + " " + formatIso8601(shown).substr(11, 8) + " " + zoneAt(time);
}

std::string timeWords(const Scope& scope) {
    if (!scope.to) {
        return "from " + dayOrTime(*scope.from);
    }
    if (!scope.from) {
        return "before " + dayOrTime(*scope.to);
    }
    if (isMidnight(*scope.from) && isMidnight(*scope.to) && scope.from->ms < scope.to->ms) {
        const std::string first = utcDay(asShown(*scope.from));
        const std::string last = utcDay(asShown({scope.to->ms - 1}));
        return first == last ? last : first + " to " + last;
    }
    return "from " + dayOrTime(*scope.from) + " to " + dayOrTime(*scope.to);
}

/// "model a", "models a, b", "5 models".
std::string listWords(std::string_view noun, std::span<const std::string> entries) {
    if (entries.size() > 3) {
        return fmt::format("{} {}s", entries.size(), noun);
    }
    return fmt::format("{}{} {}", noun, entries.size() > 1 ? "s" : "", fmt::join(entries, ", "));
}

std::string rangeWords(std::string_view what, const TokenRange& range, std::string_view bound = {}) {
    return range.low == range.high ? fmt::format("{} of {}{} {}", what, bound, formatExact(range.low),
                                                 range.low == 1 ? "token" : "tokens")
                                   : fmt::format("{} of {}{} to {} tokens", what, bound,
                                                 formatExact(range.low), formatExact(range.high));
}

const Session* sessionByKey(const Corpus& corpus, const std::string& key) {
    const auto found = std::ranges::find(corpus.sessions, key, &Session::key);
    return found == corpus.sessions.end() ? nullptr : &*found;
}

} // namespace

bool outputIsABound(const Corpus& corpus, const Selection& selection) {
    for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
        if (selection.callHit[i] != 0 && corpus.calls[i].quality != OutputQuality::Final) {
            return true;
        }
    }
    return false;
}

std::string describe(const Scope& scope, const Corpus& corpus, const Selection& selection) {
    static const Scope everything;
    const std::size_t all = corpus.sessions.size();
    const std::string_view noun = all == 1 ? "session" : "sessions";
    if (scope == everything) {
        return all == 1 ? "1 session" : fmt::format("all {} {}", all, noun);
    }
    std::string words = fmt::format("{} of {} {}", selection.sessions, all, noun);
    const auto add = [&words](const std::string& part) { words += ", " + part; };
    if (scope.sessions.size() == 1) {
        const Session* session = sessionByKey(corpus, scope.sessions.front());
        add(session == nullptr       ? "session " + scope.sessions.front()
            : session->title.empty() ? "session " + session->sessionId
                                     : "“" + session->title + "”");
    }
    if (!scope.projects.empty()) {
        add(listWords("project", scope.projects));
    }
    if (!scope.models.empty()) {
        std::vector<std::string> models;
        for (const std::string& model : scope.models) {
            models.push_back(shortModelName(model));
        }
        add(listWords("model", models));
    }
    if (!scope.agents.empty()) {
        add(listWords("agent", scope.agents));
    }
    if (!scope.text.empty()) {
        add("with “" + scope.text + "”");
    }
    if (scope.from || scope.to) {
        add(timeWords(scope));
    }
    if (scope.turnInput) {
        add(rangeWords("turns with input", *scope.turnInput));
    }
    if (scope.turnOutput) {
        add(rangeWords("turns with output", *scope.turnOutput,
                       outputIsABound(corpus, selection) ? "≥ " : ""));
    }
    return words;
}

} // namespace loadline
