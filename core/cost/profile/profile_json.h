// Profiles as JSON ("loadline.profile/1"), in and out.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"
#include "core/text/json/json_fields.h"

#include <map>
#include <string>
#include <string_view>

namespace loadline {

/// Reads a profile; `path` is for messages alone. The first thing that is wrong is the Error: not JSON,
/// another schema, an unknown kernel or shape, a time that is not above 0, k or rows out of range, the same
/// point twice. Unknown keys of device, method and ceilings are kept; elsewhere they are ignored.
///
/// A point's "origin" and "source" default to the document's. For grouped kernels "experts" counts the
/// active ones, "rows_m" is per expert. "repeat_us" is the same point timed again, "isolated_us" one call by
/// itself, "drifted_us" a time that was replaced as the device drifted, "between_runs" half
/// of the interval in which another run's time lies, as a share. "attention" may be left out; each of
/// its entries is a call: {"phase": "decode", "q_heads": 32, "kv_heads": 8, "head_dim": 128, "batch": 4,
/// "tokens": 1024, "time_us": 21.5, ...}, times and flags as of points.
Result<Profile> profileFromJson(std::string_view json, const std::string& path);

/// One document, keys as the command line promises, points one per line; reads back equal.
std::string toJson(const Profile& profile);

/// One of its points, on one line.
std::string toJson(const ProfilePoint& point);
std::string toJson(const AttentionTiming& point);

/// Read members of a document: a profile, one of its points (`origin` if it names none), its row tiles.
Profile profileIn(JsonFields& fields);
ProfilePoint profilePointIn(JsonFields& fields, PointOrigin origin = PointOrigin::Measured);
AttentionTiming attentionTimingIn(JsonFields& fields, PointOrigin origin = PointOrigin::Measured);
std::map<std::string, int> rowTilesIn(JsonFields& fields);

} // namespace loadline
