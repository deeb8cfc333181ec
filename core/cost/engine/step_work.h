// The work of one step of an engine, and the interface that gives its time.
#pragma once

#include "core/base/tokens.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// Prompt tokens of one request in a step.
struct WorkChunk {
    Tokens added = 0;  ///< tokens that the step computes
    Tokens cached = 0; ///< tokens before them, whose KV exists
    bool operator==(const WorkChunk&) const = default;
};

/// The work of one step on one engine.
struct StepWork {
    std::int64_t decodes = 0;      ///< sequences with one new token
    Tokens decodeContext = 0;      ///< tokens of their KV, the new one included, summed
    std::vector<WorkChunk> chunks; ///< in scheduling order
    std::int64_t sampledRows = 0;  ///< rows of the LM head: sequences that get a token
    Tokens rows = 0;               ///< new tokens: decodes + added of all chunks
    Tokens paddedRows = 0;         ///< rows that the GEMMs compute
    bool isCaptured = false;       ///< a CUDA graph is replayed
    bool operator==(const StepWork&) const = default;
};

/// Gives the time of steps. One object serves one run on one thread, so it may cache.
class StepPrices {
public:
    StepPrices() = default;
    StepPrices(const StepPrices&) = delete;
    StepPrices& operator=(const StepPrices&) = delete;
    StepPrices(StepPrices&&) = delete;
    StepPrices& operator=(StepPrices&&) = delete;
    virtual ~StepPrices() = default;

    /// Returns the microseconds from the start of the step to the end of its sampling. Precondition:
    /// work.rows > 0.
    [[nodiscard]] virtual double us(const StepWork& work) = 0;
};

} // namespace loadline
