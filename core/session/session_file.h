// One session file as it was read: its API calls, user records, tools and events, with the place of each.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/hash128.h"
#include "core/base/time.h"
#include "core/session/usage.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace loadline {

/// The place of a record in its file; enough to read its raw JSON again.
struct RecordPlace {
    std::uint64_t offset = 0; ///< byte offset of the line's start in the file
    std::uint32_t length = 0; ///< bytes of the line without its end
    std::uint32_t line = 0;   ///< 1-based physical line (files have at most 2^32 lines)
    auto operator<=>(const RecordPlace&) const = default;
};

/// Index into SessionFile::names (models, tools, versions, ...: words that recur), as wide as the numbers of
/// NameTable: no name of a file is left out.
using NameIndex = std::uint32_t;
inline constexpr NameIndex noName = 0; ///< names[0] is always ""

/// Index into SessionFile::lanes.
using LaneIndex = std::uint16_t;

/// The actor in a lane.
enum class LaneKind : std::uint8_t { Main, SubAgent, InlineSidechain, Compaction, PromptSuggestion };

/// A strand of the conversation whose records follow each other: the main agent or one sub-agent.
struct Lane {
    LaneKind kind = LaneKind::Main;
    std::string agentId;   ///< "" for the main lane
    std::string agentType; ///< "Explore", ... where the log says so, else ""
    bool operator==(const Lane&) const = default;
};

/// One API call, all its lines in this file combined (spec "API call": key, field-wise maximum).
struct ApiCall {
    static constexpr std::uint32_t noCall = 0xffff'ffff;

    Hash128 key; ///< fingerprint of (message.id, requestId or ""), or of the uuid
    /// Low half of the fingerprint of message.id, 0 without one: finds replays that have another requestId.
    std::uint64_t messageId = 0;
    Usage usage;
    TimeMs requestTime = unknownTime; ///< time of the record it answers (latest before it in its lane)
    TimeMs firstTime = unknownTime;   ///< earliest of its lines
    TimeMs lastTime = unknownTime;    ///< latest of its lines
    RecordPlace place;                ///< its first line
    std::uint32_t lines = 0;
    std::uint32_t contentCharacters = 0; ///< text, thinking, tool name and input of its distinct records
    /// Index into SessionFile::promptTurns, of the prompt up its chain of parents, without a chain the last
    /// one before it; -1: there is none, or not main lane.
    std::int32_t promptTurn = -1;
    /// Index into SessionFile::calls: the nearest one up its chain of parents, in whatever lane; noCall: none
    /// in this file.
    std::uint32_t before = noCall;
    NameIndex model = noName;
    NameIndex version = noName; ///< CLI version of the first line
    LaneIndex lane = 0;
    OutputQuality quality = OutputQuality::LowerBound; ///< Final, LowerBound or StartOnly
    bool sidechain = false;                            ///< isSidechain of its first line
    bool outputGrew = false;                           ///< its lines recorded different output counts
};

/// The kind of a user record (spec section 5, first rule that fits).
enum class UserKind : std::uint8_t {
    ToolResult,
    CompactSummary,
    Meta,
    SidechainPrompt,
    Interrupt,
    SlashCommand,
    BashInput,
    Injected,
    Human,
};
inline constexpr std::size_t userKindCount = 9;

/// One `user` record; also one turn of the published script's method.
struct UserRecord {
    TimeMs time = unknownTime;
    RecordPlace place;
    std::int64_t inputCharacters = 0; ///< Unicode code points as the published script counts them
    std::int64_t outputPerLine =
        0; ///< sum of output_tokens over the assistant lines up to the next user record
    LaneIndex lane = 0;
    UserKind kind = UserKind::Human;
};

/// Human prompt, slash command or bash input, and the main-lane calls up to the next one.
struct PromptTurn {
    std::uint32_t userRecord = 0; ///< index into SessionFile::userRecords
    std::string preview;          ///< first words of the prompt, at most 120 characters, one line
};

