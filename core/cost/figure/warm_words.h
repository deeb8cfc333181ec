// Warm times of fp16 held to the byte floor, in words.
#pragma once

#include "core/cost/figure/kernel_figure.h"

#include <string>

namespace loadline {

/// Returns a sentence, begun with a space, on fp16 with its warm times held to the byte floor: " 6 times are
/// warm, below the byte floor: held to it, fp16 cuBLAS is faster from M = 6 (4 to 8)."; "" without such
/// times. `timedWord` as in againstFp16Text.
std::string warmSentenceOf(const KernelFigure& figure, const std::string& timedWord);

} // namespace loadline
