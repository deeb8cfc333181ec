// The time of a served model's steps in the kernels of an engine, which others timed.
#pragma once

#include "core/cost/estimate/kernel_times.h"

#include <cstddef>

namespace loadline {

/// The kernels of one model in one format on one kind of GPU. Times are in microseconds, of all calls in all
/// layers of a step; rows >= 1. Thread-safe.
class EngineTimes {
public:
    EngineTimes() = default;
    EngineTimes(const EngineTimes&) = delete;
    EngineTimes& operator=(const EngineTimes&) = delete;
    EngineTimes(EngineTimes&&) = delete;
    EngineTimes& operator=(EngineTimes&&) = delete;
    virtual ~EngineTimes() = default;

    /// The model's GEMM number `gemm`; 0 us where a kernel of attention does its work.
    [[nodiscard]] virtual TimeEstimate gemm(std::size_t gemm, double rows) const = 0;
    /// Beside the layers' GEMMs and attention: Kernel::SmallKernels or Kernel::Transfers.
    [[nodiscard]] virtual TimeEstimate beside(Kernel kernel, double rows) const = 0;
    /// The same behind the head, of the rows that meet it.
    [[nodiscard]] virtual TimeEstimate besideHead(Kernel kernel, double rows) const = 0;
};

/// The attention of all layers, likewise.
class EngineAttention {
public:
    EngineAttention() = default;
    EngineAttention(const EngineAttention&) = delete;
    EngineAttention& operator=(const EngineAttention&) = delete;
    EngineAttention(EngineAttention&&) = delete;
    EngineAttention& operator=(EngineAttention&&) = delete;
    virtual ~EngineAttention() = default;

    /// `batch` sequences with a new token each, `context` tokens in the cache of each on average.
    [[nodiscard]] virtual TimeEstimate decode(double batch, double context) const = 0;
    /// One sequence: `newTokens` of a prompt behind `cachedTokens`.
    [[nodiscard]] virtual TimeEstimate prefill(double newTokens, double cachedTokens) const = 0;
};

/// The kernels of an engine for a cost table; null: none are known.
struct EngineKernels {
    const EngineTimes* own = nullptr;  ///< in the table's format; of k-bit weights those that stay fp16
    const EngineTimes* fp16 = nullptr; ///< of the same model in fp16
    bool isWholeStep = false;          ///< what runs beside GEMMs and attention is counted too
};

} // namespace loadline
