// The members of a record that Loadline looks at, found in one pass over its keys.
#pragma once

#include "core/session/json/json_value.h"

namespace loadline::claude {

/// Absent ones are default-made. Of a key that occurs twice the last one counts.
struct RecordMembers {
    JsonValue type, subtype, uuid, parentUuid, logicalParentUuid, timestamp, sessionId, agentId;
    JsonValue cwd, gitBranch, version, isSidechain, isMeta, isCompactSummary, origin;
    JsonValue message, requestId, isApiErrorMessage, error;
    JsonValue data, operation, compactMetadata, microcompactMetadata, fallbackModel;
    JsonValue summary, leafUuid, customTitle, aiTitle;
};

RecordMembers membersOf(JsonValue record);

} // namespace loadline::claude
