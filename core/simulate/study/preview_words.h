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

/// The same of a point of a curve that is simulated step by step, and of one whose users were answered fewer
/// than `fewAnswers` times each: how long prompts chance to be, and queues that still grow, decide it.
/// Measured at 1 to 256 users in 21 settings of Llama-3.1-8B and Qwen3-32B (three GPUs, reference and made-up
/// sessions, chunks of 64, 512 and none): 110 points with more answers lay 17 % from those in full, in
/// quadratic mean, 79 with fewer 36 %.
inline constexpr double shortRunsError = 0.17;
inline constexpr double fewAnswersError = 0.36;
inline constexpr double fewAnswers = 8;

/// "36 %"; where the error is 5 % or more, in tens: "about 40 %", "less than 10 %".
std::string roughShare(double share, double error);

} // namespace loadline
