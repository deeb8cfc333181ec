// Made-up GEMMs, and their answer in float64.
#include "tests/gpu/cuda/gemm_case.h"

#include "gpu/format/codebook.h"
#include "gpu/format/e4m4.h"
#include "tests/gpu/emulate/half.h"

#include <cmath>
#include <random>

namespace loadline::gpu {

GemmCase makeGemmCase(int bits, std::int64_t k, std::int64_t n, int rows, int experts, unsigned seed) {
    std::mt19937 random(seed);
    GemmCase gemm;
    gemm.shape = {k, n, bits};
    gemm.rows = rows;
    for (int e = 0; e < experts; ++e) {
        QuantisedWeights weights;
        weights.shape = gemm.shape;
        for (std::int64_t i = 0; i < n * k; ++i) {
            weights.codes.push_back(static_cast<std::uint8_t>(random() % (1U << bits)));
        }
        for (std::int64_t i = 0; i < n * k / blockWeights; ++i) {
            // One in eight of any size (bytes 0 to 15 are subnormal), the others as weights have them.
            const auto byte = random() % 8 == 0 ? random() % 112 : 64 + random() % 48;
            weights.absmax.push_back(decodeE4m4(static_cast<std::uint8_t>(byte)));
        }
        gemm.experts.push_back(std::move(weights));
    }
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < rows * k; ++i) {
        gemm.x.push_back(emulate::halfFromDouble(normal(random)));
    }
    return gemm;
}

PackedExperts packExperts(const GemmCase& gemm, Layout layout) {
    PackedExperts all;
    for (const QuantisedWeights& expert : gemm.experts) {
        const PackedWeights packed = pack(expert, layout, AbsmaxFormat::E4M4);
        all.words.insert(all.words.end(), packed.words.begin(), packed.words.end());
        all.scales.insert(all.scales.end(), packed.absmaxBytes.begin(), packed.absmaxBytes.end());
    }
    return all;
}

PoisonedOutput::PoisonedOutput(std::size_t values) : all_(values + 2 * guard, 0x7fff) {}

bool PoisonedOutput::guardsIntact() const {
    for (std::size_t i = 0; i < guard; ++i) {
        if (all_[i] != 0x7fff || all_[all_.size() - 1 - i] != 0x7fff) {
            return false;
        }
    }
    return true;
}

std::vector<Route> denseRoutes(int rows) {
    std::vector<Route> routes;
    routes.reserve(static_cast<std::size_t>(rows));
    for (int i = 0; i < rows; ++i) {
        routes.push_back({i, 0});
    }
    return routes;
}

namespace {

double referenceOf(const GemmCase& gemm, const Route& route, std::int64_t n) {
    const QuantisedWeights& weights = gemm.experts[static_cast<std::size_t>(route.expert)];
    const float* book = codebookOf(gemm.shape.bits);
    double sum = 0;
    for (std::int64_t k = 0; k < gemm.shape.k; ++k) {
        const auto at = static_cast<std::size_t>(n * gemm.shape.k + k);
        const double scale = weights.absmax[at / blockWeights];
        sum += static_cast<double>(book[weights.codes[at]]) * scale *
               emulate::halfToFloat(gemm.x[static_cast<std::size_t>(route.xRow * gemm.shape.k + k)]);
    }
    return sum;
}

} // namespace

std::string compareGemm(const GemmCase& gemm, const std::vector<Route>& routes, const PoisonedOutput& y,
                        double bound) {
    if (!y.guardsIntact()) {
        return "guard words around the output were overwritten";
    }
    double difference = 0;
    double size = 0;
    for (std::size_t row = 0; row < routes.size(); ++row) {
        double rowDifference = 0;
        double rowSize = 0;
        for (std::int64_t n = 0; n < gemm.shape.n; ++n) {
            const double expected = referenceOf(gemm, routes[row], n);
            const auto at = row * static_cast<std::size_t>(gemm.shape.n) + static_cast<std::size_t>(n);
            const double got = emulate::halfToFloat(y[at]);
            if (std::isnan(got)) {
                return "not a number at row " + std::to_string(row) + ", column " + std::to_string(n);
            }
            rowDifference += (got - expected) * (got - expected);
            rowSize += expected * expected;
        }
        if (std::sqrt(rowDifference / rowSize) > 4 * bound) {
            return "row " + std::to_string(row) + " is off by " +
                   std::to_string(std::sqrt(rowDifference / rowSize));
        }
        difference += rowDifference;
        size += rowSize;
    }
    const double relative = std::sqrt(difference / size);
    return relative <= bound ? "" : "off by " + std::to_string(relative);
}

} // namespace loadline::gpu
