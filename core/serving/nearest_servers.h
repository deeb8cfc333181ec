// Errors of predictions on the measured servers that are most like a setting.
#pragma once

#include "core/serving/judged_servers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline {

/// The ways in which two servers can differ, in the order of sentences.
enum class ServerAxis : std::uint8_t {
    Gpu,       ///< near: the same GPU, or one of its generation (GpuGeneration)
    Format,    ///< near: experts (else linear layers) of 16, of 8 or of 4 bits; other formats: the same word
    ModelSize, ///< near: all bytes within mostSizeRatio, and those that a token meets
    Gpus,      ///< near: tensor parallelism within mostSizeRatio
    Context,   ///< near: within mostSizeRatio
    Reuse,     ///< near: cached shares that differ by mostReuseApart at most
    NewTokens, ///< near: within mostSizeRatio
    Batch,     ///< near: within mostBatchRatio
    KvMemory,  ///< near: both lack KV memory or neither does
};

inline constexpr std::size_t serverAxisCount = 9;

/// Chosen on 341 predicted rows of data/serving/measured_vllm.csv, each judged by rows of other families:
/// with a ratio of 4 for contexts and new tokens errors of TTFT are foretold no better than by the median of
/// all.
inline constexpr double mostSizeRatio = 2;
inline constexpr double mostBatchRatio = 4;
inline constexpr double mostReuseApart = 0.1;
inline constexpr std::size_t mostNearest = 12; ///< more only where several are as far as the last

/// True if the points are near on the axis; symmetric. Counts below 1 are taken for 1. False for numbers that
/// are not finite.
bool isNearOn(ServerAxis axis, const ServerPoint& one, const ServerPoint& other);

/// Returns the distance of two points, 0 of equal ones: the root of the sum of squares of log2 of their
/// ratios (all bytes, bytes that a token meets, GPUs, context, new tokens, batch) and of the difference of
/// cached shares over mostReuseApart; 1 more (as a factor of 2) for another GPU of the generation, and 1 for
/// another class of KV format. Symmetric. Null unless they are near on every axis.
std::optional<double> serverDistance(const ServerPoint& one, const ServerPoint& other);

/// Errors without their signs, as shares.
struct NearestErrors {
    std::size_t n = 0;
    double median = 0;
    double p90 = 0; ///< 90 % quantile (quantileOf); of so few it tells little of a further server
    double largest = 0;
    bool operator==(const NearestErrors&) const = default;
};

struct NearestServers {
    std::size_t n = 0;                 ///< servers that are counted
    std::size_t inferred = 0;          ///< of them, with settings that were inferred (tier C)
    std::optional<NearestErrors> tpot; ///< null: none of them has such an error
    std::optional<NearestErrors> ttft;
    /// With n = 0 why: the axes on each of which no server is near; if there is none, the axes in which the
    /// servers differ that are near on most axes (of several such sets the most frequent). Empty if there are
    /// no servers at all.
    std::vector<ServerAxis> outside;
    bool isTogether = false; ///< the latter
    /// "TPOT 5 % median on 12 servers like this: Llama-3.1-70B, H200-SXM"; "no server with this context (at
    /// most 7.83 k tokens) or with a reused prefix was measured"; "no server like this was measured: the
    /// nearest differ in context and new tokens".
    std::string words;
    /// "TPOT: median 5 %, largest 8 % on 3 servers. ..."; from ten servers on their 90th percentile. May be
    /// empty.
    std::string more;
    bool operator==(const NearestServers&) const = default;
};

/// Errors are those of the step model out of the atlas (StepModel) under a measured client: they say nothing
/// of answers that rooflines or a profile price. Returns the servers nearest to the point among those that
/// are near on every axis and have an error. Does not depend on the order of `servers`.
NearestServers nearestServers(std::span<const JudgedServer> servers, const ServerPoint& point);

} // namespace loadline
