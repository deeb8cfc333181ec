// Whether the plugin's answers are right: checks before timing, and of what timed launches left.
#pragma once

#include "core/base/result.h"
#include "gpu/backend.h"
#include "gpu/cuda/plugin_abi.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loadline::gpu {

/// An answer in float64, and by how much rounding may change each value of it.
struct Expected {
    std::vector<double> values;
    std::vector<double> allowed;
};

// Rounding to fp16 takes 2^-11 of the result. Weights and table are rounded to fp16 as well, each product by
// some 2^-12 of itself, now up, now down: of a sum that is 2^-12 of the root of its squared products, and
// twelve times that is allowed. Below 2^-14 fp16 is in steps of 2^-24.

/// y[m][row] = w[row] . x[m]; `w` [rows][k], `x` [m][k].
Expected expectedProduct(std::span<const double> w, std::span<const float> x, std::int64_t k);
/// Weights as fp16.
Expected expectedWeights(std::span<const double> w);
/// Outputs of attention, in runs of `headDim` that were weighed alike.
Expected expectedAttention(std::vector<double> values, int headDim);

/// Right where the whole differs by less than 2e-3 of its norm, and no value by more than it may.
CheckOutcome outcomeOf(std::span<const float> values, const Expected& expected);

/// Returns the Error of a device fault; else an outcome that did not pass, with the plugin's sentence.
/// Precondition: `status` is not Ok. `where` as deviceError's.
Result<CheckOutcome> failedCheck(const CudaPluginApi& api, const CudaSession* session, CudaStatus status,
                                 const std::string& where);

/// Returns `outcome`; not passed if the kernel left `words` words of its shared sums other than zero.
CheckOutcome withSumsLeft(CheckOutcome outcome, std::int64_t words);

/// Returns the point with N cut to a size that a float64 reference can follow: about 2^20 weights, or two
/// units of the kernel's rows, its remainder by 128 kept, so that tiles that are not full stay so.
PointSpec checkable(const PointSpec& spec);

/// Blocks of a check of the MMA designs (CudaWork::maxBlocks): so few that each goes twice and once more
/// through its ring of stages and one changes its unit, as far as the matrix has steps for it. 0: the kernel
/// has no ring.
std::int32_t checkBlocks(const PointSpec& spec);

/// Random codes, scales and rows, the plugin's answer to them and the answer in float64: with checkBlocks,
/// and with as many blocks as the device takes. `spec` is checkable.
Result<CheckOutcome> checkOnDevice(const CudaPluginApi& api, CudaSession* session, const PointSpec& spec,
                                   std::uint64_t seed);

/// Compares what node `node` of the session's prepared point, the last that ran, made of its weights and rows
/// with float64: 64 rows of W in all, of as many rows of x; sums that blocks share must be zero again.
Result<CheckOutcome> checkPrepared(const CudaPluginApi& api, CudaSession* session, const PointSpec& spec,
                                   const CudaWork& work, int node, std::uint64_t seed);
/// Compares the last node of attention with float64: the query heads of one KV head in one sequence, at four
/// queries at most.
Result<CheckOutcome> checkPrepared(const CudaPluginApi& api, CudaSession* session, const AttentionCall& call,
                                   const CudaWork& work, int node, std::uint64_t seed);

} // namespace loadline::gpu
