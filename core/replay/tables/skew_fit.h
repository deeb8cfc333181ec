// Time of decodes of unequal context beyond that of decodes of the mean context.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Decodes of one step, and the chunk beside them.
struct DecodeSpread {
    double chunk = 0;
    double chunkContext = 0;
    double decodes = 0;
    double least = 0; ///< context of the decodes
    double mean = 0;
    double most = 0;
};

/// Positions on an axis of each label's measurements, ascending, and the labels.
struct SkewAxis {
    std::vector<double> at;
    std::vector<std::string> labels;
};

/// LLMServingSim's table of alpha (its docs/profiler/skew-alpha-fit): attention takes
///     time(mean context) + alpha (time(largest context) - time(mean context)).
/// Between buckets alpha is linear on every axis, as the times themselves are; LLMServingSim takes the bucket
/// that a step falls into, and the default for chunks that were not timed, which makes steps jump at edges.
struct SkewFit {
    SkewAxis decodes;        ///< at the number that was timed: a bucket's upper edge
    SkewAxis rate;           ///< (mean - least) / (most - least); at the middle of a bucket
    SkewAxis mostContext;    ///< on a scale of log2; at the middle of a bucket's two measurements
    SkewAxis chunkContext;   ///< at the context that was timed: a bucket's upper edge
    double alphaDefault = 0; ///< where the table has no such bucket
    /// alpha over chunks, by the labels of the other axes joined by '|'.
    std::map<std::string, std::map<double, double>, std::less<>> alphas;

    [[nodiscard]] double alphaOf(const DecodeSpread& spread) const;
};

/// `table`: pc,n_label,skew_rate_label,kv_big_label,kp_label,alpha,n_samples. `meta`: the profile's meta.yaml
/// by path, which names the axes ("skew_fit.bucket_axes") and the default of `tensorParallel`. The Error
/// names the line, or the axis that is missing.
Result<SkewFit> readSkewFit(std::string_view table,
                            const std::map<std::string, std::string, std::less<>>& meta,
                            std::int64_t tensorParallel);

} // namespace loadline
