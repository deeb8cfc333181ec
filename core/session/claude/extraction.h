// From one record of a Claude Code session to its facts. Pure: nothing but the record matters.
#pragma once

#include "core/session/claude/record_facts.h"
#include "core/session/claude/record_members.h"

#include <string>
#include <string_view>

namespace loadline::claude {

/// Where an extraction writes to and what it needs on the way.
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

/// Adds the facts of one record (a JSON object).
void extractRecord(Extraction& x, JsonValue record);

// The parts of it, each in its own file.

/// The call that an assistant message belongs to; adds its tool uses.
CallFacts extractCall(Extraction& x, JsonValue message, JsonValue requestId, Hash128 uuid);
/// A user record; adds its tool results and preview.
UserFacts extractUser(Extraction& x, const RecordMembers& members);
/// Events and titles of the other records.
void extractOther(Extraction& x, const RecordMembers& members, std::string_view type, Row record);

/// A count of tokens: 0 when absent, null or (with a diagnostic) no usable number.
Tokens tokensOf(Extraction& x, JsonValue value, std::string_view name);
/// A timestamp; unknownTime when absent or (with a diagnostic) unreadable.
TimeMs timeOf(Extraction& x, JsonValue value);

} // namespace loadline::claude
