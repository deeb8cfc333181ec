// Attention by way of the plugin.
#include "gpu/cuda/cuda_attention.h"

#include "gpu/cuda/cuda_check.h"
#include "gpu/cuda/cuda_facts.h"
#include "gpu/cuda/cuda_work.h"
#include "gpu/cuda/kernel/attention_shape.cuh"
#include "gpu/format/kv_block.h"
#include "gpu/format/layout.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace loadline::gpu {

namespace {

std::vector<std::uint16_t> randomHalves(std::int64_t count, std::mt19937_64& random) {
    std::normal_distribution<float> normal;
    std::vector<std::uint16_t> values(static_cast<std::size_t>(count));
    std::generate(values.begin(), values.end(), [&] { return halfOfFloat(normal(random)); });
    return values;
}

std::vector<float> floatsOf(const std::vector<std::uint16_t>& halves) {
    std::vector<float> values(halves.size());
    std::transform(halves.begin(), halves.end(), values.begin(), floatOfHalf);
    return values;
}

/// A KV cache as an engine has it: sequences of unequal length where they are decoded, blocks in any order,
/// NaNs behind each sequence's end.
struct KvCache {
    std::vector<std::int32_t> table;   ///< [batch, ceil(keys / 16)]
    std::vector<std::int32_t> lengths; ///< per sequence
    std::vector<std::uint16_t> blocks; ///< all of K, then all of V: [blocks, 16, kvHeads, D] each
    std::vector<std::vector<std::uint16_t>> keys, values; ///< per sequence, one after the other
};

KvCache randomCache(const AttentionCall& call, std::mt19937_64& random) {
    KvCache cache;
    const auto ofKey = static_cast<std::int64_t>(call.heads.kvHeads) * call.heads.headDim;
    const std::int64_t ofSequence = (call.keys() + kvBlockTokens - 1) / kvBlockTokens;
    cache.table.resize(static_cast<std::size_t>(call.batch * ofSequence));
    std::iota(cache.table.begin(), cache.table.end(), 0);
    std::shuffle(cache.table.begin(), cache.table.end(), random);
    const std::int64_t ofCache = call.batch * ofSequence * kvBlockTokens * ofKey;
    cache.blocks.assign(static_cast<std::size_t>(2 * ofCache), 0x7fff);
    for (std::int64_t sequence = 0; sequence < call.batch; ++sequence) {
        const std::int64_t length =
            call.phase == AttentionPhase::Decode
                ? std::max<std::int64_t>(1, call.keys() * (call.batch - sequence) / call.batch)
                : call.keys();
        cache.lengths.push_back(static_cast<std::int32_t>(length));
        cache.keys.push_back(randomHalves(length * ofKey, random));
        cache.values.push_back(randomHalves(length * ofKey, random));
        for (std::int64_t key = 0; key < length; ++key) {
            const std::int64_t block =
                cache.table[static_cast<std::size_t>(sequence * ofSequence + key / kvBlockTokens)];
            const std::int64_t to = (block * kvBlockTokens + key % kvBlockTokens) * ofKey;
            std::copy_n(cache.keys.back().begin() + key * ofKey, ofKey, cache.blocks.begin() + to);
            std::copy_n(cache.values.back().begin() + key * ofKey, ofKey,
                        cache.blocks.begin() + ofCache + to);
        }
    }
    return cache;
}

/// Returns the results of all sequences, one after the other.
std::vector<double> expectedOf(const AttentionCall& call, const std::vector<std::uint16_t>& q,
                               const KvCache& cache) {
    const std::vector<float> queries = floatsOf(q);
    const std::size_t ofQueries = q.size() / static_cast<std::size_t>(call.batch);
    std::vector<double> expected;
    for (std::size_t sequence = 0; sequence < cache.lengths.size(); ++sequence) {
        const std::vector<double> one =
            referenceAttention(call.heads, call.queries(), cache.lengths[sequence],
                               std::span(queries).subspan(sequence * ofQueries, ofQueries),
                               cache.keys[sequence], cache.values[sequence]);
        expected.insert(expected.end(), one.begin(), one.end());
    }
    return expected;
}

} // namespace

