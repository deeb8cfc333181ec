// The list of constants.
#include "core/cost/engine/constants.h"

#include <array>

namespace loadline {
namespace {

constexpr std::array allConstants{
    constant::smallKernelUs,
    constant::promptTokenUs,
    constant::frontEndUs,
    constant::outputTokenUs,
    constant::bandwidthShare,
    constant::expertLoadExponent,
    constant::blockFloorFactor,
    constant::blockFloorRows,
    constant::sustainedRows,
    constant::sustainedFlop,
    constant::marlinLaunchUs,
    constant::marlinReferenceLaunchUs,
    constant::flashInferExpertsFactor,
    constant::samplingBytes,
    constant::oldSamplingBytes,
    constant::outsideBytes,
    constant::oldOutsideBytes,
    constant::parallelOutsideBytes,
    constant::oldParallelOutsideBytes,
    constant::graphBytes,
    constant::blackwellFp32Tflops,
    constant::fp32Share,
    constant::tf32Factor,
};

} // namespace

std::span<const Constant> constants() {
    return allConstants;
}

} // namespace loadline