/// One tool call, counted by distinct tool_use id.
struct ToolUse {
    Hash128 id;
    TimeMs useTime = unknownTime;    ///< time of the assistant line that asked for it
    TimeMs resultTime = unknownTime; ///< time of its tool_result; unknown while it runs or when it was lost
    RecordPlace place;               ///< the line that asked for it
    std::uint32_t call = 0; ///< index into SessionFile::calls; calls.size() when its call has no usage
    NameIndex name = noName;
    LaneIndex lane = 0;
    bool isError = false; ///< tool_result said is_error
};

enum class EventKind : std::uint8_t {
    Compaction,      ///< compact_boundary; tokens = context before it
    MicroCompaction, ///< microcompact_boundary; tokens = tokens saved
    ApiError,        ///< a failed attempt (system/api_error) or an isApiErrorMessage record
    Synthetic,       ///< record made by the client (model "<synthetic>"): no API call
    Interrupt,       ///< the user stopped the agent
    ModelFallback,   ///< refused by one model, answered by another
    PromptQueued,    ///< queue-operation enqueue
};

/// Something that happened at one moment.
struct SessionEvent {
    EventKind kind = EventKind::ApiError;
    TimeMs time = unknownTime;
    RecordPlace place;
    Tokens tokens = 0;
    NameIndex detail = noName; ///< short: trigger, error name, model
    LaneIndex lane = 0;
};

/// Which call the conversation had come to with a record: what continues from there follows that call.
struct RecordLink {
    static constexpr std::uint32_t noCall = ApiCall::noCall;

    std::uint64_t print = 0;     ///< low half of the fingerprint of the record's uuid
    std::uint32_t call = noCall; ///< index into SessionFile::calls: the nearest one up its chain of parents
    bool operator==(const RecordLink&) const = default;
};

enum class FileRole : std::uint8_t { Main, SubAgent };

/// Everything Loadline keeps of one file. Columns are in file order. Read-only after the reader made it.
struct SessionFile {
    // Identity.
    std::string path;  ///< as given on the command line, joined with '/'
    std::string agent; ///< SessionFormat::agent of the program that wrote it
    FileRole role = FileRole::Main;
    std::string
        sessionId; ///< of the session it belongs to: the folder's name for sub-agents, else most frequent
    std::string agentId;     ///< of the sub-agent, "" for a main file
    std::string cwd;         ///< first working directory named by a record; "" when none is
    std::string projectSlug; ///< the project that the path names; "" where it names none
    std::string gitBranch;   ///< last one named
    std::string title;       ///< custom-title, else ai-title, else summary, else first human prompt, else a
                             ///< sub-agent's task; <= 120 characters
    std::uint64_t bytes = 0;
    TimeMs firstTime = unknownTime, lastTime = unknownTime; ///< over all records with a timestamp

    // Counts.
    std::map<std::string, std::uint64_t> recordTypes; ///< records by type
    std::map<std::string, std::uint64_t> versions;    ///< records by CLI version
    std::vector<std::uint64_t> userKinds = std::vector<std::uint64_t>(userKindCount); ///< by UserKind
    std::uint64_t physicalLines = 0, blankLines = 0, badLines = 0, extraObjects = 0, duplicateUuids = 0;
    std::uint64_t toolResultErrors =
        0; ///< tool results marked as errors, also those whose tool use is elsewhere
    bool badLastLine = false, byteOrderMark = false, noFinalNewline = false;

    // Columns.
    std::vector<std::string> names = {""};
    std::vector<Lane> lanes = {Lane{}};
    std::vector<ApiCall> calls;         ///< distinct, in order of their first line
    std::vector<ApiCall> progressCalls; ///< distinct calls seen in agent_progress records
    std::vector<UserRecord> userRecords;
    std::vector<PromptTurn> promptTurns;
    std::vector<ToolUse> tools;
    std::vector<SessionEvent> events;
    std::vector<RecordLink> links; ///< records with a uuid, in order of their first line
    /// RecordLink::print of the record of another file that the first record continues; 0: it begins a chain.
    std::uint64_t continues = 0;

    std::vector<Diagnostic> diagnostics; ///< sorted by line; equal ones merged beyond the first few

    [[nodiscard]] const std::string& name(NameIndex index) const { return names[index]; }
};

/// Human prompts of a file (the contract's "prompts").
std::uint64_t humanPrompts(const SessionFile& file);

} // namespace loadline
