// One table, one thread: for each M the k-bit products beside OpenBLAS's sgemv or sgemm (it has no product of
// fp16 weights: fp16 is Loadline's own) and beside the rate of reading. All of a row take turns, and of each
// the best counts. k2 .. k5 and fp16: how many times as fast as OpenBLAS on the same matrix in fp32, by the
// fastest of the methods with such activations; read_k2 .. read_k5: their weights' bytes a second as a share
// of read_GB_s. The table itself: host_kernels_bench --benchmark_filter='beside|decode.*threads:1$'
// --benchmark_counters_tabular=true (the other lines are attention, in attention.cpp).
#include "tests/bench/host_kernels/ceilings.h"
#include "tests/bench/host_kernels/matrices.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

using namespace loadline;
using namespace loadline::bench;
using namespace loadline::gpu;

namespace {

/// What takes turns: a run, for any number of rounds, and its best time.
struct Contender {
    std::string name;
    std::function<void(std::size_t round)> run;
};

Contender contenderOf(const std::string& name, HostKernel kernel, int bits, std::int64_t rowsM, float* y) {
    return {name, [=](std::size_t round) {
                HostProblem problem{.rowsM = rowsM, .x = input().data(), .y = y};
                if (specOf(kernel.method).kBit != nullptr) {
                    problem.packed = &packedCopies(bits)[round % packedCopies(bits).size()];
                } else {
                    problem.dense = &denseMatrix(kernel.method);
                }
                runner(1).run(kernel, problem);
            }};
}

std::vector<Contender> contenders(InstructionSet set, bool int8, std::int64_t rowsM, float* y) {
    std::vector<Contender> all = {
        {"read", [=](std::size_t round) { benchmark::DoNotOptimize(readSlice(1, round)); }},
        contenderOf("OpenBLAS", {rivalMethod(), set}, 0, rowsM, y),
        contenderOf("fp16", {HostMethod::DenseFp16, set}, 0, rowsM, y)};
    for (const HostMethodSpec& spec : hostMethods()) {
        const bool product = spec.kBit != nullptr && !spec.dequantises && (spec.int8 != nullptr) == int8;
        const bool here = spec.int8 == nullptr || kernelTable(set).*spec.int8 != nullptr;
        if (product && here && (rowsM >= 8 || spec.panelsFrom > rowsM)) {
            for (int bits = 2; bits <= 5; ++bits) {
                all.push_back(contenderOf(fmt::format("k{}", bits), {spec.method, set}, bits, rowsM, y));
            }
        }
    }
    return all;
}

void besideOpenBlas(benchmark::State& state, InstructionSet set, bool int8, std::int64_t rowsM) {
    std::vector<float> y(static_cast<std::size_t>(sideN * rowsM));
    const std::vector<Contender> all = contenders(set, int8, rowsM, y.data());
    std::map<std::string, double> best;
    std::size_t round = 0;
    for (auto _ : state) {
        for (const Contender& contender : all) {
            const double seconds = secondsOf(1, [&] { contender.run(round); });
            const auto [entry, isNew] = best.try_emplace(contender.name, seconds);
            entry->second = std::min(entry->second, seconds);
        }
        ++round;
    }
    const double read = static_cast<double>(sliceBytes) / best["read"];
    state.counters["read_GB_s"] = read * 1e-9;
    state.counters["blas_us"] = best["OpenBLAS"] * 1e6;
    state.counters["fp16"] = best["OpenBLAS"] / best["fp16"];
    for (int bits = 2; bits <= 5; ++bits) {
        const double seconds = best[fmt::format("k{}", bits)];
        state.counters[fmt::format("k{}", bits)] = best["OpenBLAS"] / seconds;
        state.counters[fmt::format("read_k{}", bits)] =
            static_cast<double>(packedCopies(bits).front().bytes()) / seconds / read;
    }
}

const bool registered = [] {
    for (const InstructionSet set : thisCpu().sets) {
        for (const bool int8 : {false, true}) {
            for (const std::int64_t rowsM : {1, 4, 8, 16, 32, 64}) {
                if (set == InstructionSet::Portable) {
                    continue;
                }
                const std::string name = fmt::format("beside OpenBLAS ({}, {} activations)/M:{}", nameOf(set),
                                                     int8 ? "int8" : "fp32", rowsM);
                benchmark::RegisterBenchmark(
                    name.c_str(), [=](benchmark::State& state) { besideOpenBlas(state, set, int8, rowsM); })
                    ->Iterations(rowsM < 16 ? 20 : 6)
                    ->Unit(benchmark::kMillisecond);
            }
        }
    }
    return true;
}();

} // namespace
