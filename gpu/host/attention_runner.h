// Splits attention into parts for threads and joins what they give.
#pragma once

#include "gpu/format/aligned_vector.h"
#include "gpu/host/kernel/kernel_table.h"
#include "gpu/host/machine/worker_pool.h"

#include <vector>

namespace loadline::gpu {

/// Results do not depend on the number of threads: how the context is split depends on the call alone.
/// Nothing is allocated by a call whose like has run before.
class AttentionRunner {
public:
    /// Preconditions: as AttentionJob says; kvHeads divides qHeads, queries <= context.
    void run(WorkerPool& pool, const KernelTable& table, const AttentionJob& job);

private:
    void decode(WorkerPool& pool, const KernelTable& table, const AttentionJob& job);
    void prefill(WorkerPool& pool, const KernelTable& table, const AttentionJob& job);

    AlignedVector<float> partials_;             ///< of all parts, sequence by sequence
    std::vector<AlignedVector<float>> scratch_; ///< per worker
};

/// Positions of a part of the context in decode: about 32 parts in all, of 32 to 1024 positions each.
std::int64_t contextPartOf(std::int64_t batch, std::int64_t context);

} // namespace loadline::gpu
