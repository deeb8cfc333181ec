// Measured transfers between GPUs over the elements sent.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"
#include "core/cost/surface/measured_curve.h"
#include "core/cost/surface/token_curves.h"

#include <cstdint>
#include <map>
#include <string>

namespace loadline {

/// A transfer among a group of GPUs.
struct TransferShape {
    std::string what; ///< vLLM's all-reduce: "vllm_graph" (captured), "vllm_eager"; NCCL: "all_gather", ...
    std::string dtype = "bfloat16"; ///< NCCL: "half", "int8"
    std::int64_t gpus = 2;
    auto operator<=>(const TransferShape&) const = default;
};

/// All transfers of a table, linear in elements; below the first the first time, beyond the last in
/// proportion. Several rows with one key are runs: their median stands. Immutable.
class TransferSurface {
public:
    /// vLLM's all-reduce, by backend. The Error: a column is missing.
    static Result<TransferSurface> ofAllReduce(const AtlasTable& table);
    /// NCCL, by operation. The Error: a column is missing.
    static Result<TransferSurface> ofCollectives(const AtlasTable& table);

    /// Null if the table has no such transfer.
    [[nodiscard]] const MeasuredCurve* find(const TransferShape& shape) const;

    [[nodiscard]] const TokenCurveErrors& errors() const { return errors_; }

    [[nodiscard]] const std::map<TransferShape, MeasuredCurve>& all() const { return curves_; }

private:
    static Result<TransferSurface> ofColumns(const AtlasTable& table, const std::string& what,
                                             const std::string& dtype, const std::string& gpus,
                                             const std::string& elements);

    std::map<TransferShape, MeasuredCurve> curves_;
    TokenCurveErrors errors_;
};

} // namespace loadline
