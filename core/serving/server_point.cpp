// Sums of weights.
#include "core/serving/server_point.h"

#include <algorithm>

namespace loadline {

ModelBytes modelBytesOf(const ModelShapes& model, double perWeight, double perExpertWeight) {
    constexpr double fp16Bytes = 2;
    ModelBytes bytes;
    bytes.total = static_cast<double>(model.embeddingWeights) * fp16Bytes;
    for (const LayerGemm& gemm : model.gemms) {
        const double each = !gemm.quantised ? fp16Bytes : gemm.grouped() ? perExpertWeight : perWeight;
        const double one = gemm.size.elements() * gemm.calls() * each;
        bytes.total += one * std::max(gemm.experts, 1);
        bytes.active += one * (gemm.grouped() ? gemm.expertsPerRow : 1);
    }
    return bytes;
}

} // namespace loadline
