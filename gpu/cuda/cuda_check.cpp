// Bounds of each value, and checks on inputs from the host.
#include "gpu/cuda/cuda_check.h"

#include "core/base/parallel_for.h"
#include "gpu/cuda/cuda_work.h"
#include "gpu/cuda/kernel/moe_route.cuh"
#include "gpu/cuda/kernel/swap_ab_shape.cuh"
#include "gpu/format/e4m4.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace loadline::gpu {

namespace {

constexpr double mostOfNorm = 2e-3; // fp16 results of fp32 sums, weights and table rounded to fp16
constexpr double ofResult = 0x1.01p-11;
constexpr double ofProducts = 0x1.8p-9; // twelve times 2^-12
constexpr double leastStep = 0x1p-24;

} // namespace

Expected expectedProduct(std::span<const double> w, std::span<const float> x, std::int64_t k) {
    const auto depth = static_cast<std::size_t>(k);
    const std::size_t columns = w.size() / depth;
    const std::size_t rowsM = x.size() / depth;
    std::vector<double> steps; // of weights below 2^-14: half a step each, four times over
    for (std::size_t m = 0; m < rowsM; ++m) {
        double squares = 0;
        for (const float value : x.subspan(m * depth, depth)) {
            squares += static_cast<double>(value) * value;
        }
        steps.push_back(2 * leastStep * std::sqrt(squares));
    }
    Expected expected;
    expected.values.resize(rowsM * columns);
    expected.allowed.resize(rowsM * columns);
    parallelFor(columns, 0, {}, [&](std::size_t column, unsigned) {
        const double* const row = w.data() + column * depth;
        for (std::size_t m = 0; m < rowsM; ++m) {
            const float* const rowOfX = x.data() + m * depth;
            double sum = 0;
            double squares = 0;
            for (std::size_t i = 0; i < depth; ++i) {
                const double product = row[i] * rowOfX[i];
                sum += product;
                squares += product * product;
            }
            expected.values[m * columns + column] = sum;
            expected.allowed[m * columns + column] =
                ofResult * std::abs(sum) + ofProducts * std::sqrt(squares) + steps[m] + leastStep;
        }
    });
    return expected;
}

Expected expectedWeights(std::span<const double> w) {
    Expected expected{{w.begin(), w.end()}, {}};
    for (const double value : w) {
        expected.allowed.push_back(ofResult * std::abs(value) + leastStep);
    }
    return expected;
}

Expected expectedAttention(std::vector<double> values, int headDim) {
    // Each weight of a value is rounded to fp16, alike where scores are alike.
    Expected expected{std::move(values), {}};
    const auto run = static_cast<std::size_t>(headDim);
    for (std::size_t first = 0; first < expected.values.size(); first += run) {
        double squares = 0;
        for (std::size_t i = first; i < first + run; ++i) {
            squares += expected.values[i] * expected.values[i];
        }
        const double ofRun = std::sqrt(squares / headDim);
        for (std::size_t i = first; i < first + run; ++i) {
            expected.allowed.push_back(2 * ofResult * std::abs(expected.values[i]) + 2 * ofProducts * ofRun +
                                       leastStep);
        }
    }
    return expected;
}

CheckOutcome outcomeOf(std::span<const float> values, const Expected& expected) {
    CheckOutcome outcome;
    outcome.relativeError = relativeError(values, expected.values);
    outcome.passed = outcome.relativeError < mostOfNorm;
    if (!outcome.passed) {
        outcome.what =
            fmt::format("relative error {:.2g}, at most {:.2g} is right", outcome.relativeError, mostOfNorm);
        return outcome;
    }
    std::size_t wrong = 0;
    std::size_t worst = 0;
    double most = 1;
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
        const double ratio = std::abs(values[i] - expected.values[i]) / expected.allowed[i];
        if (!(ratio <= 1)) {
            ++wrong;
            worst = ratio > most ? i : worst;
            most = std::max(most, ratio);
        }
    }
    if (wrong > 0) {
        outcome.passed = false;
        outcome.what = fmt::format("{} of {} values are wrong: value {} is {:.6g}, {:.6g} +- {:.2g} is right",
                                   wrong, expected.values.size(), worst, values[worst],
                                   expected.values[worst], expected.allowed[worst]);
    }
    return outcome;
}

Result<CheckOutcome> failedCheck(const CudaPluginApi& api, const CudaSession* session, CudaStatus status,
                                 const std::string& where) {
    if (status == CudaStatus::DeviceFault) {
        return deviceError(api, session, where);
    }
    return CheckOutcome{false, 0, api.lastError(session)};
}

CheckOutcome withSumsLeft(CheckOutcome outcome, std::int64_t words) {
    if (outcome.passed && words > 0) {
        outcome.passed = false;
        outcome.what = fmt::format("{} words of the sums that its blocks share are not zero again: the next "
                                   "launch on them would be wrong",
                                   words);
    }
    return outcome;
}

