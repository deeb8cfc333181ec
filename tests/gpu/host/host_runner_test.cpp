// Every host kernel of this machine, every k, shapes that fill and do not fill vectors and panels, several
// M: against the double reference, on poisoned and guarded outputs.
#include "gpu/host/host_runner.h"

#include "gpu/format/codebook.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/reference.h"
#include "tests/gpu/format/made_up_weights.h"
#include "tests/gpu/host/guarded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

using namespace loadline;
using namespace loadline::gpu;

namespace {

struct Size {
    std::int64_t k, n;
};

/// Less than a group; a group and a part; K of whole and of part panels; wide; deep.
constexpr std::array<Size, 6> sizes = {{{64, 13}, {96, 9}, {160, 37}, {256, 160}, {64, 516}, {1376, 48}}};
constexpr std::array<std::int64_t, 8> rowCounts = {1, 2, 3, 4, 8, 17, 37, 64};

unsigned freshSeed() {
    static unsigned seed = 1000;
    return ++seed;
}

std::optional<OpenBlas> openBlas() {
    Result<OpenBlas> loaded = OpenBlas::load();
    return loaded ? std::optional(loaded.value()) : std::nullopt;
}

/// Random codes with scales of every kind: usual, subnormal in E4M4, zero.
QuantisedWeights madeUpCodes(const KBitShape& shape) {
    QuantisedWeights weights = randomCodes(shape, freshSeed());
    for (std::size_t i = 0; i < weights.absmax.size(); i += 7) {
        weights.absmax[i] = i % 2 == 0 ? 5.0F / 16384 : 0;
    }
    return weights;
}

/// Normal activations; one block of zeros.
std::vector<float> madeUpX(std::int64_t rowsM, std::int64_t k) {
    std::vector<float> x = normalValues(static_cast<std::size_t>(rowsM * k), freshSeed());
    if (rowsM > 1) {
        std::fill_n(x.begin() + k, 32, 0.0F);
    }
    return x;
}

DenseWeights denseWeights(HostMethod method, Size size) {
    DenseWeights dense{.k = size.k, .n = size.n, .fp32 = {}, .fp16 = {}};
    for (const float value : normalValues(static_cast<std::size_t>(size.k * size.n), freshSeed())) {
        if (method == HostMethod::DenseFp16) {
            dense.fp16.push_back(halfOfFloat(value));
        } else {
            dense.fp32.push_back(value);
        }
    }
    return dense;
}

std::string describe(const HostKernel& kernel, Size size, std::int64_t rowsM, int bits) {
    return nameOf(kernel) + ", " + std::to_string(size.k) + "x" + std::to_string(size.n) +
           ", M = " + std::to_string(rowsM) + ", k = " + std::to_string(bits);
}

void checkProduct(HostRunner& runner, const HostKernel& kernel, HostProblem problem, std::int64_t n,
                  const std::vector<double>& reference) {
    Guarded<float> y(static_cast<std::size_t>(problem.rowsM * n));
    problem.y = y.data();
    runner.run(kernel, problem);
    EXPECT_LE(relativeError(y.values(), reference), specOf(kernel.method).tolerance);
    EXPECT_TRUE(y.intact());
}

class HostKernelTest : public testing::TestWithParam<HostKernel> {
protected:
    HostRunner runner_{2, openBlas()};
};

class HostProduct : public HostKernelTest {};    // every kernel that gives products
class OwnHostProduct : public HostKernelTest {}; // of these, ours
class HostWeights : public HostKernelTest {};    // every kernel that gives weights

template <typename Chosen>
std::vector<HostKernel> kernelsThat(Chosen chosen) {
    std::vector<HostKernel> kernels = hostKernels(thisCpu(), openBlas().has_value());
    std::erase_if(kernels, [&](const HostKernel& kernel) { return !chosen(kernel.method); });
    return kernels;
}

TEST_P(HostProduct, AgreesWithTheDoubleReference) {
    const HostKernel kernel = GetParam();
    for (const Size size : sizes) {
        for (const std::int64_t rowsM : rowCounts) {
            const std::vector<float> x = madeUpX(rowsM, size.k);
            HostProblem problem;
            problem.rowsM = rowsM;
            problem.x = x.data();
            if (specOf(kernel.method).kBit == nullptr) {
                SCOPED_TRACE(describe(kernel, size, rowsM, 16));
                const DenseWeights dense = denseWeights(kernel.method, size);
                problem.dense = &dense;
                checkProduct(runner_, kernel, problem, size.n, referenceProduct(dense, x, rowsM));
                continue;
            }
            for (int bits = 2; bits <= 5; ++bits) {
                for (const AbsmaxFormat format : {AbsmaxFormat::E4M4, AbsmaxFormat::Fp32}) {
                    SCOPED_TRACE(describe(kernel, size, rowsM, bits));
                    const PackedWeights packed =
                        pack(madeUpCodes({size.k, size.n, bits}), Layout::Lanes, format);
                    problem.packed = &packed;
                    checkProduct(runner_, kernel, problem, size.n,
                                 referenceProduct(unpack(packed), x, rowsM));
                }
            }
        }
    }
}

/// Any number of rows beside groups, panels and tiles of rows of x, in any k.
TEST_P(OwnHostProduct, AgreesForRandomShapes) {
    const HostKernel kernel = GetParam();
    std::mt19937 random(freshSeed());
    const auto upTo = [&](unsigned most) { return 1 + static_cast<std::int64_t>(random() % most); };
    for (int round = 0; round < 40; ++round) {
        const Size size{32 * upTo(12), 8 + upTo(150)}; // so many that sums near zero do not decide
        const int bits = 2 + round % 4;
        const std::int64_t rowsM = upTo(14);
        SCOPED_TRACE(describe(kernel, size, rowsM, bits));
        const std::vector<float> x = madeUpX(rowsM, size.k);
        const PackedWeights packed = pack(madeUpCodes({size.k, size.n, bits}), Layout::Lanes,
                                          round % 3 == 0 ? AbsmaxFormat::Fp32 : AbsmaxFormat::E4M4);
        const DenseWeights dense = denseWeights(kernel.method, size);
        checkProduct(runner_, kernel, {.packed = &packed, .dense = &dense, .rowsM = rowsM, .x = x.data()},
                     size.n,
                     specOf(kernel.method).kBit != nullptr ? referenceProduct(unpack(packed), x, rowsM)
                                                           : referenceProduct(dense, x, rowsM));
    }
}

TEST_P(HostWeights, AreExact) {
    const HostKernel kernel = GetParam();
    const bool toHalf = kernel.method == HostMethod::DequantiseFp16;
    // The last one is large enough for stores past the caches.
    for (const Size size : {sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], Size{4096, 1030}}) {
        for (int bits = 2; bits <= 5; ++bits) {
            SCOPED_TRACE(describe(kernel, size, 0, bits));
            const PackedWeights packed =
                pack(madeUpCodes({size.k, size.n, bits}), Layout::Lanes, AbsmaxFormat::E4M4);
            const std::vector<float> expected = dequantise(unpack(packed));
            DenseWeights out{.k = size.k, .n = size.n, .fp32 = {}, .fp16 = {}};
            constexpr std::uint16_t poison = 0xFFFF;
            if (toHalf) {
                out.fp16.assign(expected.size() + 64, poison);
            } else {
                out.fp32.assign(expected.size() + 64, floatOfHalf(poison));
            }
            HostProblem problem;
            problem.packed = &packed;
            problem.out = &out;
            runner_.run(kernel, problem);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                wrong += toHalf ? out.fp16[i] != halfOfFloat(expected[i]) : out.fp32[i] != expected[i];
            }
            EXPECT_EQ(wrong, 0U);
            for (std::size_t i = expected.size(); i < expected.size() + 64; ++i) {
                EXPECT_TRUE(toHalf ? out.fp16[i] == poison : out.fp32[i] != out.fp32[i]);
            }
        }
    }
}

