// Published rates of decoding one stream, and what share of the bandwidth they are.
#include "core/serverlog/light/speed_of_light.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr std::string_view apple = "Apple";
constexpr std::string_view nvidia = "NVIDIA";
constexpr std::string_view onApple = "llama.cpp discussion 4167";
constexpr std::string_view onCuda = "llama.cpp discussion 15013";
constexpr std::string_view onMlx = "mlx-lm BENCHMARKS.md";
constexpr std::string_view llamaQ4 = "Llama-2-7B Q4_0";
constexpr double llamaQ4GB = 3.823;
constexpr double bandwidthFactor = 1.5;

/// Quantisations whose kernels behave alike.
int classOf(double bitsPerWeight) {
    constexpr double mostFourBits = 5.5;
    constexpr double mostEightBits = 9;
    return bitsPerWeight <= mostFourBits ? 0 : bitsPerWeight <= mostEightBits ? 1 : 2;
}

std::string_view makerOf(std::string_view device) {
    return device.size() > 1 && device[0] == 'M' && device[1] >= '0' && device[1] <= '9' ? apple : nvidia;
}

} // namespace

std::span<const DecodePoint> decodePoints() {
    static constexpr std::array points = {
        DecodePoint{"M3-Max-40c", apple, 400, "Llama-2-7B F16", 16, 13.475, 25.09, false, onApple},
        DecodePoint{"M3-Max-40c", apple, 400, "Llama-2-7B Q8_0", 8.5, 7.162, 42.75, false, onApple},
        DecodePoint{"M3-Max-40c", apple, 400, llamaQ4, 4.5, llamaQ4GB, 66.31, false, onApple},
        DecodePoint{"M3-Max-30c", apple, 300, llamaQ4, 4.5, llamaQ4GB, 56.58, false, onApple},
        DecodePoint{"M4-Max-40c", apple, 546, llamaQ4, 4.5, llamaQ4GB, 83.06, false, onApple},
        DecodePoint{"M3-Ultra-80c", apple, 800, llamaQ4, 4.5, llamaQ4GB, 92.14, false, onApple},
        DecodePoint{"M4-Max", apple, 546, "Qwen3-4B bf16, MLX", 16, 8.04, 52.47, false, onMlx},
        DecodePoint{"M4-Max", apple, 546, "Qwen3-4B 8-bit, MLX", 8.5, 4.271, 86.907, false, onMlx},
        DecodePoint{"M4-Max", apple, 546, "Qwen3-4B 4-bit, MLX", 4.5, 2.261, 134.52, false, onMlx},
        DecodePoint{"M4-Max", apple, 546, "Qwen3-30B-A3B 4-bit, MLX", 4.5, 1.856, 113.33, true, onMlx},
        DecodePoint{"M1-Max", apple, 400, "27B IQ4_NL", 4.5, 16.34, 14.29, false, "llama.cpp issue 27525"},
        DecodePoint{"RTX4090", nvidia, 1008, llamaQ4, 4.5, llamaQ4GB, 186.21, false, onCuda},
        DecodePoint{"RTX5090", nvidia, 1792, llamaQ4, 4.5, llamaQ4GB, 290.02, false, onCuda},
        DecodePoint{"H100", nvidia, 3350, llamaQ4, 4.5, llamaQ4GB, 267.81, false, onCuda},
        DecodePoint{"A100-80", nvidia, 2039, llamaQ4, 4.5, llamaQ4GB, 190.88, false, onCuda},
        DecodePoint{"RTX3090", nvidia, 936, llamaQ4, 4.5, llamaQ4GB, 158.16, false, onCuda},
    };
    return points;
}

EfficiencyBand bandOf(const ServedOn& served, double bandwidthGBs) {
    EfficiencyBand band;
    const Hardware* device = findHardware(served.device);
    if (served.model == nullptr || served.bitsPerWeight == 0) { // a number of bytes is like no release
        return band;
    }
    const bool experts = served.model->experts > 0;
    for (const DecodePoint& point : decodePoints()) {
        const bool likeDevice =
            (device == nullptr || point.maker == makerOf(served.device)) &&
            std::max(point.bandwidthGBs / bandwidthGBs, bandwidthGBs / point.bandwidthGBs) <= bandwidthFactor;
        if (!likeDevice || classOf(point.bitsPerWeight) != classOf(served.bitsPerWeight) ||
            point.experts != experts) {
            continue;
        }
        band.low = band.points.empty() ? point.efficiency() : std::min(band.low, point.efficiency());
        band.high = std::max(band.high, point.efficiency());
        band.points.push_back(&point);
    }
    return band;
}

} // namespace loadline
