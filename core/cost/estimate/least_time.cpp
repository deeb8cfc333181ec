// Bytes and arithmetic at the datasheet's rates.
#include "core/cost/estimate/least_time.h"

#include "core/cost/device/hardware.h"
#include "core/cost/estimate/roofline.h"
#include "core/cost/profile/unsteady.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr double datasheetSlack = 1.02;
constexpr double mostOverFp16 = 4; // fp4 over fp16: others' k-bit kernels may multiply in fewer bits

} // namespace

DeviceRates ratesOf(const Profile& profile) {
    if (const Hardware* own = findHardware(profile.hardware)) {
        return {own->bandwidthGbS, own->fp16Tflops};
    }
    DeviceRates best;
    for (const Hardware& one : hardwareTable()) {
        best = {std::max(best.gbS, one.bandwidthGbS), std::max(best.tflops, one.fp16Tflops)};
    }
    return best;
}

double leastUsOf(const ProfilePoint& point, const DeviceRates& rates) {
    const KernelParts parts = partsOf(point.kernel);
    const auto usOf = [&](Kernel kernel) {
        const KernelWork work = workOf(kernel, point.size, point.experts, static_cast<double>(point.rowsM),
                                       readsKBits(kernel) ? point.kBits : fp16Bits);
        const double tflops = rates.tflops * (readsKBits(kernel) ? mostOverFp16 : 1);
        return std::max(work.bytes / (rates.gbS * bytesPerUsOfGbS), work.flop / (tflops * flopPerUsOfTflops));
    };
    return parts.second ? std::max(usOf(parts.first), usOf(*parts.second)) : usOf(point.kernel);
}

bool isFasterThan(const DeviceRates& rates, const ProfilePoint& point) {
    return point.timeUs * datasheetSlack < leastUsOf(point, rates);
}

std::size_t flagFasterThanDevice(Profile& profile, const char* flag) {
    const DeviceRates rates = ratesOf(profile);
    std::size_t flagged = 0;
    for (ProfilePoint& point : profile.points) {
        if (isUnvalidated(point)) {
            continue;
        }
        std::erase(point.flags, flag);
        if (isFasterThan(rates, point)) {
            point.flags.emplace_back(flag);
            ++flagged;
        }
    }
    return flagged;
}

Profile heldToFloor(Profile profile) {
    const DeviceRates rates = ratesOf(profile);
    for (ProfilePoint& point : profile.points) {
        if (isWarm(point)) {
            point.timeUs = std::max(point.timeUs, leastUsOf(point, rates));
            point.p25Us = point.p75Us = point.repeatUs = {}; // of the time that it no longer has
        }
    }
    return profile;
}

} // namespace loadline
