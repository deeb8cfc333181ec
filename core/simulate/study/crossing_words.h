// Parts of a crossover's sentence that are the same for every measure.
#pragma once

#include "core/simulate/study/crossover.h"

#include <string>
#include <string_view>

namespace loadline {

/// "Quantised kernels (k = 4)" of ours, "fp8 kernels, against fp16's," of an engine: on the same batches.
std::string kernelsText(Storage weights);
/// "17 users"
std::string usersText(std::int64_t users);
/// "17"; "3 to 4" where it may be at either.
std::string placeText(const Crossover& crossover, const Crossing& crossing);
/// " (11 to 18)", " (preview)"; "" where it was not worked out.
std::string intervalText(const Crossover& crossover);
/// "17 (11 to 18), 65 to 128 (60 to 140; 80.0 % of the draws cross there) and 200 (all draws)": `last`
/// between the last two; without intervals where none tells more than its place.
std::string placesText(const Crossover& crossover, std::string_view last);
/// "from 1 to 256 users", "at 8 users"; of a preview with " (preview)".
std::string rangeText(const Crossover& crossover);
/// The mean curve crosses nowhere, and some draws say otherwise somewhere.
bool hasDissent(const Crossover& crossover);
/// ", up to 50 users" of a curve that is slower throughout, ", from 90 users on" of a faster one.
std::string otherwiseWhere(const Crossover& crossover, const CrossoverInterval& interval);

/// An interval of this crossover: "11 to 18 users"; of a curve that crosses nowhere in the mean, "faster in
/// 25.0 % of the draws, up to 50 users", "slower in no draw".
std::string wordsOf(const Crossover& crossover, const CrossoverInterval& interval);
/// `Crossover::sentence`, from the rest of it.
std::string crossoverSentence(const Crossover& crossover);

} // namespace loadline
