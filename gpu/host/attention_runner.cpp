#include "gpu/host/attention_runner.h"

#include "gpu/format/layout.h"

#include <algorithm>
#include <cassert>

namespace loadline::gpu {

std::int64_t contextPartOf(std::int64_t batch, std::int64_t context) {
    constexpr std::int64_t wantedParts = 32; // a few for each thread of most machines
    constexpr std::int64_t tile = 32;
    constexpr std::int64_t most = 1024; // more save nothing: joining is nearly free
    const std::int64_t positions = tilesOf(batch * context, wantedParts);
    return std::clamp(tilesOf(positions, tile) * tile, tile, most);
}

void AttentionRunner::run(WorkerPool& pool, const KernelTable& table, const AttentionJob& job) {
    assert(job.kvHeads > 0 && job.qHeads % job.kvHeads == 0 && job.queries <= job.context);
    if (job.queries == 1) {
        decode(pool, table, job);
    } else {
        prefill(pool, table, job);
    }
}

void AttentionRunner::decode(WorkerPool& pool, const KernelTable& table, const AttentionJob& job) {
    const std::int64_t positions = contextPartOf(job.batch, job.context);
    const std::int64_t parts = tilesOf(job.context, positions); // of each sequence
    const std::int64_t floats = tilesOf(partialFloats(job.qHeads, job.headDim), 16) * 16;
    const auto needed = static_cast<std::size_t>(job.batch * parts * floats);
    partials_.resize(std::max(partials_.size(), needed));
    pool.run(job.batch * parts, [&](std::int64_t at, unsigned) {
        const std::int64_t begin = at % parts * positions;
        const std::int64_t end = std::min(begin + positions, job.context);
        const ContextPart part{at / parts, begin, end, pool.threads() == 1 ? job.context : end};
        table.decodeAttention(job, part, partials_.data() + at * floats);
        if (parts == 1) {
            table.combineAttention(job, part.sequence, partials_.data() + at * floats, 1, floats);
        }
    });
    if (parts > 1) {
        pool.run(job.batch, [&](std::int64_t sequence, unsigned) {
            table.combineAttention(job, sequence, partials_.data() + sequence * parts * floats, parts,
                                   floats);
        });
    }
}

void AttentionRunner::prefill(WorkerPool& pool, const KernelTable& table, const AttentionJob& job) {
    scratch_.resize(pool.threads());
    const auto needed = static_cast<std::size_t>(prefillFloats(job.headDim, table.prefillRows));
    for (AlignedVector<float>& scratch : scratch_) {
        scratch.resize(std::max(scratch.size(), needed));
    }
    const std::int64_t rows = job.queries * (job.qHeads / job.kvHeads);
    const std::int64_t blocks = tilesOf(rows, table.prefillRows);
    pool.run(job.batch * job.kvHeads * blocks, [&](std::int64_t at, unsigned worker) {
        const std::int64_t block = blocks - 1 - at % blocks; // the longest first
        const std::int64_t head = at / blocks;
        table.prefillAttention(
            job, {head / job.kvHeads, static_cast<int>(head % job.kvHeads), block * table.prefillRows},
            scratch_[worker].data());
    });
}

} // namespace loadline::gpu
