// Prompts that each go on from the one before.
#pragma once

#include "core/cache/figure/cache_figure.h"
#include "core/trace/block_trace.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace loadline::test {

/// Adds requests to the chain that the builder began: `everyS` apart, the i-th with blocks 0 to i of 100
/// tokens.
inline void addGrowingPrompts(BlockTraceBuilder& builder, int count, double everyS) {
    std::vector<std::int64_t> ids;
    for (int i = 0; i < count; ++i) {
        ids.push_back(i);
        builder.add({.startS = everyS * i, .input = 100 * (i + 1), .output = 5}, ids);
    }
}

/// The same as a trace that tells no sessions apart.
inline BlockTrace growingPrompts(int count, double everyS) {
    BlockTraceBuilder builder(100, false);
    builder.beginScope();
    builder.beginChain("trace", false);
    addGrowingPrompts(builder, count, everyS);
    return builder.finish();
}

/// The figure of a trace's caches.
inline CacheFigure figureOfTrace(BlockTrace trace) {
    CacheRequests requests;
    requests.trace = std::move(trace);
    requests.files = BlockTraceFiles{};
    WorkProgress progress;
    return cacheFigureOf(std::move(requests), 1, {}, progress);
}

} // namespace loadline::test
