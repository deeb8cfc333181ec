// K-bit kernels on this CPU: the best of the runs, as other programs may be running. Aims at k = 4, M = 1,
// one thread, weights beyond the last-level cache, for AVX-512 and for AVX2: share_of_read, of the bandwidth
// measured in the same run, 0.5 and 0.25; times_rival, against OpenBLAS's sgemv on the same matrix in
// fp32, 2. The table beside OpenBLAS: host_kernels/beside_open_blas.cpp.
#include "gpu/host/host_runner.h"
#include "tests/bench/host_kernels/ceilings.h"
#include "tests/bench/host_kernels/matrices.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

using namespace loadline;
using namespace loadline::bench;
using namespace loadline::gpu;

namespace {

/// The rival's best time of a few for as many rows of x: OpenBLAS's, or Loadline's own where it is missing.
double rivalSeconds(std::int64_t rowsM, unsigned threads) {
    static std::map<std::pair<std::int64_t, unsigned>, double> known;
    const auto [entry, isNew] = known.try_emplace({rowsM, threads}, 1e9);
    if (isNew) {
        const HostMethod method = rivalMethod();
        const DenseWeights& weights = denseMatrix(method);
        std::vector<float> y(static_cast<std::size_t>(sideN * rowsM));
        const int runs = rowsM == 1 ? 40 : 5; // enough that load does not flatter us
        for (int run = 0; run < runs; ++run) {
            const double seconds = secondsOf(threads, [&] {
                runner(threads).run(HostKernel{method, thisCpu().best()},
                                    {.dense = &weights, .rowsM = rowsM, .x = input().data(), .y = y.data()});
            });
            entry->second = std::min(entry->second, seconds);
        }
    }
    return entry->second;
}

void report(benchmark::State& state, double best, double bytes, double rowsM, unsigned threads) {
    const double weights = static_cast<double>(sideK) * static_cast<double>(sideN);
    state.counters["best_us"] = best * 1e6;
    state.counters["GB_s"] = bytes / best * 1e-9;
    state.counters["share_of_read"] = bytes / best / readBandwidth(threads);
    state.counters["Gweights_s"] = weights / best * 1e-9;
    state.counters["GFLOP_s"] = 2 * weights * rowsM / best * 1e-9;
}

void kBit(benchmark::State& state, HostKernel kernel, int bits, std::int64_t rowsM, unsigned threads) {
    const std::vector<PackedWeights>& copies = packedCopies(bits);
    std::vector<float> y(static_cast<std::size_t>(sideN * rowsM));
    double best = 1e9;
    std::size_t next = 0;
    for (auto _ : state) {
        const PackedWeights& weights = copies[next++ % copies.size()];
        best = std::min(best, secondsOf(threads, [&] {
                            runner(threads).run(
                                kernel,
                                {.packed = &weights, .rowsM = rowsM, .x = input().data(), .y = y.data()});
                        }));
    }
    report(state, best, static_cast<double>(copies.front().bytes()), static_cast<double>(rowsM), threads);
    state.counters["times_rival"] = rivalSeconds(rowsM, threads) / best;
}

void dense(benchmark::State& state, HostKernel kernel, std::int64_t rowsM, unsigned threads) {
    const DenseWeights& weights = denseMatrix(kernel.method);
    std::vector<float> y(static_cast<std::size_t>(sideN * rowsM));
    double best = 1e9;
    for (auto _ : state) {
        best =
            std::min(best, secondsOf(threads, [&] {
                         runner(threads).run(
                             kernel, {.dense = &weights, .rowsM = rowsM, .x = input().data(), .y = y.data()});
                     }));
    }
    report(state, best, static_cast<double>(weights.bytes()), static_cast<double>(rowsM), threads);
}

void dequantising(benchmark::State& state, HostKernel kernel, int bits, unsigned threads) {
    const std::vector<PackedWeights>& copies = packedCopies(bits);
    DenseWeights out{.k = sideK, .n = sideN, .fp32 = {}, .fp16 = {}};
    if (kernel.method == HostMethod::DequantiseFp32) {
        out.fp32.resize(static_cast<std::size_t>(sideK * sideN));
    } else {
        out.fp16.resize(static_cast<std::size_t>(sideK * sideN));
    }
    double best = 1e9;
    std::size_t next = 0;
    for (auto _ : state) {
        const PackedWeights& weights = copies[next++ % copies.size()];
        best = std::min(best, secondsOf(threads, [&] {
                            runner(threads).run(kernel, {.packed = &weights, .out = &out});
                        }));
    }
    report(state, best, static_cast<double>(copies.front().bytes() + out.bytes()), 0, threads);
}

void reading(benchmark::State& state, InstructionSet set, unsigned threads) {
    double best = 1e9;
    for (auto _ : state) {
        best = std::min(best, secondsOf(threads, [&] {
                            benchmark::DoNotOptimize(
                                runner(threads).read(set, largeData().data(), rotatedBytes));
                        }));
    }
    state.counters["GB_s"] = static_cast<double>(rotatedBytes) / best * 1e-9;
}

void copying(benchmark::State& state, InstructionSet set, unsigned threads) {
    AlignedVector<std::uint64_t> to(largeData().size());
    double best = 1e9;
    for (auto _ : state) {
        best = std::min(best, secondsOf(threads, [&] {
                            runner(threads).copy(set, to.data(), largeData().data(), rotatedBytes);
                        }));
    }
    state.counters["GB_s"] = 2 * static_cast<double>(rotatedBytes) / best * 1e-9;
}

template <typename Body>
void add(const std::string& name, int iterations, Body body) {
    benchmark::RegisterBenchmark(name.c_str(), body)->Iterations(iterations)->Unit(benchmark::kMillisecond);
}

bool worthTiming(const HostKernel& kernel, std::int64_t rowsM) {
    const bool portable = kernel.set == InstructionSet::Portable && kernel.method != HostMethod::OpenBlasFp32;
    return !specOf(kernel.method).dequantises && (!portable || rowsM == 1) &&
           (specOf(kernel.method).role != Kernel::Mma || (rowsM >= 8 && !portable));
}

void addProducts(const HostKernel& kernel, std::int64_t rowsM, unsigned threads) {
    const bool slow = kernel.set == InstructionSet::Portable || rowsM > 8;
    const int iterations = slow ? 3 : 10;
    if (specOf(kernel.method).kBit == nullptr) {
        add(fmt::format("{}/M:{}/threads:{}", nameOf(kernel), rowsM, threads), iterations,
            [=](benchmark::State& state) { dense(state, kernel, rowsM, threads); });
        return;
    }
    for (const int bits : {2, 3, 4, 5}) {
        if (bits == 4 || (rowsM == 1 && threads == 1 && !slow)) {
            add(fmt::format("{}/k:{}/M:{}/threads:{}", nameOf(kernel), bits, rowsM, threads), iterations,
                [=](benchmark::State& state) { kBit(state, kernel, bits, rowsM, threads); });
        }
    }
}

const bool registered = [] {
    const Cpu cpu = thisCpu();
    const bool blas = OpenBlas::load().hasValue();
    const std::vector<HostKernel> kernels = hostKernels(cpu, blas);
    for (const unsigned threads : {1U, std::max(2U, cpu.cores / 2)}) {
        add(fmt::format("read/threads:{}", threads), 12,
            [=](benchmark::State& state) { reading(state, cpu.best(), threads); });
        add(fmt::format("copy/threads:{}", threads), 6,
            [=](benchmark::State& state) { copying(state, cpu.best(), threads); });
        for (const HostKernel& kernel : kernels) {
            for (const std::int64_t rowsM : {1, 2, 4, 8, 16, 64}) {
                if (worthTiming(kernel, rowsM)) {
                    addProducts(kernel, rowsM, threads);
                }
            }
            if (specOf(kernel.method).dequantises && kernel.set != InstructionSet::Portable) {
                add(fmt::format("{}/k:4/threads:{}", nameOf(kernel), threads), 6,
                    [=](benchmark::State& state) { dequantising(state, kernel, 4, threads); });
            }
        }
    }
    benchmark::AddCustomContext("rival",
                                blas ? OpenBlas::load().value().description()
                                     : "OpenBLAS is not installed: Loadline's own fp32 GEMV stands in");
    return true;
}();

} // namespace
