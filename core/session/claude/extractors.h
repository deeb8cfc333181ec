// Extracts facts from one record of a Claude Code session. Pure: nothing but the record matters.
#pragma once

#include "core/session/claude/record_members.h"
#include "core/session/facts/extraction.h"

#include <string_view>

namespace loadline::claude {

using namespace facts;

/// Adds the facts of one record (a JSON object).
void extractRecord(Extraction& x, JsonValue record);

// The parts of it, each in its own file.

/// The call that an assistant message belongs to; adds its tool uses.
CallFacts extractCall(Extraction& x, JsonValue message, JsonValue requestId, Hash128 uuid);
/// A user record; adds its tool results and preview.
UserFacts extractUser(Extraction& x, const RecordMembers& members);
/// Events and titles of the other records.
void extractOther(Extraction& x, const RecordMembers& members, std::string_view type, Row record);

} // namespace loadline::claude
