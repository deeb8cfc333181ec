// The ceiling of decoding.
#include "core/serverlog/light/speed_of_light.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace loadline {

std::string ServedOn::words() const {
    if (weightsGBPerToken > 0) {
        return fmt::format("{} GB of weights a token{}", formatReal(weightsGBPerToken, 3),
                           model == nullptr ? std::string() : fmt::format(" ({})", model->key));
    }
    return model == nullptr ? std::string("no model")
                            : fmt::format("{} at {} bits a weight", model->key, formatReal(bitsPerWeight, 3));
}

SpeedOfLight::SpeedOfLight(ServedOn served) : served_(std::move(served)) {
    assert(served_.known());
    served_.devices = std::max(served_.devices, 1);
    const Hardware* device = findHardware(served_.device);
    bandwidthGBs_ = served_.bandwidthGBs > 0 ? served_.bandwidthGBs
                    : device != nullptr      ? device->bandwidthGbS * served_.devices
                                             : 0;
    band_ = bandOf(served_, bandwidthGBs_ / served_.devices);
}

double SpeedOfLight::weightsGB(double batch) const {
    if (served_.weightsGBPerToken > 0) {
        return served_.weightsGBPerToken;
    }
    const WeightsRead read = weightsRead(*served_.model, batch);
    const double bits = served_.released == nullptr
                            ? (read.experts + read.rest + read.head) * served_.bitsPerWeight
                            : read.experts * served_.released->experts + read.rest * served_.released->rest +
                                  read.head * served_.released->head;
    return bits / 8 / 1e9;
}

double SpeedOfLight::kvGB(double context) const {
    if (served_.kvBytesPerToken > 0 || served_.model == nullptr) {
        return served_.kvBytesPerToken * context / 1e9;
    }
    const CacheModel& model = *served_.model;
    const double devices = served_.devices;
    const double copies =
        model.latentValues > 0 ? devices : std::max(1.0, devices / std::max(model.attention.kvHeads, 1));
    return kvBytesOf(model, context, served_.kvBytesPerValue) * copies / 1e9;
}

double SpeedOfLight::ceiling(double context, double batch, double tokensPerStep) const {
    return bandwidthGBs_ * tokensPerStep / (weightsGB(batch) + batch * kvGB(context));
}

} // namespace loadline
