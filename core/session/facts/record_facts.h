// Facts of one record of a log, taken from its line alone: the columns between parsing and the assembly of a
// file, the same for every program.
#pragma once

#include "core/base/hash128.h"
#include "core/session/facts/name_table.h"
#include "core/session/lines/diagnostic_collector.h"
#include "core/session/session_file.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace loadline::facts {

enum class RecordType : std::uint8_t { Assistant, User, Attachment, Other };

/// Index into one of the columns of PartFacts.
using Row = std::uint32_t;
inline constexpr Row noRow = std::numeric_limits<Row>::max();

/// Any record. `place.line` counts from the start of the part.
struct RecordFacts {
    RecordPlace place;
    TimeMs time = unknownTime;
    Hash128 uuid;   ///< zero: none
    Hash128 parent; ///< parentUuid, or logicalParentUuid after a compaction
    std::uint32_t type = 0, version = 0, sessionId = 0, cwd = 0, gitBranch = 0, agentId = 0; ///< names
    Row detail = noRow; ///< its row in calls (Assistant) or users (User)
    RecordType kind = RecordType::Other;
    bool sidechain = false;
};

/// One assistant line, or the record inside an agent_progress record.
struct CallFacts {
    Hash128 key;
    std::uint64_t message = 0; ///< fingerprint of message.id alone; 0 without
    Usage usage;
    TimeMs time = unknownTime; ///< of the inner record, for progress
    std::uint64_t contentCharacters = 0;
    Row firstTool = 0, toolCount = 0;
    std::uint32_t model = 0;
    bool counts = false; ///< has usage and is not synthetic: a line of an API call
    bool final = false;  ///< has a stop_reason
    bool named = false;  ///< the key is of message.id or requestId, not of the record
};

struct UserFacts {
    std::int64_t inputCharacters = 0;
    std::uint64_t textPrint = 0; ///< fingerprint of a sidechain's prompt, to find the tool call it came from
    Row firstResult = 0, resultCount = 0;
    Row preview = noRow; ///< row in texts
    UserKind kind = UserKind::Human;
};

struct ToolUseFacts {
    Hash128 id;
    std::uint64_t promptPrint = 0; ///< of Task and Agent: fingerprint of the prompt given
    std::uint32_t name = 0;
    std::uint32_t agentType = 0; ///< of Task and Agent: the sub-agent asked for
};

struct ToolResultFacts {
    Hash128 id;
    bool isError = false;
};

struct EventFacts {
    Row record = 0; ///< index into records
    EventKind kind = EventKind::ApiError;
    Tokens tokens = 0;
    std::uint32_t detail = 0;
};

/// A call inside a progress record.
struct ProgressFacts {
    Row record = 0;
    Row call = 0;
};

enum class TitleSource : std::uint8_t { Summary, Ai, Custom };

struct TitleFacts {
    TitleSource source = TitleSource::Summary;
    Hash128 leaf; ///< of a summary: the record it sums up to
    Row text = noRow;
};

/// Everything of a part of a file: whole lines, in order.
struct PartFacts {
    std::vector<RecordFacts> records;
    std::vector<CallFacts> calls;
    std::vector<UserFacts> users;
    std::vector<ToolUseFacts> tools;
    std::vector<ToolResultFacts> results;
    std::vector<EventFacts> events;
    std::vector<ProgressFacts> progress;
    std::vector<TitleFacts> titles;
    std::vector<std::string> texts;
    NameTable names;
    DiagnosticCollector diagnostics;
    std::uint64_t lines = 0, blankLines = 0, badLines = 0, extraObjects = 0, bytes = 0;
    std::uint64_t ownRecords = 0; ///< records that are surely of the program whose format is read
    bool badLastLine = false, byteOrderMark = false, lastLineEnded = true;
    bool readFailed = false; ///< DiagnosticKind::ReadError
};

} // namespace loadline::facts
