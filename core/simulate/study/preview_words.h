// How far previews are off, and their numbers in no more digits than that leaves them.
#pragma once

#include <string>

namespace loadline {

/// At least, of a share or a ratio: a preview's runs are few and short.
inline constexpr double previewError = 0.01;
/// About, of a ratio from one run, which cannot tell itself. Measured with runs of 50 turns: those of 20
/// settings of Llama-3.1-8B on an RTX 4090 (users, chunk, k, prefix cache, arrivals at a rate) lay 1 % to
/// 15 % from the refined ones, 7 % in quadratic mean. A preview's runs are longer (preview_runs.h).
inline constexpr double oneRunError = 0.1;

/// "36 %"; where the error is 5 % or more, in tens: "about 40 %", "less than 10 %".
std::string roughShare(double share, double error);

} // namespace loadline
