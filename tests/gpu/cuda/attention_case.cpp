// Making attention problems, and their answers in float64.
#include "tests/gpu/cuda/attention_case.h"

#include "tests/gpu/emulate/half.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace loadline::gpu {
namespace {

constexpr std::uint16_t poisonHalf = 0x7fff; // a NaN
constexpr std::size_t guardHalves = 64;
constexpr int strayBlocks = 5;
constexpr std::int32_t noBlock = -100'000; // far outside

double halfAt(const AlignedVector<std::uint16_t>& values, std::int64_t i) {
    return static_cast<double>(emulate::halfToFloat(values[static_cast<std::size_t>(i)]));
}

int blocksOf(int length) {
    return (length + kvBlockTokens - 1) / kvBlockTokens;
}

} // namespace

AttentionCase::AttentionCase(const AttentionSizes& of, unsigned seed) : sizes(of), lengths(of.lengths) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto next = [&] { return emulate::halfFromDouble(2 * normal(random)); };
    args.batch = static_cast<int>(lengths.size());
    args.m = of.m;
    args.queryHeads = of.queryHeads;
    args.kvHeads = of.kvHeads;
    args.scale = static_cast<float>(1.4426950408889634 / std::sqrt(of.headDim));
    args.tableStride = blocksOf(*std::max_element(lengths.begin(), lengths.end())) + (of.inOrder ? 0 : 1);

    const int used =
        std::accumulate(lengths.begin(), lengths.end(), 0, [](int sum, int n) { return sum + blocksOf(n); });
    std::vector<std::int32_t> order(static_cast<std::size_t>(used + (of.inOrder ? 0 : strayBlocks)));
    std::iota(order.begin(), order.end(), 0);
    if (!of.inOrder) {
        std::shuffle(order.begin(), order.end(), random);
    }
    table.assign(static_cast<std::size_t>(args.batch * args.tableStride), noBlock);
    auto given = order.begin();
    for (int sequence = 0; sequence < args.batch; ++sequence) {
        const int blocks = blocksOf(lengths[static_cast<std::size_t>(sequence)]);
        std::copy_n(given, blocks, table.begin() + sequence * args.tableStride);
        given += blocks;
    }
    const std::size_t ofKey = static_cast<std::size_t>(of.kvHeads) * static_cast<std::size_t>(of.headDim);
    k.assign(order.size() * kvBlockTokens * ofKey, poisonHalf);
    v.assign(k.size(), poisonHalf);
    for (int sequence = 0; sequence < args.batch; ++sequence) {
        for (int key = 0; key < lengths[static_cast<std::size_t>(sequence)]; ++key) {
            const std::int64_t to = placeOf(sequence, key, 0);
            std::generate_n(k.begin() + to, ofKey, next);
            std::generate_n(v.begin() + to, ofKey, next);
        }
    }
    const std::size_t ofQuery =
        static_cast<std::size_t>(of.queryHeads) * static_cast<std::size_t>(of.headDim);
    q.resize(static_cast<std::size_t>(args.batch * of.m) * ofQuery);
    std::generate(q.begin(), q.end(), next);
    out.assign(q.size() + guardHalves, poisonHalf);
    args.q = q.data();
    args.k = k.data();
    args.v = v.data();
    args.blocks = table.data();
    args.lengths = lengths.data();
    args.out = out.data();
}

std::int64_t AttentionCase::placeOf(int sequence, int key, int kvHead) const {
    const std::int64_t block =
        table[static_cast<std::size_t>(sequence * args.tableStride + key / kvBlockTokens)];
    return ((block * kvBlockTokens + key % kvBlockTokens) * args.kvHeads + kvHead) * sizes.headDim;
}

double AttentionCase::error() const {
    double difference = 0;
    double size = 0;
    for (int row = 0; row < args.batch * args.m * args.queryHeads; ++row) {
        const int head = row % args.queryHeads;
        const int position = row / args.queryHeads % args.m;
        const int sequence = row / args.queryHeads / args.m;
        const int kvHead = head / (args.queryHeads / args.kvHeads);
        const std::int64_t query = static_cast<std::int64_t>(row) * sizes.headDim;
        std::vector<double> sum(static_cast<std::size_t>(sizes.headDim));
        double weight = 0;
        const int seen = lengths[static_cast<std::size_t>(sequence)] - args.m + position + 1;
        for (int key = 0; key < seen; ++key) {
            const std::int64_t first = placeOf(sequence, key, kvHead);
            double score = 0;
            for (int d = 0; d < sizes.headDim; ++d) {
                score += halfAt(q, query + d) * halfAt(k, first + d);
            }
            const double p = std::exp2(score * args.scale);
            weight += p;
            for (int d = 0; d < sizes.headDim; ++d) {
                sum[static_cast<std::size_t>(d)] += p * halfAt(v, first + d);
            }
        }
        for (int d = 0; d < sizes.headDim; ++d) {
            const double expected = sum[static_cast<std::size_t>(d)] / weight;
            const double wrong = halfAt(out, query + d) - expected;
            difference += wrong * wrong;
            size += expected * expected;
        }
    }
    return std::sqrt(difference / size);
}

bool AttentionCase::guardIsWhole() const {
    return std::all_of(out.begin() + static_cast<std::ptrdiff_t>(q.size()), out.end(),
                       [](std::uint16_t half) { return half == poisonHalf; });
}

} // namespace loadline::gpu
