// Runs once into poison and compares sampled rows with double precision.
#include "gpu/host/host_check.h"

#include "core/base/random.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/poisoned.h"
#include "gpu/host/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline::gpu {
namespace {

std::vector<std::int64_t> sampledRows(std::int64_t n, int rows, std::uint64_t seed) {
    std::vector<std::int64_t> chosen = {0, n - 1};
    const RandomStream random(seed);
    for (int i = 2; i < rows; ++i) {
        chosen.push_back(static_cast<std::int64_t>(
            below(static_cast<std::uint32_t>(n), random.at(static_cast<std::uint64_t>(i)))));
    }
    std::ranges::sort(chosen);
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

/// One expert's output at the sampled rows, beside its reference.
struct Compared {
    std::vector<float> values;
    std::vector<double> reference;
};

void compareProduct(const HostProblem& problem, const PointSpec& spec, std::span<const std::int64_t> rows,
                    Compared& compared) {
    const std::span<const float> x(problem.x, static_cast<std::size_t>(spec.rowsM * spec.size.k));
    const std::vector<double> reference = readsKBits(spec.kernel)
                                              ? referenceProduct(problem.packed, x, spec.rowsM, rows)
                                              : referenceProduct(problem.dense, x, spec.rowsM, rows);
    compared.reference.insert(compared.reference.end(), reference.begin(), reference.end());
    for (std::int64_t m = 0; m < spec.rowsM; ++m) {
        for (const std::int64_t row : rows) {
            compared.values.push_back(problem.y[m * spec.size.n + row]);
        }
    }
}

void compareWeights(const HostProblem& problem, const PointSpec& spec, std::span<const std::int64_t> rows,
                    Compared& compared) {
    for (const std::int64_t row : rows) {
        const std::vector<double> reference = referenceRow(problem.packed, row);
        compared.reference.insert(compared.reference.end(), reference.begin(), reference.end());
        for (std::int64_t k = 0; k < spec.size.k; ++k) {
            compared.values.push_back(floatOfHalf(problem.out.fp16[row * spec.size.k + k]));
        }
    }
}

} // namespace

CheckOutcome judged(double error, double tolerance, bool written, bool guardsIntact) {
    if (!guardsIntact) {
        return {false, error, "it wrote beside its output"};
    }
    if (!written) {
        return {false, error, "it left a part of its output unwritten, or gave values that are no numbers"};
    }
    if (!(error <= tolerance)) {
        return {false, error,
                fmt::format("its relative error is {:.2g}, allowed are {:.2g}", error, tolerance)};
    }
    return {true, error, ""};
}

CheckOutcome checkHostKernel(HostRunner& runner, WeightPool& pool, const HostKernel& kernel,
                             const PointSpec& spec, std::uint64_t seed, int rows) {
    const bool dequantise = spec.kernel == Kernel::Dequantise;
    const std::int64_t rowsM = spec.rowsM * spec.experts;
    reserveFor(pool, spec);
    std::vector<float> x(static_cast<std::size_t>(rowsM * spec.size.k));
    fillUniform(x, seed);
    Poisoned<float> y(dequantise ? 0 : static_cast<std::size_t>(rowsM * spec.size.n));
    Poisoned<std::uint16_t> out( // a pair's second reads from there what its first writes
        specOf(kernel.method).dequantises ? static_cast<std::size_t>(spec.size.k * spec.size.n * spec.experts)
                                          : 0);

    constexpr std::int64_t places = std::int64_t{1} << 20;
    HostWork work(runner, pool, kernel, spec, {x.data(), y.data(), out.data()}, places);
    const auto place = static_cast<std::int64_t>(seed % static_cast<std::uint64_t>(work.places()));
    work.run(place);

    Compared compared;
    const std::vector<std::int64_t> sampled = sampledRows(spec.size.n, rows, seed);
    for (const HostProblem& problem : work.problemsAt(place)) {
        if (dequantise) {
            compareWeights(problem, spec, sampled, compared);
        } else {
            compareProduct(problem, spec, sampled, compared);
        }
    }
    const bool written =
        std::ranges::all_of(y.values(), [](float value) { return std::isfinite(value); }) &&
        std::ranges::none_of(out.values(), [](std::uint16_t half) { return (half & 0x7C00U) == 0x7C00U; });
    return judged(relativeError(compared.values, compared.reference), specOf(kernel.method).tolerance,
                  written, y.guardsIntact() && out.guardsIntact());
}

} // namespace loadline::gpu
