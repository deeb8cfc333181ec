// Rates of memory and arithmetic, piece by piece.
#include "gpu/host/host_ceilings.h"

#include "gpu/host/host_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace loadline::gpu {
namespace {

constexpr double ceilingQuantile = 0.1; // of times
constexpr std::size_t wantedPieces = 200;
constexpr double mostMs = 600; // for each ceiling
constexpr std::size_t memoryPiece = std::size_t{2} << 20;
constexpr std::int64_t gemmSide = 512; // weights of such a matrix stay in a core's cache
constexpr std::int64_t leastGemmRows = 16;
constexpr std::int64_t mostGemmRows = 4096;
constexpr double productsPerRow = 2.0 * gemmSide * gemmSide;

/// A GEMM on one thread, with weights of its own.
class GemmAlone {
public:
    GemmAlone(const HostCeilings::Machine& machine, std::uint64_t seed)
        : runner_(1), set_(machine.set), x_(static_cast<std::size_t>(mostGemmRows * gemmSide)),
          y_(x_.size()) {
        weights_.k = weights_.n = gemmSide;
        weights_.fp16.resize(static_cast<std::size_t>(gemmSide * gemmSide));
        for (std::size_t i = 0; i < weights_.fp16.size(); ++i) {
            weights_.fp16[i] = static_cast<std::uint16_t>(0x3000U + (i * 37 + seed) % 0x800U); // 0.125 to 0.5
        }
        fillUniform(x_, seed);
    }

    void run(std::int64_t rows) {
        runner_.run(
            HostKernel{HostMethod::DenseFp16, set_},
            HostProblem{
                .packed = {}, .dense = &weights_, .out = {}, .rowsM = rows, .x = x_.data(), .y = y_.data()});
    }

private:
    HostRunner runner_;
    InstructionSet set_;
    DenseWeights weights_{};
    AlignedVector<float> x_, y_;
};

} // namespace

HostCeilings::Rate HostCeilings::rateOf(double amount,
                                        const std::function<void(unsigned, std::size_t)>& body) {
    Rate rate;
    for (const PieceTimes& us : timesOfEach(machine_.threads, wantedPieces, mostMs, stop_, body)) {
        rate.most += amount / us.quantile(ceilingQuantile);
        rate.median += amount / us.quantile(0.5);
        disturbed_ = disturbed_ || us.disturbed;
    }
    return rate;
}

void HostCeilings::set(const std::string& name, double value) {
    facts_[name] = fmt::format("{:.6g}", value);
}

void HostCeilings::addGbS(const std::string& name, const Rate& rate) {
    constexpr double gbS = 1e-3; // bytes a microsecond
    set(name + "_gb_s", rate.most * gbS);
    set(name + "_median_gb_s", rate.median * gbS);
}

void HostCeilings::addGemm(const char* name, double tflops) {
    if (tflops > 0) {
        set(name, tflops);
        gemm_ = std::max(gemm_, tflops);
    }
}

void HostCeilings::measureMemory(const AlignedVector<std::uint32_t>& words) {
    const KernelTable& table = kernelTable(machine_.set);
    const std::size_t all = words.size() * sizeof(std::uint32_t);
    const std::size_t share = all / machine_.threads / 64 * 64; // of each thread
    const std::size_t piece = std::min(memoryPiece, share);
    const std::size_t places = std::max<std::size_t>(1, share / piece);
    const auto* const begin = reinterpret_cast<const char*>(words.data());
    const auto from = [&](unsigned thread, std::size_t at) {
        return begin + thread * share + at % places * piece;
    };
    std::vector<std::uint64_t> sums(machine_.threads * std::size_t{8}); // a cache line each
    Rate read = rateOf(static_cast<double>(piece), [&](unsigned thread, std::size_t at) {
        sums[thread * std::size_t{8}] += table.read(from(thread, at), piece);
    });
    if (!stop_.stop_requested()) {
        const std::size_t targets = std::max<std::size_t>(1, places / 2); // what is written rotates as well
        AlignedVector<char> to(machine_.threads * targets * piece);
        const auto target = [&](unsigned thread, std::size_t at) {
            return to.data() + (thread * targets + at % targets) * piece;
        };
        const Rate copy = rateOf(2 * static_cast<double>(piece), [&](unsigned thread, std::size_t at) {
            table.copy(target(thread, at), from(thread, at), piece);
        });
        read.most = std::max(read.most, copy.most / 2);
        read.median = std::max(read.median, copy.median / 2);
        addGbS("copy", copy);
        addGbS("write", rateOf(static_cast<double>(piece), [&](unsigned thread, std::size_t at) {
                   table.write(target(thread, at), piece);
               }));
    }
    addGbS("read", read);
}

void HostCeilings::measureEmptyCall(WorkerPool& pool, const std::function<void()>& call) {
    const PieceTimes us = timesOf(pool, wantedPieces, mostMs, stop_, [&](std::size_t) { call(); });
    set("empty_call_us", us.quantile(us.disturbed ? 0 : 0.5));
}

void HostCeilings::measureOwnGemm() {
    std::vector<std::unique_ptr<GemmAlone>> alone;
    for (unsigned thread = 0; thread < machine_.threads; ++thread) {
        alone.push_back(std::make_unique<GemmAlone>(machine_, machine_.seed + thread));
    }
    double most = 0;
    for (std::int64_t rows = leastGemmRows; rows <= mostGemmRows && !stop_.stop_requested(); rows *= 2) {
        const double products = productsPerRow * static_cast<double>(rows);
        const Rate rate = rateOf(products, [&](unsigned thread, std::size_t) { alone[thread]->run(rows); });
        most = std::max(most, rate.most * 1e-6);
        const double us = products * machine_.threads / rate.median;
        if (2 * us > mostPieceUs) {
            break; // twice as many rows would be longer than a piece
        }
    }
    addGemm("own_gemm_tflop_s", most);
}

void HostCeilings::measureOpenBlas(HostRunner& runner) {
    DenseWeights weights{.k = gemmSide, .n = gemmSide, .fp32 = {}, .fp16 = {}};
    weights.fp32.resize(static_cast<std::size_t>(gemmSide * gemmSide));
    fillUniform(weights.fp32, machine_.seed);
    AlignedVector<float> x(static_cast<std::size_t>(mostGemmRows * gemmSide));
    AlignedVector<float> y(x.size());
    fillUniform(x, machine_.seed);
    double most = 0;
    for (std::int64_t rows = leastGemmRows; rows <= mostGemmRows && !stop_.stop_requested(); rows *= 2) {
        const HostProblem problem{
            .packed = {}, .dense = &weights, .out = {}, .rowsM = rows, .x = x.data(), .y = y.data()};
        const PieceTimes us = timesOfOthers(wantedPieces, mostMs, stop_, [&](std::size_t) {
            runner.run(HostKernel{HostMethod::OpenBlasFp32, machine_.set}, problem);
        });
        most =
            std::max(most, productsPerRow * static_cast<double>(rows) / us.quantile(ceilingQuantile) * 1e-6);
        if (2 * us.quantile(0.5) > mostPieceUs) {
            break;
        }
    }
    addGemm("openblas_fp32_gemm_tflop_s", most);
}

Facts HostCeilings::facts() && {
    if (gemm_ > 0) {
        set("gemm_tflop_s", gemm_);
    }
    return std::move(facts_);
}

} // namespace loadline::gpu
