// What the Kernels page shows and would measure, as one comparable value.
#pragma once

#include "ui/panel/kernels/bench_panel.h"

#include <string>
#include <string_view>

namespace loadline::app {

/// Devices are chosen as "device:host", profiles by what --profile takes: a bundled name or a path.
inline constexpr std::string_view devicePrefix = "device:";

struct KernelsView {
    std::string shown = "rtx4090-published";
    std::string compared; ///< "": nothing
    std::string shape;    ///< "2048x5120", "2048x512x8"; "" or one that was not timed: the largest
    int kBits = 4;
    ui::BenchChoice bench;
    bool operator==(const KernelsView&) const = default;
};

inline bool isDevice(std::string_view key) {
    return key.starts_with(devicePrefix);
}

} // namespace loadline::app
