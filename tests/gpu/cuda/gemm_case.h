// Made-up k-bit GEMMs with their answer in float64, poisoned outputs and guard words.
#pragma once

#include "gpu/format/packed_weights.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline::gpu {

/// One or more experts' W[N, K] as random codes and scales, and x[rows, K] in fp16.
struct GemmCase {
    KBitShape shape;
    std::vector<QuantisedWeights> experts;
    AlignedVector<std::uint16_t> x;
    int rows = 0;
};

/// Every code and every E4M4 scale below 32 can occur, subnormal ones and 0 too; x is of normal size.
GemmCase makeGemmCase(int bits, std::int64_t k, std::int64_t n, int rows, int experts, unsigned seed);

/// All experts in one layout, E4M4, one after the other.
struct PackedExperts {
    AlignedVector<std::uint32_t> words;
    AlignedVector<std::uint8_t> scales;
};
PackedExperts packExperts(const GemmCase& gemm, Layout layout);

/// Outputs between guard words, all NaN at first.
class PoisonedOutput {
public:
    explicit PoisonedOutput(std::size_t values);
    std::uint16_t* data() { return all_.data() + guard; }
    [[nodiscard]] std::uint16_t operator[](std::size_t i) const { return all_[guard + i]; }
    [[nodiscard]] bool guardsIntact() const;

private:
    static constexpr std::size_t guard = 64;
    AlignedVector<std::uint16_t> all_;
};

/// The row of x and the expert that make a row of y.
struct Route {
    int xRow = 0;
    int expert = 0;
};

/// Row i of y from row i of x and expert 0.
std::vector<Route> denseRoutes(int rows);

/// Compares y[route][n] with the sum in float64 of the same codes, scales and x: "" when
/// ||y - reference|| <= bound ||reference|| for the whole and 4 bound for the worst row, no value is NaN and
/// the guards are intact; else what is wrong.
std::string compareGemm(const GemmCase& gemm, const std::vector<Route>& routes, const PoisonedOutput& y,
                        double bound);

} // namespace loadline::gpu
