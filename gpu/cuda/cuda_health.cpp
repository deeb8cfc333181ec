// Keeps readings and sums them up.
#include "gpu/cuda/cuda_health.h"

#include "gpu/cuda/cuda_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace loadline::gpu {

namespace {

constexpr std::uint64_t applicationClocks = 0x2; // nvmlClocksEventReasonApplicationsClocksSetting

} // namespace

void CudaHealthTrack::take(const CudaHealth& reading) {
    const auto keep = [](std::vector<std::int32_t>& all, std::int32_t value) {
        if (value >= 0) {
            all.push_back(value);
        }
    };
    keep(temperatures_, reading.temperatureC);
    keep(powers_, reading.powerMw);
    keep(memoryClocks_, reading.memoryClockMHz);
    reasons_ |= reading.throttleReasons;
}

Facts CudaHealthTrack::facts() const {
    Facts facts;
    const auto add = [&](const char* key, const nlohmann::json& value) { facts[key] = value.dump(); };
    if (!temperatures_.empty()) {
        add("temperature_c_first", temperatures_.front());
        add("temperature_c_last", temperatures_.back());
    }
    if (!powers_.empty()) {
        const auto sum = std::accumulate(powers_.begin(), powers_.end(), std::int64_t{0});
        add("power_mw_mean", sum / static_cast<std::int64_t>(powers_.size()));
        add("power_mw_max", *std::max_element(powers_.begin(), powers_.end()));
    }
    if (!memoryClocks_.empty()) {
        add("memory_clock_mhz_min", *std::min_element(memoryClocks_.begin(), memoryClocks_.end()));
        add("memory_clock_mhz_max", *std::max_element(memoryClocks_.begin(), memoryClocks_.end()));
    }
    if (!temperatures_.empty() || reasons_ != 0) {
        add("throttled_by", throttlingIn(reasons_));
        add("clock_policy", (reasons_ & applicationClocks) != 0
                                ? "held by application clocks"
                                : "no application clocks; locked ones cannot be asked for");
    }
    return facts;
}

} // namespace loadline::gpu
