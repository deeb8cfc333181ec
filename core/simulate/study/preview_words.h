// How far previews are off, and their numbers in no more digits than that leaves them.
#pragma once

#include <string>

namespace loadline {

/// At least, of a share or a ratio: a preview's runs are few and short.
inline constexpr double previewError = 0.01;
/// About, of a ratio from one short run, which cannot tell itself. Those of 20 settings of Llama-3.1-8B on an
/// RTX 4090 (users, chunk, k, prefix cache, arrivals at a rate) lay 1 % to 15 % from the refined ones, 7 % in
/// quadratic mean; rows of a step lay up to ten times above: with many users such a run is all prompts.
inline constexpr double oneRunError = 0.1;

/// "36 %"; where the error is 5 % or more, in tens: "about 40 %", "less than 10 %".
std::string roughShare(double share, double error);

} // namespace loadline
