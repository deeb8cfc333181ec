// The members of a record, by the length of their keys.
#include "core/session/claude/record_members.h"

#include <string_view>

namespace loadline::claude {
namespace {

template <std::size_t Size>
bool take(std::string_view key, JsonValue value, const char (&word)[Size], JsonValue& member) {
    if (!is(key, word)) {
        return false;
    }
    member = value;
    return true;
}

} // namespace

RecordMembers membersOf(JsonValue record) {
    RecordMembers m;
    record.forEachMember([&](std::string_view key, JsonValue value) {
        switch (key.size()) {
        case 3:
            take(key, value, "cwd", m.cwd);
            break;
        case 4:
            if (!take(key, value, "type", m.type) && !take(key, value, "uuid", m.uuid)) {
                take(key, value, "data", m.data);
            }
            break;
        case 5:
            take(key, value, "error", m.error);
            break;
        case 6:
            if (!take(key, value, "isMeta", m.isMeta)) {
                take(key, value, "origin", m.origin);
            }
            break;
        case 7:
            if (!take(key, value, "message", m.message) && !take(key, value, "version", m.version) &&
                !take(key, value, "agentId", m.agentId) && !take(key, value, "subtype", m.subtype) &&
                !take(key, value, "summary", m.summary)) {
                take(key, value, "aiTitle", m.aiTitle);
            }
            break;
        case 8:
            take(key, value, "leafUuid", m.leafUuid);
            break;
        case 9:
            if (!take(key, value, "sessionId", m.sessionId) && !take(key, value, "gitBranch", m.gitBranch) &&
                !take(key, value, "requestId", m.requestId) && !take(key, value, "timestamp", m.timestamp)) {
                take(key, value, "operation", m.operation);
            }
            break;
        case 10:
            take(key, value, "parentUuid", m.parentUuid);
            break;
        case 11:
            if (!take(key, value, "isSidechain", m.isSidechain)) {
                take(key, value, "customTitle", m.customTitle);
            }
            break;
        case 13:
            take(key, value, "fallbackModel", m.fallbackModel);
            break;
        case 15:
            take(key, value, "compactMetadata", m.compactMetadata);
            break;
        case 16:
            take(key, value, "isCompactSummary", m.isCompactSummary);
            break;
        case 17:
            if (!take(key, value, "isApiErrorMessage", m.isApiErrorMessage)) {
                take(key, value, "logicalParentUuid", m.logicalParentUuid);
            }
            break;
        case 20:
            take(key, value, "microcompactMetadata", m.microcompactMetadata);
            break;
        default:
            break;
        }
    });
    return m;
}

} // namespace loadline::claude
