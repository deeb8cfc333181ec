// Numbers of previews.
#include "core/simulate/study/preview_words.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <cmath>

namespace loadline {

std::string roughShare(double share, double error) {
    constexpr double ten = 0.1;
    if (error < ten / 2 || !std::isfinite(share) || share == 0) {
        return formatShare(share, error);
    }
    return share < ten / 2 ? "less than 10 %"
                           : fmt::format("about {:.0f} %", 100 * ten * std::round(share / ten));
}

} // namespace loadline
