#include "core/session/claude/record_members.h"

#include <array>
#include <string_view>

namespace loadline::claude {
namespace {

struct KnownMember {
    std::string_view key;
    JsonValue RecordMembers::*member;
};

constexpr std::array<KnownMember, 28> knownMembers{{
    {"cwd", &RecordMembers::cwd},
    {"type", &RecordMembers::type},
    {"uuid", &RecordMembers::uuid},
    {"data", &RecordMembers::data},
    {"error", &RecordMembers::error},
    {"isMeta", &RecordMembers::isMeta},
    {"origin", &RecordMembers::origin},
    {"message", &RecordMembers::message},
    {"version", &RecordMembers::version},
    {"agentId", &RecordMembers::agentId},
    {"subtype", &RecordMembers::subtype},
    {"summary", &RecordMembers::summary},
    {"aiTitle", &RecordMembers::aiTitle},
    {"leafUuid", &RecordMembers::leafUuid},
    {"sessionId", &RecordMembers::sessionId},
    {"gitBranch", &RecordMembers::gitBranch},
    {"requestId", &RecordMembers::requestId},
    {"timestamp", &RecordMembers::timestamp},
    {"operation", &RecordMembers::operation},
    {"parentUuid", &RecordMembers::parentUuid},
    {"isSidechain", &RecordMembers::isSidechain},
    {"customTitle", &RecordMembers::customTitle},
    {"fallbackModel", &RecordMembers::fallbackModel},
    {"compactMetadata", &RecordMembers::compactMetadata},
    {"isCompactSummary", &RecordMembers::isCompactSummary},
    {"isApiErrorMessage", &RecordMembers::isApiErrorMessage},
    {"logicalParentUuid", &RecordMembers::logicalParentUuid},
    {"microcompactMetadata", &RecordMembers::microcompactMetadata},
}};

constexpr std::size_t longestKey = 20;

/// First entry of knownMembers for each key length; the table is sorted by length.
constexpr std::array<std::uint8_t, longestKey + 2> firstOfLength = [] {
    std::array<std::uint8_t, longestKey + 2> first{};
    for (std::size_t length = 0; length < first.size(); ++length) {
        std::size_t i = 0;
        while (i < knownMembers.size() && knownMembers[i].key.size() < length) {
            ++i;
        }
        first[length] = static_cast<std::uint8_t>(i);
    }
    return first;
}();

} // namespace

RecordMembers membersOf(JsonValue record) {
    RecordMembers members;
    record.forEachMember([&](std::string_view key, JsonValue value) {
        if (key.size() > longestKey) {
            return;
        }
        for (std::size_t i = firstOfLength[key.size()]; i < firstOfLength[key.size() + 1]; ++i) {
            if (knownMembers[i].key == key) {
                members.*knownMembers[i].member = value;
                return;
            }
        }
    });
    return members;
}

} // namespace loadline::claude