TEST_P(OwnHostProduct, HasTheSameBitsOnAnyNumberOfThreads) {
    const HostKernel kernel = GetParam();
    const Size size{256, 1000};
    const PackedWeights packed = pack(madeUpCodes({size.k, size.n, 4}), Layout::Lanes, AbsmaxFormat::E4M4);
    const DenseWeights dense = denseWeights(kernel.method, size);
    for (const std::int64_t rowsM : {1, 4, 17}) {
        const std::vector<float> x = madeUpX(rowsM, size.k);
        std::vector<std::vector<float>> results;
        for (const unsigned threads : {1U, 2U, 3U, 5U}) {
            HostRunner other(threads);
            std::vector<float> y(static_cast<std::size_t>(rowsM * size.n));
            other.run(kernel,
                      {.packed = &packed, .dense = &dense, .rowsM = rowsM, .x = x.data(), .y = y.data()});
            results.push_back(y);
        }
        for (const std::vector<float>& result : results) {
            EXPECT_EQ(result, results.front());
        }
    }
}

TEST_P(HostProduct, RunsExpertsInOneCall) {
    const HostKernel kernel = GetParam();
    constexpr std::array<std::int64_t, 4> rows = {3, 1, 20, 2};
    const Size size{128, 72};
    std::vector<PackedWeights> packed;
    std::vector<DenseWeights> dense;
    std::vector<std::vector<float>> x;
    std::vector<Guarded<float>> y;
    std::vector<HostProblem> problems;
    for (const std::int64_t rowsM : rows) {
        packed.push_back(pack(madeUpCodes({size.k, size.n, 3}), Layout::Lanes, AbsmaxFormat::E4M4));
        dense.push_back(denseWeights(kernel.method, size));
        x.push_back(madeUpX(rowsM, size.k));
        y.emplace_back(static_cast<std::size_t>(rowsM * size.n));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        problems.push_back(
            {.packed = &packed[i], .dense = &dense[i], .rowsM = rows[i], .x = x[i].data(), .y = y[i].data()});
    }
    runner_.run(kernel, problems);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<double> reference = specOf(kernel.method).kBit != nullptr
                                                  ? referenceProduct(unpack(packed[i]), x[i], rows[i])
                                                  : referenceProduct(dense[i], x[i], rows[i]);
        EXPECT_LE(relativeError(y[i].values(), reference), specOf(kernel.method).tolerance) << i;
        EXPECT_TRUE(y[i].intact());
    }
}