std::int32_t checkBlocks(const AttentionCall& call) {
    if (call.phase != AttentionPhase::Decode) {
        return 0; // a block has all keys
    }
    constexpr std::int64_t least = 2 * 2 + 1; // tiles: two stages
    const std::int64_t tiles = tilesOf(call.keys(), attentionTile);
    if (tiles == 1) {
        return 0; // one block, whatever the device
    }
    const std::int64_t blocks = static_cast<std::int64_t>(call.batch) * call.heads.kvHeads *
                                attentionRowTiles(call.heads.qHeads, call.heads.kvHeads);
    return static_cast<std::int32_t>(blocks * std::max<std::int64_t>(tiles / least, 1));
}

bool hasAttentionKernel(const AttentionCall& call) {
    const AttentionHeads& heads = call.heads;
    return (heads.headDim == 64 || heads.headDim == 128 || heads.headDim == 256) && heads.kvHeads > 0 &&
           heads.qHeads % heads.kvHeads == 0 && call.batch > 0 && call.tokens > 0 &&
           static_cast<std::int64_t>(call.batch) * heads.qHeads <= 65535;
}

CudaWork cudaWorkOf(const AttentionCall& call, const Rotation& rotation) {
    CudaWork work = {};
    work.operation = call.phase == AttentionPhase::Decode ? CudaOperation::AttentionDecode
                                                          : CudaOperation::AttentionPrefill;
    work.m = static_cast<std::int32_t>(call.queries());
    work.batch = call.batch;
    work.queryHeads = call.heads.qHeads;
    work.kvHeads = call.heads.kvHeads;
    work.headDim = call.heads.headDim;
    work.context = call.keys();
    work.experts = 1;
    work.copies = std::clamp(rotation.copies, 1, mostCudaCopies);
    work.nodes = std::clamp(rotation.calls, 1, 4096);
    work.activationSets = std::min(4, work.copies);
    work.seed = 1;
    return work;
}

double guessAttentionUs(const AttentionCall& call, const CudaDeviceFacts& facts) {
    const double bandwidth = std::max(datasheetBandwidth(facts), 1e11);
    const double rate =
        1e6 * std::max(facts.smClockMaxMHz, 1000) * std::max(facts.multiprocessors, 1) * 2048 / 10;
    return 8 + 1e6 * std::max(contextBytes(call) / (0.5 * bandwidth), flopOf(call) / rate);
}

std::string cudaAttentionName(AttentionPhase phase) {
    return phase == AttentionPhase::Decode ? "simple split-KV attention over KV blocks in random order, on "
                                             "tensor cores (not FlashAttention)"
                                           : "simple causal attention over KV blocks in random order, on "
                                             "tensor cores (not FlashAttention)";
}

Result<CheckOutcome> checkAttentionOnDevice(const CudaPluginApi& api, CudaSession* session,
                                            const AttentionCall& call, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::int64_t ofHead = call.heads.headDim;
    const std::vector<std::uint16_t> q =
        randomHalves(call.batch * call.queries() * call.heads.qHeads * ofHead, random);
    const KvCache cache = randomCache(call, random);
    std::vector<std::uint16_t> y(q.size());
    CudaCheck data = {};
    data.weights = cache.blocks.data();
    data.weightBytes = static_cast<std::int64_t>(cache.blocks.size() * 2);
    data.kvTable = cache.table.data();
    data.lengths = cache.lengths.data();
    data.x = q.data();
    data.xBytes = data.yBytes = static_cast<std::int64_t>(q.size() * 2);
    data.y = y.data();
    const Expected expected = expectedAttention(expectedOf(call, q, cache), call.heads.headDim);
    CudaWork work = cudaWorkOf(call, {1, 1});
    for (const std::int32_t blocks : {checkBlocks(call), 0}) { // few, then as many as the device takes
        work.maxBlocks = blocks;
        const CudaStatus status = api.check(session, &work, &data);
        if (status != CudaStatus::Ok) {
            return failedCheck(api, session, status, textOf(call));
        }
        CheckOutcome outcome = outcomeOf(floatsOf(y), expected);
        if (!outcome.passed || blocks == 0) {
            return outcome;
        }
    }
    return CheckOutcome{true, 0, ""};
}

} // namespace loadline::gpu
