// The shortest times that a device allows, by what was measured on it or by its datasheet.
#include "core/cost/estimate/kernel_bounds.h"

#include "core/base/file/read_json.h"
#include "core/cost/estimate/roofline.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadline {
namespace {

double ceilingIn(const Facts& facts, const char* key) {
    const auto found = facts.find(key);
    if (found == facts.end()) {
        return 0;
    }
    const nlohmann::json value = jsonFrom(found->second);
    return value.is_number() ? std::max(0.0, value.get<double>()) : 0;
}

BoundTime partBound(const KernelBounds& bounds, Kernel kernel, const TimedShape& shape, double rowsM,
                    int kBits) {
    const KernelWork work =
        workOf(kernel, shape.size, shape.experts, rowsM, readsKBits(kernel) ? kBits : fp16Bits);
    const double rate = kernel == Kernel::Dequantise && bounds.copyGbS > 0 ? bounds.copyGbS : bounds.readGbS;
    const double bytesUs = rate > 0 ? work.bytes / (rate * 1e3) : 0;
    const double flopUs = bounds.gemmTflopS > 0 ? work.flop / (bounds.gemmTflopS * 1e6) : 0;
    return {std::max(bytesUs, flopUs), flopUs > bytesUs};
}

} // namespace

std::optional<KernelBounds> measuredBounds(const Profile& profile) {
    KernelBounds bounds;
    bounds.readGbS = ceilingIn(profile.ceilings, "read_gb_s");
    bounds.copyGbS = ceilingIn(profile.ceilings, "copy_gb_s");
    bounds.gemmTflopS = ceilingIn(profile.ceilings, "gemm_tflop_s");
    bounds.source = "rates measured in the same run";
    return bounds.readGbS > 0 ? std::optional(bounds) : std::nullopt;
}

std::optional<KernelBounds> datasheetBounds(const Profile& profile) {
    const Hardware* const hardware = findHardware(profile.hardware);
    if (hardware == nullptr) {
        return std::nullopt;
    }
    return KernelBounds{hardware->bandwidthGbS, 0, hardware->fp16Tflops, "the datasheet of " + hardware->key};
}

std::optional<Hardware> rooflineHardware(const Profile& profile) {
    if (const Hardware* known = findHardware(profile.hardware)) {
        return *known;
    }
    const std::optional<KernelBounds> bounds = measuredBounds(profile);
    if (!bounds || !(bounds->gemmTflopS > 0)) {
        return std::nullopt;
    }
    return Hardware{.key = "",
                    .bandwidthGbS = bounds->readGbS,
                    .fp16Tflops = bounds->gemmTflopS,
                    .source = bounds->source};
}

BoundTime boundOf(const KernelBounds& bounds, Kernel kernel, const TimedShape& shape, double rowsM,
                  int kBits) {
    const KernelParts parts = partsOf(kernel);
    const BoundTime first = partBound(bounds, parts.first, shape, rowsM, kBits);
    if (!parts.second) {
        return first;
    }
    const BoundTime second = partBound(bounds, *parts.second, shape, rowsM, kBits);
    return {first.us + second.us, second.byArithmetic};
}

} // namespace loadline
