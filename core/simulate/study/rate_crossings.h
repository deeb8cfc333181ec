// Arrival rates at which a curve passes 1, and the answer in words.
#pragma once

#include "core/simulate/study/sweep.h"

#include <span>
#include <string>
#include <vector>

namespace loadline {

/// Between two neighbouring rates that were simulated, turns a second; nothing is known between them.
struct RateCrossing {
    double fromPerS = 0;
    double toPerS = 0;
    double nearPerS = 0; ///< on the straight line over log rate: where a curve is drawn through 1
    bool quantisedFasterBelow = true;
    bool operator==(const RateCrossing&) const = default;
};

/// "1 turn a second", "1.4 turns a second"
std::string rateText(double ratePerS);

/// Returns the crossings of points over ascending rates; none for points over users.
std::vector<RateCrossing> rateCrossingsOf(std::span<const SweepPoint> curve);

/// "Quantised kernels (k = 4) win up to 1.4 turns a second, by up to 24 %, and lose from 2 turns a second on,
/// by up to 12 %."; of a preview in fewer digits. "" without points over rates.
std::string rateSentenceOf(std::span<const SweepPoint> curve, Storage weights, const Format& against,
                           bool isPreview);

} // namespace loadline
