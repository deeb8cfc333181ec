// The ceiling of decoding.
#include "core/serverlog/light/speed_of_light.h"

#include <cassert>
#include <utility>

namespace loadline {

SpeedOfLight::SpeedOfLight(ServedOn served) : served_(std::move(served)) {
    assert(served_.known());
    const Hardware* device = findHardware(served_.device);
    bandwidthGBs_ = served_.bandwidthGBs > 0 ? served_.bandwidthGBs
                    : device != nullptr      ? device->bandwidthGbS
                                             : 0;
    band_ = bandOf(served_, bandwidthGBs_);
}

double SpeedOfLight::weightsGB(double batch) const {
    return weightsTouched(*served_.model, batch) * served_.bitsPerWeight / 8 / 1e9;
}

double SpeedOfLight::kvGB(double context) const {
    return kvBytesOf(*served_.model, context, served_.kvBytesPerValue) / 1e9;
}

double SpeedOfLight::ceiling(double context, double batch, double tokensPerStep) const {
    return bandwidthGBs_ * tokensPerStep / (weightsGB(batch) + batch * kvGB(context));
}

} // namespace loadline