PointSpec checkable(const PointSpec& spec) {
    PointSpec small = spec;
    constexpr std::int64_t weights = 1 << 20;
    small.experts = std::min(spec.experts, 4);
    // Two units of rows at least, of which the second may be filled in part.
    const CudaKernelSpec* const kernel = cudaKernelOf(spec.kernel);
    const bool units = kernel != nullptr && kernel->layout == Layout::Fragments && spec.rowsM > 16;
    const std::int64_t least = units ? (spec.rowsM > 32 ? 384 : 256) : 128;
    const std::int64_t most =
        std::max<std::int64_t>(weights / spec.size.k / small.experts / 128 * 128, least);
    if (spec.size.n > most + spec.size.n % 128) {
        small.size.n = most + spec.size.n % 128;
    }
    small.rowsM = std::min<std::int64_t>(spec.rowsM, 64);
    return small;
}

namespace {

/// Steps of all groups of a check of swap-AB; each expert is one group, as it has 64 rows at most.
SwapAbSteps stepsOfAll(const PointSpec& spec) {
    SwapAbSteps steps = swapAbSteps(spec.size.k, spec.size.n, swapAbTokens(static_cast<int>(spec.rowsM)));
    steps.units *= spec.experts;
    return steps;
}

QuantisedWeights randomWeights(const KBitShape& shape, std::mt19937_64& random) {
    QuantisedWeights weights;
    weights.shape = shape;
    weights.codes.resize(static_cast<std::size_t>(shape.n * shape.k));
    weights.absmax.resize(static_cast<std::size_t>(shape.n * blocksPerRow(shape)));
    for (std::uint8_t& code : weights.codes) {
        code = static_cast<std::uint8_t>(random() & ((1U << shape.bits) - 1U));
    }
    for (float& scale : weights.absmax) { // one in eight of any size, also subnormal
        const auto byte = random() % 8 == 0 ? random() % 112 : 64 + random() % 48;
        scale = decodeE4m4(static_cast<std::uint8_t>(byte));
    }
    return weights;
}

/// Inputs of one check, kept alive while the plugin reads them, and the float64 answer by row of y.
struct Inputs {
    std::vector<std::uint32_t> words;
    std::vector<std::uint8_t> scales;
    std::vector<std::uint16_t> dense;
    std::vector<std::uint16_t> x;
    std::vector<std::int32_t> choices;
    Expected expected; ///< [rows][n]
};

class Maker {
public:
    Maker(const PointSpec& spec, std::uint64_t seed)
        : spec_(spec), kernel_(*cudaKernelOf(spec.kernel)), random_(seed), rows_(spec.rowsM * spec.experts),
          x_(static_cast<std::size_t>(rows_ * spec.size.k)) {}

    Inputs make() {
        std::normal_distribution<float> normal;
        for (float& value : x_) {
            in_.x.push_back(halfOfFloat(normal(random_)));
            value = floatOfHalf(in_.x.back());
        }
        if (spec_.kernel == Kernel::Dequantise) {
            in_.x.clear();
        } else {
            in_.expected.values.resize(static_cast<std::size_t>(rows_ * spec_.size.n));
            in_.expected.allowed.resize(in_.expected.values.size());
        }
        for (int expert = 0; expert < spec_.experts; ++expert) {
            if (readsKBits(spec_.kernel)) {
                addKBits(expert);
            } else {
                addDense(expert);
            }
        }
        if (kernel_.routed) {
            for (std::int64_t row = 0; row < rows_; ++row) {
                in_.choices.push_back(expertOf(row));
            }
        }
        return std::move(in_);
    }

private:
    [[nodiscard]] std::int32_t expertOf(std::int64_t row) const {
        return static_cast<std::int32_t>(kernel_.routed ? row % spec_.experts : row / spec_.rowsM);
    }

    void addRows(int expert, const std::vector<double>& weights) {
        std::vector<float> x;
        std::vector<std::int64_t> rows;
        for (std::int64_t row = 0; row < rows_; ++row) {
            if (expertOf(row) == expert) {
                rows.push_back(row);
                x.insert(x.end(), x_.begin() + row * spec_.size.k, x_.begin() + (row + 1) * spec_.size.k);
            }
        }
        const Expected y = expectedProduct(weights, x, spec_.size.k);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto from = static_cast<std::ptrdiff_t>(i) * spec_.size.n;
            const std::int64_t to = rows[i] * spec_.size.n;
            std::copy_n(y.values.begin() + from, spec_.size.n, in_.expected.values.begin() + to);
            std::copy_n(y.allowed.begin() + from, spec_.size.n, in_.expected.allowed.begin() + to);
        }
    }

