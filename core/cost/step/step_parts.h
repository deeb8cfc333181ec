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
enum class StepPart : std::uint8_t {
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

std::string_view keyOf(StepPart part);  ///< in JSON: "attention_gemms"
std::string_view nameOf(StepPart part); ///< for people: "attention GEMMs"

inline constexpr std::size_t reachCount = 4;

/// Microseconds by part and by reach.
struct StepParts {
    std::array<std::array<double, reachCount>, stepPartCount> us{};

    void add(StepPart part, SurfaceReach reach, double time) {
        us[static_cast<std::size_t>(part)][static_cast<std::size_t>(reach)] += time;
    }

    void add(StepPart part, const SurfaceValue& value, double times = 1) {
        add(part, value.reach, times * value.us);
    }

    [[nodiscard]] double of(StepPart part) const {
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

    StepParts& operator+=(const StepParts& other) {
        for (std::size_t part = 0; part < stepPartCount; ++part) {
            for (std::size_t reach = 0; reach < reachCount; ++reach) {
                us[part][reach] += other.us[part][reach];
            }
        }
        return *this;
    }

    bool operator==(const StepParts&) const = default;
};

} // namespace loadline
