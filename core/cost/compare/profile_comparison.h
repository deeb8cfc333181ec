// Two profiles, point by point: ratios with the interval within which another pair of runs would lie.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// A ratio after / before (below 1: it became faster) with its 95 % interval between runs (but
/// ProfileComparison::ofQuartiles).
struct RatioBetween {
    double ratio = 1;
    std::optional<double> low, high; ///< nothing where a profile does not say how far its times are off
    /// Whether the interval lies on one side of 1.
    [[nodiscard]] bool isChange() const { return low && high && (*high < 1 || *low > 1); }
    bool operator==(const RatioBetween&) const = default;
};

/// A point that both profiles have.
struct ComparedPoint {
    Kernel kernel = Kernel::CublasFp16;
    GemmSize size;
    int experts = 1;
    std::int64_t rowsM = 1; ///< 0 of Dequantise
    int kBits = fp16Bits;
    std::string name; ///< what the later profile's point calls its kernel; empty: its role
    double beforeUs = 0;
    double afterUs = 0;
    RatioBetween change;
    bool flagged = false; ///< isFlagged in either profile, or warm in one alone
    bool operator==(const ComparedPoint&) const = default;
};

/// A call of attention that both profiles have.
struct ComparedAttention {
    AttentionCall call;
    double beforeUs = 0;
    double afterUs = 0;
    RatioBetween change;
    bool flagged = false; ///< in either profile
    bool operator==(const ComparedAttention&) const = default;
};

struct ProfileComparison {
    std::string before, after;         ///< names of the profiles
    std::vector<std::string> remarks;  ///< other device or method, not complete, no interval: sentences
    std::vector<ComparedPoint> points; ///< by kernel, shape, experts, k, M
    /// Geometric means of the points that are not flagged; no entry where all of an M are. Their interval is
    /// as wide as their points' on average: what is common to all points of a run does not average out.
    std::map<std::int64_t, RatioBetween> byM;
    /// The number of unflagged points behind each mean of byM. An entry for each M; 0 if all are flagged.
    std::map<std::int64_t, std::size_t> pointsByM;
    std::size_t notInBoth = 0;                ///< points of one profile alone
    std::vector<ComparedAttention> attention; ///< by phase, heads, batch, tokens
    std::size_t attentionNotInBoth = 0;       ///< calls of one profile alone
    /// Those of `before` and `after` that state no repeats: their part of the intervals is from quartile to
    /// quartile of one run.
    std::vector<std::string> ofQuartiles;
    bool operator==(const ProfileComparison&) const = default;
};

/// The Error where no point and no call of attention is in both.
Result<ProfileComparison> compareProfiles(const Profile& before, const Profile& after);

} // namespace loadline
