// How fp16 stands against the k-bit kernels, in words.
#pragma once

#include "core/cost/figure/kernel_figure.h"

#include <string>

namespace loadline {

/// "5", or "5 (4 to 7)" where the error bars overlap.
std::string crossingText(const KernelCrossing& crossing);

/// One sentence, begun with a space, of the Ms at which both were timed and of no others: "From M = 38 (36 to
/// 41) to 4096, the last M timed, fp16 cuBLAS is faster than all of them."; empty where no M has both.
/// `timedWord`: "timed" or "modelled".
std::string againstFp16Text(const KernelFigure& figure, const std::string& timedWord);

} // namespace loadline
