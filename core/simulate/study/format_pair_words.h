// Two served formats in words.
#pragma once

#include "core/simulate/study/format_pair.h"

#include <string>
#include <vector>

namespace loadline {

/// "k = 4 serves 12 % more turns per second than fp16; TTFT p50 0.14 s against 9.3 s." Of a preview in fewer
/// digits. Where arrivals set how many turns come, the mean time from end to end.
std::string servingSentenceOf(const FormatPair& pair, bool isPreview = false);

/// The same of users in a closed loop, with `where` before it and the interval in brackets: "With 24 users, k
/// = 4 serves 12 % fewer turns per second than fp16 (0.83–0.91×); TTFT p50 50.9 ms against 57 ms."
std::string servingHeadlineOf(const FormatPair& pair, bool isPreview, const std::string& where);

/// "12 % more", "1.9 times as many" from half more on; "as many" where the interval holds 1 and lies within a
/// tenth of it.
std::string moreTurnsText(const PairedRatio& ratio, bool isPreview = false);

/// "1.24 (1.22 to 1.26)"; without an interval the value alone.
std::string ratioText(const PairedRatio& ratio);

/// Figures of both formats as rows: name, own, against, ratio with its interval; numbers in words.
struct PairedFigure {
    std::string name; ///< "TTFT p50"
    std::string own, against, ratio;
};
std::vector<PairedFigure> pairedFiguresOf(const FormatPair& pair);

/// The turns that both formats are compared on: "99.9 % of turns, up to 54 384 tokens; k = 4 refuses 0.1 %,
/// fp16 1.2 %"; "" where neither refuses any.
std::string comparedOnText(const FormatPair& pair);

} // namespace loadline
