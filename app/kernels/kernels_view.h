// What the Kernels page shows and would measure.
#pragma once

#include "app/choices/choice.h"
#include "ui/panel/kernels/bench_panel.h"

#include <string>
#include <string_view>

namespace loadline::app {

/// Devices are chosen as "device:host", profiles by what --profile takes: a bundled name or a path.
inline constexpr std::string_view devicePrefix = "device:";

inline bool isDevice(std::string_view key) {
    return key.starts_with(devicePrefix);
}

namespace choices {

extern const Choice<std::string> shownProfile;
extern const Choice<std::string> comparedProfile; ///< "": nothing
extern const Choice<std::string> timedShape;      ///< "2048x5120", "2048x512x8"; "" or not timed: the largest
extern const Choice<int> shownKBits;
extern const Choice<std::string> benchShapes, benchPreset, benchName;
extern const Choice<std::vector<int>> benchKBits;

} // namespace choices

/// These choices as one value.
struct KernelsView {
    std::string shown = "rtx4090-published";
    std::string compared;
    std::string shape;
    int kBits = 4;
    ui::BenchChoice bench;
    bool operator==(const KernelsView&) const = default;
};

KernelsView kernelsView(const Choices& all);
void setKernelsView(Choices& all, const KernelsView& view);

} // namespace loadline::app
