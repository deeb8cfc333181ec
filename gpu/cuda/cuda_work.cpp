// Points as the plugin's work, and the check of one against float64.
#include "gpu/cuda/cuda_work.h"

#include "gpu/format/e4m4.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace loadline::gpu {

const CudaKernelSpec* cudaKernelOf(Kernel kernel) {
    for (const CudaKernelSpec& spec : cudaKernels) {
        if (spec.kernel == keyOf(kernel)) {
            return &spec;
        }
    }
    return nullptr;
}

CudaWork cudaWorkOf(const PointSpec& spec, const Rotation& rotation) {
    CudaWork work = {};
    work.operation = cudaKernelOf(spec.kernel)->operation;
    work.bits = spec.kBits;
    work.k = spec.size.k;
    work.n = spec.size.n;
    work.m = static_cast<std::int32_t>(std::max<std::int64_t>(spec.rowsM, 1));
    work.experts = spec.experts;
    if (spec.kernel == Kernel::Dequantise) { // experts lie one after the other: more rows of W
        work.n *= spec.experts;
    }
    work.copies = std::clamp(rotation.copies, 1, mostCudaCopies);
    work.nodes = std::clamp(rotation.calls, 1, 4096);
    work.activationSets = std::min(4, work.copies);
    work.seed = 1;
    return work;
}

Error deviceError(const CudaPluginApi& api, const CudaSession* session, const std::string& where) {
    return Error{fmt::format("the device failed: {}", api.lastError(session)), where,
                 "measuring again in a new process"};
}

CheckOutcome outcomeOf(const std::vector<float>& values, const std::vector<double>& expected) {
    constexpr double most = 2e-3; // fp16 results of fp32 sums, weights and table rounded to fp16
    CheckOutcome outcome;
    outcome.relativeError = relativeError(values, expected);
    outcome.passed = outcome.relativeError < most;
    if (!outcome.passed) {
        outcome.what =
            fmt::format("relative error {:.2g}, at most {:.2g} is right", outcome.relativeError, most);
    }
    return outcome;
}

PointSpec checkable(const PointSpec& spec) {
    PointSpec small = spec;
    constexpr std::int64_t weights = 1 << 20;
    small.experts = std::min(spec.experts, 4);
    const std::int64_t most = std::max<std::int64_t>(weights / spec.size.k / small.experts / 128 * 128, 128);
    if (spec.size.n > most + spec.size.n % 128) {
        small.size.n = most + spec.size.n % 128;
    }
    small.rowsM = std::min<std::int64_t>(spec.rowsM, 64);
    return small;
}

namespace {

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
    std::vector<double> expected; ///< [rows][n]
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
        }
        in_.expected.resize(static_cast<std::size_t>(rows_ * spec_.size.n));
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

    template <class Product>
    void addRows(int expert, const Product& product) {
        std::vector<float> x;
        std::vector<std::int64_t> rows;
        for (std::int64_t row = 0; row < rows_; ++row) {
            if (expertOf(row) == expert) {
                rows.push_back(row);
                x.insert(x.end(), x_.begin() + row * spec_.size.k, x_.begin() + (row + 1) * spec_.size.k);
            }
        }
        const std::vector<double> y = product(x, static_cast<std::int64_t>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(i) * spec_.size.n, spec_.size.n,
                        in_.expected.begin() + rows[i] * spec_.size.n);
        }
    }

    void addKBits(int expert) {
        const QuantisedWeights weights = randomWeights({spec_.size.k, spec_.size.n, spec_.kBits}, random_);
        const PackedWeights packed = pack(weights, kernel_.layout, AbsmaxFormat::E4M4);
        in_.words.insert(in_.words.end(), packed.words.begin(), packed.words.end());
        in_.scales.insert(in_.scales.end(), packed.absmaxBytes.begin(), packed.absmaxBytes.end());
        if (spec_.kernel == Kernel::Dequantise) {
            const std::vector<double> decoded = referenceWeights(weights);
            if (expert == 0) {
                in_.expected.clear();
            }
            in_.expected.insert(in_.expected.end(), decoded.begin(), decoded.end());
            return;
        }
        addRows(expert,
                [&](const std::vector<float>& x, std::int64_t m) { return referenceProduct(weights, x, m); });
    }

    void addDense(int expert) {
        std::uniform_real_distribution<float> uniform(-1, 1);
        DenseWeights weights;
        weights.k = spec_.size.k;
        weights.n = spec_.size.n;
        for (std::int64_t i = 0; i < weights.k * weights.n; ++i) {
            weights.fp16.push_back(halfOfFloat(uniform(random_)));
        }
        in_.dense.insert(in_.dense.end(), weights.fp16.begin(), weights.fp16.end());
        addRows(expert,
                [&](const std::vector<float>& x, std::int64_t m) { return referenceProduct(weights, x, m); });
    }

    PointSpec spec_;
    const CudaKernelSpec& kernel_;
    std::mt19937_64 random_;
    std::int64_t rows_;
    std::vector<float> x_;
    Inputs in_;
};

} // namespace

Result<CheckOutcome> checkOnDevice(const CudaPluginApi& api, CudaSession* session, const PointSpec& spec,
                                   std::uint64_t seed) {
    PointSpec made = spec;
    made.rowsM = std::max<std::int64_t>(spec.rowsM, 1);
    const Inputs in = Maker(made, seed).make();
    std::vector<std::uint16_t> y(in.expected.size());
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
    const CudaWork work = cudaWorkOf(spec, {1, 1});
    const CudaStatus status = api.check(session, &work, &data);
    if (status == CudaStatus::DeviceFault) {
        return deviceError(api, session, std::string(nameOf(spec.kernel)));
    }
    if (status != CudaStatus::Ok) {
        return CheckOutcome{false, 0, api.lastError(session)};
    }
    std::vector<float> values;
    values.reserve(y.size());
    for (const std::uint16_t half : y) {
        values.push_back(floatOfHalf(half));
    }
    return outcomeOf(values, in.expected);
}

} // namespace loadline::gpu
