// Attention on this CPU as the protocol times and checks it: contexts are cut out of the weight pool.
#pragma once

#include "gpu/backend.h"
#include "gpu/host/host_runner.h"
#include "gpu/host/weight_pool.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline::gpu {

/// One call, ready to run again and again. Precondition: its buffers are not asked for more until the last
/// run.
class HostAttentionWork {
public:
    /// Precondition: the pool holds the context of one sequence of the call.
    HostAttentionWork(HostRunner& runner, const WeightPool& pool, InstructionSet set,
                      const AttentionCall& call, const float* q, float* out);

    /// Runs the call on the contexts from `place` x batch on. Where the pool holds fewer than the call has
    /// sequences they come again, when no cache has any of them left.
    void run(std::int64_t place);
    /// The call as its kernel sees it at that place; until the next.
    [[nodiscard]] const AttentionJob& jobAt(std::int64_t place);

private:
    HostRunner* runner_;
    const WeightPool* pool_;
    InstructionSet set_;
    std::int64_t rowHalves_;
    std::int64_t contexts_; ///< in the pool
    AttentionJob job_;
    std::vector<const std::uint16_t*> keys_, values_;
};

/// All of a backend's attention. Queries and results are fp32, as activations of the other kernels are.
class HostAttention {
public:
    HostAttention(HostRunner& runner, WeightPool& pool, InstructionSet set, std::int64_t freeMemoryBytes);

    /// Heads of a multiple of 16 up to 512; one sequence's context, and queries with results, each within a
    /// third of the free memory.
    [[nodiscard]] bool supports(const AttentionCall& call) const;
    /// Returns a guess from tryOut().
    [[nodiscard]] double guessUs(const AttentionCall& call) const;
    /// Times a few short calls, about 20 ms.
    void tryOut();
    /// Into poison between guard words, against float64 over the whole output.
    [[nodiscard]] CheckOutcome check(const AttentionCall& call, std::uint64_t seed);
    [[nodiscard]] HostAttentionWork workFor(const AttentionCall& call);
    /// "simple split-KV attention, AVX-512 (not FlashAttention)".
    [[nodiscard]] std::string nameOf(AttentionPhase phase) const;

private:
    void reserve(const AttentionCall& call);
    [[nodiscard]] double trialUs(const AttentionCall& call);

    HostRunner& runner_;
    WeightPool& pool_;
    InstructionSet set_;
    std::int64_t freeMemoryBytes_;
    AlignedVector<float> q_, out_;
    double usPerByte_ = 1e-4; ///< of context in decode
    double usPerDecodeFlop_ = 1e-4;
    double usPerPrefillFlop_ = 1e-4;
};

} // namespace loadline::gpu
