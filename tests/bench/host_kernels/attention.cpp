// Attention on this CPU. Aims at decode over long contexts on one thread with AVX-512: share_of_read 0.5
// where up to eight query heads share K and V; reading takes turns with it. share_of_gemm: of the own fp16
// GEMM's rate in the same run. The rival is what one would write with OpenBLAS: K and V in fp32, V turned
// round beforehand so that both products run along rows, and between them a plain loop of exp2;
// times_products leaves that loop out. Of sgemm for all heads that share K and V, and sgemv for each, the
// faster counts.
#include "gpu/host/host_runner.h"
#include "gpu/host/kernel/half.h"
#include "tests/bench/host_kernels/ceilings.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace loadline;
using namespace loadline::bench;
using namespace loadline::gpu;

namespace {

struct Shape {
    int qHeads = 32;
    int kvHeads = 8;
    int headDim = 128;
    std::int64_t queries = 1;
    std::int64_t context = 1;
    auto operator<=>(const Shape&) const = default;

    [[nodiscard]] double bytes() const { // of K and V in fp16
        return 4.0 * static_cast<double>(context) * kvHeads * headDim;
    }

    [[nodiscard]] double flop() const { // of the pairs that a causal mask leaves
        const auto m = static_cast<double>(queries);
        const double pairs = m * static_cast<double>(context - queries) + m * (m + 1) / 2;
        return 4 * pairs * qHeads * headDim;
    }
};

std::vector<float> normal(std::size_t count) {
    std::mt19937 random(1);
    std::normal_distribution<float> of;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return of(random); });
    return values;
}

/// Random halves, enough of them to leave no cache warm.
const AlignedVector<std::uint16_t>& halves() {
    static const AlignedVector<std::uint16_t> all = [] {
        const std::vector<float> some = normal(1 << 16);
        AlignedVector<std::uint16_t> values(2 * rotatedBytes / sizeof(std::uint16_t));
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = halfOfFloat(some[i * 2654435761U >> 7U & 0xFFFFU]);
        }
        return values;
    }();
    return all;
}

float scaleOf(const Shape& shape) {
    return static_cast<float>(1.4426950408889634 / std::sqrt(shape.headDim));
}

/// The rival's operands: of each KV head [context][headDim], and for each block of queries V of the positions
/// that they see as [headDim][seen].
class Rival {
public:
    explicit Rival(const Shape& shape) : shape_(shape) {
        const std::vector<float> some = normal(1 << 16);
        const auto values = [&](std::int64_t count) {
            std::vector<float> all(static_cast<std::size_t>(count));
            for (std::size_t i = 0; i < all.size(); ++i) {
                all[i] = some[i & 0xFFFFU];
            }
            return all;
        };
        for (int head = 0; head < shape.kvHeads; ++head) {
            keys_.push_back(values(shape.context * shape.headDim));
            for (std::int64_t first = 0; first < shape.queries; first += block) {
                values_.push_back(values(seenFrom(first) * shape.headDim));
            }
        }
        queries_ = values(block * shape.headDim * perKv());
        scores_.resize(static_cast<std::size_t>(block * perKv() * shape.context));
        out_.resize(queries_.size());
    }

    struct Seconds {
        double all = 1e9;
        double products = 1e9;
    };

    Seconds best(unsigned threads, int runs) {
        Seconds found;
        for (int run = 0; run < runs; ++run) {
            for (const bool oneByOne : {false, true}) {
                const Seconds took = once(threads, oneByOne && shape_.queries == 1);
                found.all = std::min(found.all, took.all);
                found.products = std::min(found.products, took.products);
            }
        }
        return found;
    }

private:
    static constexpr std::int64_t block = 256; // queries

    [[nodiscard]] int perKv() const { return shape_.qHeads / shape_.kvHeads; }

    [[nodiscard]] std::int64_t rowsFrom(std::int64_t first) const {
        return std::min(block, shape_.queries - first);
    }

    [[nodiscard]] std::int64_t seenFrom(std::int64_t first) const {
        return shape_.context - shape_.queries + first + rowsFrom(first);
    }

    static void product(unsigned threads, bool oneByOne, DenseJob job) {
        const OpenBlas& blas = *runner(threads).openBlas();
        if (!oneByOne) {
            return blas.run(job);
        }
        const std::int64_t rows = std::exchange(job.rowsM, 1);
        for (std::int64_t row = 0; row < rows; ++row, job.x += job.k, job.y += job.n) {
            blas.run(job);
        }
    }

    Seconds once(unsigned threads, bool oneByOne) {
        Seconds took{0, 0};
        std::size_t next = 0;
        for (int head = 0; head < shape_.kvHeads; ++head) {
            for (std::int64_t first = 0; first < shape_.queries; first += block) {
                const std::int64_t rows = rowsFrom(first) * perKv();
                const std::int64_t seen = seenFrom(first);
                took.products += secondsOf(threads, [&] {
                    product(threads, oneByOne,
                            {.k = shape_.headDim,
                             .n = seen,
                             .fp32 = keys_[static_cast<std::size_t>(head)].data(),
                             .rowsM = rows,
                             .x = queries_.data(),
                             .y = scores_.data()});
                });
                took.all += secondsOf(threads, [&] { soften(first, rows, seen); });
                took.products += secondsOf(threads, [&] {
                    product(threads, oneByOne,
                            {.k = seen,
                             .n = shape_.headDim,
                             .fp32 = values_[next++].data(),
                             .rowsM = rows,
                             .x = scores_.data(),
                             .y = out_.data()});
                });
            }
        }
        took.all += took.products;
        return took;
    }