TEST_P(HostProduct, OfASingleRowIsRight) {
    const HostKernel kernel = GetParam();
    for (int bits = 2; bits <= 5; ++bits) {
        QuantisedWeights codes = randomCodes({64, 1, bits}, freshSeed());
        for (std::uint8_t& code : codes.codes) { // positive only: one sum has nothing to average out
            code = static_cast<std::uint8_t>(code | 1U << (bits - 1));
        }
        const PackedWeights packed = pack(codes, Layout::Lanes, AbsmaxFormat::E4M4);
        DenseWeights dense = denseWeights(kernel.method, {64, 1});
        std::vector<float> x(64);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<float>(i + 1);
            if (dense.fp32.empty()) {
                dense.fp16[i] &= 0x7FFF;
            } else {
                dense.fp32[i] = std::abs(dense.fp32[i]);
            }
        }
        SCOPED_TRACE(describe(kernel, {64, 1}, 1, bits));
        const auto reference = specOf(kernel.method).kBit != nullptr ? referenceProduct(codes, x, 1)
                                                                     : referenceProduct(dense, x, 1);
        checkProduct(runner_, kernel, {.packed = &packed, .dense = &dense, .rowsM = 1, .x = x.data()}, 1,
                     reference);
    }
}

/// y of x and codebook rounded to bytes as the int8 kernels say they do, in double.
std::vector<double> int8Reference(const QuantisedWeights& weights, const std::vector<float>& x,
                                  std::int64_t rowsM) {
    std::vector<float> rounded(x.size());
    for (std::size_t block = 0; block < x.size() / 32; ++block) {
        float largest = 0;
        for (std::size_t i = block * 32; i < block * 32 + 32; ++i) {
            largest = std::max(largest, std::abs(x[i]));
        }
        for (std::size_t i = block * 32; i < block * 32 + 32 && largest > 0; ++i) {
            rounded[i] = std::rint(x[i] * (127 / largest)); // a byte; the scale follows below
        }
    }
    const KBitShape& shape = weights.shape;
    std::vector<double> y(static_cast<std::size_t>(rowsM * shape.n));
    for (std::int64_t m = 0; m < rowsM; ++m) {
        for (std::int64_t n = 0; n < shape.n; ++n) {
            for (std::int64_t k = 0; k < shape.k; ++k) {
                const auto first = static_cast<std::ptrdiff_t>(m * shape.k + k / 32 * 32);
                float largest = 0;
                std::for_each_n(x.begin() + first, 32,
                                [&](float value) { largest = std::max(largest, std::abs(value)); });
                const std::int64_t at = n * shape.k + k;
                const double byte = std::round(codebookOf(shape.bits)[weights.codes[at]] * 127);
                y[m * shape.n + n] +=
                    byte / 127 * weights.absmax[at / 32] * rounded[m * shape.k + k] * largest / 127;
            }
        }
    }
    return y;
}

