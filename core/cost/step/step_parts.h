// The time of an engine's step by its parts, and how much of it was measured.
#pragma once

#include "core/cost/surface/surface_value.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace loadline {

/// The parts of a step, as charts stack them.
enum class ServedPart : std::uint8_t {
    AttentionGemms, ///< Q, K, V and output projections
    FeedForward,    ///< dense layers, shared experts and the router
    Experts,
    SmallKernels, ///< norms, rotary embedding, activations, copies
    AllReduce,
    Decode,
    Prefill,
    Head ///< logits of the sampled rows, and their gathering
};

inline constexpr std::size_t stepPartCount = 8;

std::string_view keyOf(ServedPart part);  ///< in JSON: "attention_gemms"
std::string_view nameOf(ServedPart part); ///< for people: "attention GEMMs"

inline constexpr std::size_t reachCount = 4;

/// Microseconds by part and by reach.
struct StepBreakdown {
    std::array<std::array<double, reachCount>, stepPartCount> us{};

    void add(ServedPart part, SurfaceReach reach, double time) {
        us[static_cast<std::size_t>(part)][static_cast<std::size_t>(reach)] += time;
    }

    void add(ServedPart part, const SurfaceValue& value, double times = 1) {
        add(part, value.reach, times * value.us);
    }

    [[nodiscard]] double of(ServedPart part) const {
        const auto& parts = us[static_cast<std::size_t>(part)];
        return std::accumulate(parts.begin(), parts.end(), 0.0);
    }

    [[nodiscard]] double of(SurfaceReach reach) const {
        double sum = 0;
        for (const auto& part : us) {
            sum += part[static_cast<std::size_t>(reach)];
        }
        return sum;
    }

    [[nodiscard]] double total() const {
        double sum = 0;
        for (const auto& part : us) {
            sum = std::accumulate(part.begin(), part.end(), sum);
        }
        return sum;
    }

    StepBreakdown& operator+=(const StepBreakdown& other) {
        for (std::size_t part = 0; part < stepPartCount; ++part) {
            for (std::size_t reach = 0; reach < reachCount; ++reach) {
                us[part][reach] += other.us[part][reach];
            }
        }
        return *this;
    }

    bool operator==(const StepBreakdown&) const = default;
};

} // namespace loadline
