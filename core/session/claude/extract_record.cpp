// Fields that all records share, and which extractor takes the rest.
#include "core/session/claude/extractors.h"

#include <algorithm>
#include <array>

namespace loadline::claude {
namespace {

constexpr std::array<std::string_view, 26> knownTypes{"assistant",
                                                      "user",
                                                      "progress",
                                                      "attachment",
                                                      "system",
                                                      "last-prompt",
                                                      "queue-operation",
                                                      "custom-title",
                                                      "mode",
                                                      "permission-mode",
                                                      "summary",
                                                      "ai-title",
                                                      "pr-link",
                                                      "frame-link",
                                                      "agent-name",
                                                      "agent-setting",
                                                      "bridge-session",
                                                      "worktree-state",
                                                      "relocated",
                                                      "fork-context-ref",
                                                      "tag",
                                                      "started",
                                                      "result",
                                                      "file-history-delta",
                                                      "file-history-snapshot",
                                                      "agent-color"};

bool isKnownType(std::string_view type) {
    return std::ranges::find(knownTypes, type) != knownTypes.end();
}

/// Words such as "user" and "result" are in the logs of others too; then only other members tell.
bool isOwn(const RecordMembers& members, std::string_view type) {
    return isKnownType(type) &&
           (members.message.isObject() || members.uuid.isString() || members.sessionId.isString() ||
            members.leafUuid.isString() || type.find('-') != std::string_view::npos);
}

Hash128 printOf(Extraction& x, JsonValue value) {
    return hashOf(value.text(x.space));
}

std::uint32_t nameOf(Extraction& x, JsonValue value, std::uint32_t guess) {
    return value.present() ? x.facts.names.numberOf(value.text(x.space), guess) : 0;
}

} // namespace

void extractRecord(Extraction& x, JsonValue record) {
    const RecordMembers members = membersOf(record);
    RecordFacts facts;
    facts.place = x.place;
    facts.time = timeOf(x, members.timestamp);
    facts.uuid = printOf(x, members.uuid);
    facts.parent = printOf(x, members.parentUuid.isString() ? members.parentUuid : members.logicalParentUuid);
    facts.version = nameOf(x, members.version, x.previous.version);
    facts.sessionId = nameOf(x, members.sessionId, x.previous.sessionId);
    facts.cwd = nameOf(x, members.cwd, x.previous.cwd);
    facts.gitBranch = nameOf(x, members.gitBranch, x.previous.gitBranch);
    facts.agentId = nameOf(x, members.agentId, x.previous.agentId);
    facts.sidechain = members.isSidechain.isTrue();
    facts.type = nameOf(x, members.type, x.previous.type);
    const std::string type = x.facts.names.name(facts.type);
    const auto row = static_cast<Row>(x.facts.records.size());
    if (type == "assistant") {
        facts.kind = RecordType::Assistant;
        facts.detail = static_cast<Row>(x.facts.calls.size());
        if (!members.message.isObject()) {
            x.note(DiagnosticKind::MissingField, "message");
        }
        CallFacts call = extractCall(x, members.message, members.requestId, facts.uuid);
        call.time = facts.time;
        const bool synthetic = x.facts.names.name(call.model) == "<synthetic>";
        if (members.isApiErrorMessage.isTrue()) {
            const std::uint32_t detail = nameOf(x, members.error, 0);
            x.facts.events.push_back({.record = row, .kind = EventKind::ApiError, .detail = detail});
        } else if (synthetic) {
            x.facts.events.push_back({.record = row, .kind = EventKind::Synthetic});
        } else if (members.message.isObject() && !call.counts) {
            x.note(DiagnosticKind::MissingField, "usage");
        }
        x.facts.calls.push_back(call);
    } else if (type == "user") {
        facts.kind = RecordType::User;
        facts.detail = static_cast<Row>(x.facts.users.size());
        if (!members.message.isObject()) {
            x.note(DiagnosticKind::MissingField, "message");
        }
        x.facts.users.push_back(extractUser(x, members));
        if (x.facts.users.back().kind == UserKind::Interrupt) {
            x.facts.events.push_back({.record = row, .kind = EventKind::Interrupt});
        }
    } else {
        facts.kind = type == "attachment" ? RecordType::Attachment : RecordType::Other;
        if (!isKnownType(type)) {
            x.note(DiagnosticKind::UnknownType, type.empty() ? "(no type)" : type.substr(0, 60));
        }
        extractOther(x, members, type, row);
    }
    x.facts.ownRecords += isOwn(members, type) ? 1 : 0;
    x.previous = facts;
    x.facts.records.push_back(facts);
}

} // namespace loadline::claude
