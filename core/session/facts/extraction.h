// Extracts facts from one record of a log: where an extraction writes to, and what every format reads alike.
#pragma once

#include "core/session/facts/record_facts.h"
#include "core/session/json/json_number.h"
#include "core/session/json/json_value.h"

#include <optional>
#include <string>
#include <string_view>

namespace loadline::facts {

/// The target of an extraction, and its state on the way.
struct Extraction {
    explicit Extraction(PartFacts& into) : facts(into) {}

    PartFacts& facts;
    RecordPlace place;     ///< of the line being read
    std::string_view line; ///< its text
    RecordFacts previous;  ///< whose names the next record mostly shares
    std::uint32_t model = 0;
    std::string space;  ///< for undoing escapes
    std::string space2; ///< for a second text at the same time

    void note(DiagnosticKind kind, std::string_view detail = {}) {
        facts.diagnostics.add(kind, place.line, detail);
    }
};

/// A count of tokens: 0 when absent, null or (with a diagnostic) no usable number.
inline Tokens tokensOf(Extraction& x, JsonValue value, std::string_view name) {
    if (!value.present() || value.isNull()) {
        return 0;
    }
    const std::optional<std::int64_t> number = wholeNumber(value.word());
    if (!number || *number < 0 || *number > maxTokensPerCall) {
        x.note(DiagnosticKind::BadNumber, name);
        return 0;
    }
    return *number;
}

/// A timestamp; unknownTime when absent or (with a diagnostic) unreadable.
inline TimeMs timeOf(Extraction& x, JsonValue value) {
    if (!value.present() || value.isNull()) {
        return unknownTime;
    }
    const std::optional<TimeMs> time = parseIso8601(value.text(x.space));
    if (!time) {
        x.note(DiagnosticKind::BadTimestamp);
        return unknownTime;
    }
    return *time;
}

} // namespace loadline::facts
