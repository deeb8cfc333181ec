// Measured attention kernels: one layer's time by batch and context.
#pragma once

#include "core/base/result.h"
#include "core/cost/estimate/log_curve.h"
#include "core/cost/profile/profile.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// One layer's attention in microseconds, by batch (sequences) and tokens each.
struct AttentionTable {
    std::string source;
    std::string device;
    PointOrigin origin = PointOrigin::Published;
    /// batch -> time over tokens per sequence
    using ByBatch = std::map<int, LogCurve>;
    std::map<AttentionHeads, ByBatch> decode;  ///< one new token each, tokens in the cache
    std::map<AttentionHeads, ByBatch> prefill; ///< tokens of a prompt, nothing in the cache
};

/// AIConfigurator's tables: "batch,kv_tokens,q_heads,kv_heads,head_dim,time_us" for decode, and
/// "batch,prompt_tokens,q_heads,kv_heads,head_dim,cached_tokens,time_us" for prefill, of which only lines
/// without cached tokens are taken. Either may be empty, not both. The Error names the line.
Result<AttentionTable> attentionTableFromCsv(std::string_view decodeCsv, std::string_view prefillCsv,
                                             const std::string& source, const std::string& device);

/// The attention that a profile timed; nothing where it timed none. Its origin is the worst of its points'.
std::optional<AttentionTable> attentionTableOf(const Profile& profile);

/// Log-log between batches as between tokens. Nothing for heads that were not timed, or outside the timed
/// batches and tokens (tokens below the first take the first's time).
std::optional<CurveValue> timeIn(const std::map<AttentionHeads, AttentionTable::ByBatch>& times,
                                 const AttentionHeads& heads, double batch, double tokens);

/// A point on the edge of what was timed.
struct EdgeTime {
    double batch = 1;
    double tokens = 1;
    CurveValue time;
};

/// Returns the nearest timing if timeIn has none: of the largest timed batch up to `batch` (else the least),
/// and of as many of `tokens` as it was timed with. Nothing for heads that were not timed.
std::optional<EdgeTime> edgeIn(const std::map<AttentionHeads, AttentionTable::ByBatch>& times,
                               const AttentionHeads& heads, double batch, double tokens);

} // namespace loadline