    void soften(std::int64_t first, std::int64_t rows, std::int64_t seen) {
        const float scale = scaleOf(shape_);
        for (std::int64_t row = 0; row < rows; ++row) {
            float* const scores = scores_.data() + row * seen;
            const std::int64_t own = shape_.context - shape_.queries + first + row / perKv() + 1;
            float most = scores[0];
            for (std::int64_t key = 0; key < own; ++key) {
                most = std::max(most, scores[key]);
            }
            float sum = 0;
            for (std::int64_t key = 0; key < own; ++key) {
                scores[key] = std::exp2((scores[key] - most) * scale);
                sum += scores[key];
            }
            for (std::int64_t key = 0; key < own; ++key) {
                scores[key] /= sum;
            }
            std::fill(scores + own, scores + seen, 0.0F);
        }
    }

    Shape shape_;
    std::vector<std::vector<float>> keys_, values_;
    std::vector<float> queries_, scores_, out_;
};

Rival::Seconds rivalSeconds(const Shape& shape, unsigned threads) {
    static std::map<std::pair<Shape, unsigned>, Rival::Seconds> known;
    const auto [entry, isNew] = known.try_emplace({shape, threads});
    if (isNew) {
        entry->second = Rival(shape).best(threads, shape.queries == 1 ? 8 : 2);
    }
    return entry->second;
}

void attend(benchmark::State& state, InstructionSet set, const Shape& shape, unsigned threads) {
    const auto values = static_cast<std::size_t>(shape.queries * shape.qHeads * shape.headDim);
    const std::vector<float> q = normal(values);
    std::vector<float> out(values);
    const auto perMatrix = static_cast<std::size_t>(shape.context * shape.kvHeads * shape.headDim);
    AttentionJob job{.qHeads = shape.qHeads,
                     .kvHeads = shape.kvHeads,
                     .headDim = shape.headDim,
                     .batch = 1,
                     .queries = shape.queries,
                     .context = shape.context,
                     .q = q.data(),
                     .keys = nullptr,
                     .values = nullptr,
                     .scale = scaleOf(shape),
                     .out = out.data()};
    double best = 1e9;
    double read = 1e9;
    std::size_t next = 0;
    std::size_t round = 0;
    for (auto _ : state) {
        read = std::min(read,
                        secondsOf(threads, [&] { benchmark::DoNotOptimize(readSlice(threads, round++)); }));
        next = (next + 2) * perMatrix + 2 * perMatrix > halves().size() ? 0 : next;
        const std::uint16_t* const keys = halves().data() + next++ * perMatrix;
        const std::uint16_t* const valuesOf = halves().data() + next++ * perMatrix;
        job.keys = &keys;
        job.values = &valuesOf;
        best = std::min(best, secondsOf(threads, [&] { runner(threads).run(set, job); }));
    }
    state.counters["best_us"] = best * 1e6;
    state.counters["GB_s"] = shape.bytes() / best * 1e-9;
    state.counters["GFLOP_s"] = shape.flop() / best * 1e-9;
    if (shape.queries == 1) {
        state.counters["share_of_read"] = shape.bytes() / best * read / static_cast<double>(sliceBytes);
    } else {
        state.counters["share_of_gemm"] = shape.flop() / best / gemmRate(threads);
    }
    if (runner(threads).openBlas()) {
        const Rival::Seconds rival = rivalSeconds(shape, threads);
        state.counters["times_rival"] = rival.all / best;
        state.counters["times_products"] = rival.products / best;
    }
}

const bool registered = [] {
    const std::vector<Shape> shapes = {
        {32, 8, 128, 1, 16'384},  {8, 8, 128, 1, 16'384},  {64, 8, 64, 1, 32'768},
        {64, 8, 128, 1, 16'384},  {16, 2, 256, 1, 32'768}, {32, 8, 128, 512, 512},
        {32, 8, 128, 2048, 2048}, {64, 8, 64, 1024, 1024}, {16, 2, 256, 1024, 1024}};
    const Cpu cpu = thisCpu();
    for (const unsigned threads : {1U, std::max(2U, cpu.cores / 2)}) {
        for (const InstructionSet set : cpu.sets) {
            for (const Shape& shape : shapes) {
                const bool portable = set == InstructionSet::Portable;
                if (portable && (threads > 1 || shape.qHeads != 32)) {
                    continue;
                }
                const std::string name =
                    fmt::format("{} attention ({})/{}:{}x{}/{}/threads:{}",
                                shape.queries == 1 ? "split-KV decode" : "blocked prefill", nameOf(set),
                                shape.qHeads, shape.kvHeads, shape.headDim, shape.context, threads);
                benchmark::RegisterBenchmark(
                    name.c_str(), [=](benchmark::State& state) { attend(state, set, shape, threads); })
                    ->Iterations(portable             ? 1
                                 : shape.queries == 1 ? 15
                                                      : 3)
                    ->Unit(benchmark::kMillisecond);
            }
        }
    }
    return true;
}();

} // namespace
