// Drawing turns: aim 5 ns a turn. Rival: the standard library's discrete distributions over its Mersenne
// twister, which draw something else on each platform. And the readers, beside a bare copy of the text.
#include "core/base/random.h"
#include "core/trace/trace.h"
#include "core/workload/source/turn_table.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <random>
#include <string>

using namespace loadline;

namespace {

constexpr std::size_t drawn = 100'000;

void drawReference(benchmark::State& state) {
    const TurnTable table(referenceWorkload());
    const RandomStream stream(1);
    std::uint64_t k = 0;
    std::int64_t sum = 0;
    for (auto _ : state) {
        const DrawnTurn turn = table.draw(stream, k++);
        sum += turn.input + turn.output;
    }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(state.iterations());
}

void drawStandard(benchmark::State& state) {
    std::vector<double> shares[2];
    std::vector<std::int32_t> values[2];
    const TokenDistribution& reference = publishedReference();
    for (const int part : {0, 1}) {
        for (const auto& [bucket, share] : (part == 0 ? reference.input : reference.output).frequency) {
            shares[part].push_back(share);
            values[part].push_back(static_cast<std::int32_t>(bucket));
        }
    }
    std::discrete_distribution<std::size_t> input(shares[0].begin(), shares[0].end());
    std::discrete_distribution<std::size_t> output(shares[1].begin(), shares[1].end());
    std::mt19937_64 random(1);
    std::int64_t sum = 0;
    for (auto _ : state) {
        sum += values[0][input(random)] + values[1][output(random)];
    }
    benchmark::DoNotOptimize(sum);
    state.SetItemsProcessed(state.iterations());
}

void drawMany(benchmark::State& state) {
    const Workload reference = referenceWorkload();
    std::uint64_t seed = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(drawTurns(reference, drawn, ++seed));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(drawn));
}

void resampleReference(benchmark::State& state) {
    const Workload reference = referenceWorkload();
    std::uint64_t seed = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(resampled(reference, ++seed));
    }
}

std::string mooncakeText() {
    std::string text;
    for (int i = 0; i < 10'000; ++i) {
        text += fmt::format(R"({{"timestamp": {}, "input_length": {}, "output_length": {}, "hash_ids": [)",
                            3 * i, 600 + i, 1 + i % 900);
        for (int block = 0; block < 2 + i % 40; ++block) {
            text += fmt::format("{}{}", block == 0 ? "" : ", ", block < 4 ? block : 1000 * i + block);
        }
        text += "]}\n";
    }
    return text;
}

std::string tableText() {
    std::string text = "arrival_s,input_tokens,output_tokens\n";
    for (int i = 0; i < 100'000; ++i) {
        text += fmt::format("{}.{:03},{},{}\n", i / 10, i % 1000, 1 + i % 5000, 1 + i % 700);
    }
    return text;
}

void readTexts(benchmark::State& state, const std::string& text) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(readTrace(text, "text"));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void readMooncake(benchmark::State& state) {
    readTexts(state, mooncakeText());
}

void readTable(benchmark::State& state) {
    readTexts(state, tableText());
}

void copyText(benchmark::State& state) {
    const std::string text = mooncakeText();
    for (auto _ : state) {
        std::string copy = text;
        benchmark::DoNotOptimize(copy.data());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

} // namespace

BENCHMARK(drawReference);
BENCHMARK(drawStandard);
BENCHMARK(drawMany)->Unit(benchmark::kMicrosecond);
BENCHMARK(resampleReference)->Unit(benchmark::kMillisecond);
BENCHMARK(readMooncake)->Unit(benchmark::kMillisecond);
BENCHMARK(readTable)->Unit(benchmark::kMillisecond);
BENCHMARK(copyText)->Unit(benchmark::kMillisecond);
