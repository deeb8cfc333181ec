// Sizes, bytes and the spread of rows over experts.
#include "core/cost/shapes/shapes.h"

#include "core/cost/shapes/shape_limits.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double bitsPerByte = 8;

std::optional<std::int64_t> sideOf(std::string_view text) {
    return parseNumber<std::int64_t>(text, {1, mostSide});
}

} // namespace

std::string textOf(GemmSize size) {
    return fmt::format("{}x{}", size.k, size.n);
}

std::optional<GemmSize> gemmSizeFromText(std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) {
        return std::nullopt;
    }
    const auto k = sideOf(text.substr(0, cross));
    const auto n = sideOf(text.substr(cross + 1));
    if (!k || !n) {
        return std::nullopt;
    }
    return GemmSize{.k = *k, .n = *n};
}

double bytesPerWeight(int kBits, AbsmaxFormat absmax) {
    if (kBits >= fp16Bits) {
        return 2;
    }
    return (kBits + (absmax == AbsmaxFormat::E4M4 ? 0.25 : 1.0)) / bitsPerByte;
}

ExpertLoad expertLoad(const LayerGemm& gemm, double rowsM) {
    if (!gemm.grouped()) {
        return {.activeExperts = 1, .rowsPerExpert = rowsM};
    }
    const double experts = gemm.experts;
    const double all = experts + gemm.expertsElsewhere;
    const double top = std::clamp(static_cast<double>(gemm.expertsPerRow), 1.0, all);
    const double active =
        top >= all ? experts : experts * -std::expm1(std::max(rowsM, 1.0) * std::log1p(-top / all));
    return {.activeExperts = active, .rowsPerExpert = rowsM * top * (experts / all) / active};
}

double totalWeights(const ModelShapes& model) {
    double sum = 0;
    for (const LayerGemm& gemm : model.gemms) {
        sum += gemm.size.elements() * gemm.calls() * std::max(gemm.experts, 1);
    }
    return sum;
}

double weightsPerRow(const ModelShapes& model) {
    double sum = 0;
    for (const LayerGemm& gemm : model.gemms) {
        const double here =
            gemm.grouped() ? static_cast<double>(gemm.experts) / (gemm.experts + gemm.expertsElsewhere) : 1;
        sum += gemm.size.elements() * gemm.calls() * (gemm.grouped() ? gemm.expertsPerRow * here : 1);
    }
    return sum;
}

} // namespace loadline
