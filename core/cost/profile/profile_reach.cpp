// How many rows M the kernels of a profile may serve.
#include "core/cost/profile/profile_reach.h"

#include <algorithm>
#include <array>

namespace loadline {

KernelReaches reachesOf(const Profile* profile) {
    KernelReaches timed{};
    std::array<bool, kernelCount> imported{};
    if (profile != nullptr) {
        for (const ProfilePoint& point : profile->points) {
            const auto i = static_cast<std::size_t>(point.kernel);
            const bool isImported = point.source.find(importedFrom) != std::string::npos;
            if (isImported && !imported.at(i)) {
                timed.at(i).rowsM = 0; // another's times of other shapes say nothing about it
                imported.at(i) = true;
            }
            if (isImported == imported.at(i)) {
                timed.at(i).rowsM = std::max(timed.at(i).rowsM, point.rowsM);
            }
        }
    }
    KernelReaches reaches{};
    for (const Kernel kernel : profiledKernels) {
        const auto i = static_cast<std::size_t>(kernel);
        const std::int64_t built = designedRows(kernel);
        const std::int64_t last = timed.at(i).rowsM;
        const bool byTimes = built != unboundedM && last > 0 && (imported.at(i) || last >= built);
        reaches.at(i) = {.rowsM = byTimes ? last : built, .timed = byTimes};
    }
    return reaches;
}

} // namespace loadline
