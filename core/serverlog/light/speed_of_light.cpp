// The ceiling of decoding.
#include "core/serverlog/light/speed_of_light.h"

#include <cassert>
#include <utility>

namespace loadline {

SpeedOfLight::SpeedOfLight(ServedOn served) : served_(std::move(served)) {
    assert(served_.known());
    const Hardware* device = findHardware(served_.device);
    bandwidthGBs_ = served_.bandwidthGBs > 0 ? served_.bandwidthGBs
                    : device != nullptr      ? device->bandwidthGbS * served_.devices
                                             : 0;
    band_ = bandOf(served_, bandwidthGBs_ / served_.devices);
}

double SpeedOfLight::weightsGB(double batch) const {
    const WeightsRead read = weightsRead(*served_.model, batch);
    const double bits = served_.released == nullptr
                            ? (read.experts + read.rest + read.head) * served_.bitsPerWeight
                            : read.experts * served_.released->experts + read.rest * served_.released->rest +
                                  read.head * served_.released->head;
    return bits / 8 / 1e9;
}

double SpeedOfLight::kvGB(double context) const {
    return kvBytesOf(*served_.model, context, served_.kvBytesPerValue) / 1e9;
}

double SpeedOfLight::ceiling(double context, double batch, double tokensPerStep) const {
    return bandwidthGBs_ * tokensPerStep / (weightsGB(batch) + batch * kvGB(context));
}

} // namespace loadline