    void addKBits(int expert) {
        const QuantisedWeights weights = randomWeights({spec_.size.k, spec_.size.n, spec_.kBits}, random_);
        const PackedWeights packed = pack(weights, kernel_.layout, AbsmaxFormat::E4M4);
        in_.words.insert(in_.words.end(), packed.words.begin(), packed.words.end());
        in_.scales.insert(in_.scales.end(), packed.absmaxBytes.begin(), packed.absmaxBytes.end());
        const std::vector<double> decoded = referenceWeights(weights);
        if (spec_.kernel == Kernel::Dequantise) {
            const Expected more = expectedWeights(decoded);
            Expected& all = in_.expected;
            all.values.insert(all.values.end(), more.values.begin(), more.values.end());
            all.allowed.insert(all.allowed.end(), more.allowed.begin(), more.allowed.end());
        } else {
            addRows(expert, decoded);
        }
    }

    void addDense(int expert) {
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<double> weights;
        for (std::int64_t i = 0; i < spec_.size.k * spec_.size.n; ++i) {
            in_.dense.push_back(halfOfFloat(uniform(random_)));
            weights.push_back(floatOfHalf(in_.dense.back()));
        }
        addRows(expert, weights);
    }

    PointSpec spec_;
    const CudaKernelSpec& kernel_;
    std::mt19937_64 random_;
    std::int64_t rows_;
    std::vector<float> x_;
    Inputs in_;
};

/// One launch on `in`, of at most `blocks` blocks.
Result<CheckOutcome> checkLaunch(const CudaPluginApi& api, CudaSession* session, const PointSpec& spec,
                                 const Inputs& in, std::int32_t blocks) {
    std::vector<std::uint16_t> y(in.expected.values.size());
    CudaCheck data = {};
    const bool kBits = readsKBits(spec.kernel);
    data.weights = kBits ? static_cast<const void*>(in.words.data()) : in.dense.data();
    data.weightBytes = static_cast<std::int64_t>(kBits ? in.words.size() * 4 : in.dense.size() * 2);
    data.scales = in.scales.data();
    data.scaleBytes = static_cast<std::int64_t>(in.scales.size());
    data.x = in.x.data();
    data.xBytes = static_cast<std::int64_t>(in.x.size() * 2);
    data.choices = in.choices.empty() ? nullptr : in.choices.data();
    data.y = y.data();
    data.yBytes = static_cast<std::int64_t>(y.size() * 2);
    CudaWork work = cudaWorkOf(spec, {1, 1});
    work.maxBlocks = blocks;
    std::int64_t left = 0;
    CudaStatus status = api.check(session, &work, &data);
    if (status == CudaStatus::Ok) {
        status = api.sumsLeft(session, &left);
    }
    if (status != CudaStatus::Ok) {
        return failedCheck(api, session, status, std::string(nameOf(spec.kernel)));
    }
    std::vector<float> values(y.size());
    std::transform(y.begin(), y.end(), values.begin(), floatOfHalf);
    return withSumsLeft(outcomeOf(values, in.expected), left);
}

} // namespace

std::int32_t checkBlocks(const PointSpec& spec) {
    const CudaKernelSpec& kernel = *cudaKernelOf(spec.kernel);
    const auto rows = static_cast<int>(std::max<std::int64_t>(spec.rowsM, 1));
    if (kernel.layout == Layout::Fragments) {
        const int stages = swapAbStages(spec.kBits, swapAbTokens(rows));
        return swapAbCheckBlocks(stepsOfAll(spec), 2 * stages + 1);
    }
    if (kernel.layout == Layout::PlanesTiled) {   // a block has a tile of columns, and a part of K
        constexpr std::int64_t least = 2 * 2 + 1; // two stages
        const std::int64_t tilesN = tilesOf(spec.size.n, planesTileN) * (rows <= 16 ? 2 : 1);
        const int groups = kernel.routed ? moeMaxGroups(spec.experts * rows, spec.experts, rows) : 1;
        const std::int64_t splits = std::max<std::int64_t>(tilesOf(spec.size.k, planesTileK) / least, 1);
        return static_cast<std::int32_t>(tilesN * groups * splits);
    }
    return 0;
}

Result<CheckOutcome> checkOnDevice(const CudaPluginApi& api, CudaSession* session, const PointSpec& spec,
                                   std::uint64_t seed) {
    PointSpec made = spec;
    made.rowsM = std::max<std::int64_t>(spec.rowsM, 1);
    const Inputs in = Maker(made, seed).make();
    const std::int32_t few = checkBlocks(spec);
    auto outcome = checkLaunch(api, session, spec, in, few);
    if (few == 0 || !outcome || !outcome->passed) {
        return outcome;
    }
    if (cudaKernelOf(spec.kernel)->layout == Layout::Fragments) {
        const SwapAbSteps steps = stepsOfAll(made);
        if (steps.units * steps.ofUnit <= few) {
            return outcome; // there are no more blocks
        }
    }
    return checkLaunch(api, session, spec, in, 0);
}

} // namespace loadline::gpu