TEST(Int8Kernels, AreExactForTheirBytes) {
    HostRunner runner(1);
    for (const HostKernel& kernel : hostKernels(thisCpu(), false)) {
        if (specOf(kernel.method).int8 == nullptr) {
            continue;
        }
        for (int bits = 2; bits <= 5; ++bits) {
            for (const std::int64_t rowsM : {1, 2, 11, 12, 25}) {
                SCOPED_TRACE(describe(kernel, {96, 40}, rowsM, bits));
                const QuantisedWeights codes = madeUpCodes({96, 40, bits});
                const PackedWeights packed = pack(codes, Layout::Lanes, AbsmaxFormat::Fp32);
                const std::vector<float> x = madeUpX(rowsM, 96);
                Guarded<float> y(static_cast<std::size_t>(rowsM * 40));
                runner.run(kernel, {.packed = &packed, .rowsM = rowsM, .x = x.data(), .y = y.data()});
                EXPECT_LE(relativeError(y.values(), int8Reference(codes, x, rowsM)), 1e-6);
            }
        }
    }
}

std::string testName(const testing::TestParamInfo<HostKernel>& info) {
    const std::map<InstructionSet, std::string> sets = {{InstructionSet::Portable, "portable"},
                                                        {InstructionSet::Avx2, "avx2"},
                                                        {InstructionSet::Avx512, "avx512"}};
    const std::string method(specOf(info.param.method).key);
    return info.param.method == HostMethod::OpenBlasFp32 ? method : method + "_" + sets.at(info.param.set);
}

INSTANTIATE_TEST_SUITE_P(Host, HostProduct, testing::ValuesIn(kernelsThat([](HostMethod method) {
                             return !specOf(method).dequantises;
                         })),
                         testName);
INSTANTIATE_TEST_SUITE_P(Host, OwnHostProduct, testing::ValuesIn(kernelsThat([](HostMethod method) {
                             return !specOf(method).dequantises && method != HostMethod::OpenBlasFp32;
                         })),
                         testName);
INSTANTIATE_TEST_SUITE_P(Host, HostWeights, testing::ValuesIn(kernelsThat([](HostMethod method) {
                             return specOf(method).dequantises;
                         })),
                         testName);

TEST(OpenBlas, SaysWhatIsMissing) {
    const Result<OpenBlas> none = OpenBlas::load("libno-such-library.so.0");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().sentence().find("libopenblas0"), std::string::npos);
}

TEST(OpenBlas, IsFoundWhereInstalled) {
    const Result<OpenBlas> blas = OpenBlas::load();
    if (!blas) {
        GTEST_SKIP() << blas.error().sentence();
    }
    EXPECT_NE(blas.value().description().find("OpenBLAS"), std::string::npos);
}

TEST(Reference, IsTheSameFromCodesAndFromTheLayout) {
    for (int bits = 2; bits <= 5; ++bits) {
        for (const AbsmaxFormat format : {AbsmaxFormat::E4M4, AbsmaxFormat::Fp32}) {
            const PackedWeights packed = pack(madeUpCodes({96, 37, bits}), Layout::Lanes, format);
            const std::vector<float> x = madeUpX(3, 96);
            const std::vector<std::int64_t> rows = {0, 17, 36};
            EXPECT_EQ(referenceProduct(PackedView(&packed), x, 3, rows),
                      referenceProduct(unpack(packed), x, 3, rows));
            const std::vector<double> all = referenceWeights(unpack(packed));
            EXPECT_EQ(referenceRow(&packed, 36), std::vector<double>(all.end() - 96, all.end()));
        }
    }
}

TEST(HostRunner, ReadsCopiesAndWritesEveryByte) {
    for (const InstructionSet set : thisCpu().sets) {
        HostRunner runner(3);
        AlignedVector<std::uint64_t> data(3 * 131'072 / 8 * 10 + 8);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < data.size(); ++i) {
            data[i] = i * 0x9E3779B97F4A7C15U;
            sum += data[i];
        }
        const std::size_t bytes = data.size() * sizeof data[0];
        EXPECT_EQ(runner.read(set, data.data(), bytes), sum);
        AlignedVector<std::uint64_t> copied(data.size());
        runner.copy(set, copied.data(), data.data(), bytes);
        EXPECT_EQ(copied, data);
        AlignedVector<std::uint8_t> written(bytes + 64, 0xFF);
        runner.write(set, written.data(), bytes);
        EXPECT_EQ(std::count(written.begin(), written.end(), 0xFF), 64); // all, and nothing behind
    }
}

TEST(Cpu, HasItsSetsInOrder) {
    const Cpu cpu = thisCpu();
    EXPECT_EQ(cpu.sets.front(), InstructionSet::Portable);
    EXPECT_TRUE(std::is_sorted(cpu.sets.begin(), cpu.sets.end()));
    EXPECT_TRUE(cpu.has(cpu.best()));
    EXPECT_GE(cpu.cores, 1U);
    EXPECT_FALSE(cpu.name.empty());
}

} // namespace
