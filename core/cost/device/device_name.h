// Which device of the hardware table a name means.
#pragma once

#include <string>
#include <string_view>

namespace loadline {

/// Figures that a file or a driver states of a device beside its name; 0: not stated.
struct StatedRates {
    double memoryBytes = 0;
    double bandwidthGbS = 0;
};

/// Returns the key of the device that a name means, as a driver prints it ("NVIDIA H100 80GB HBM3") or as a
/// key. Boards of one chip differ in memory, bandwidth and power, so every word of the name must be one of
/// that device's, and what is stated must agree with the table. "": none, or several.
std::string hardwareNamed(std::string_view name, const StatedRates& stated = {});

/// True if the name holds the words of the device's chip: "h100_gemm" those of "H100-SXM".
bool namesChipOf(std::string_view name, std::string_view key);
/// True if the name is of another board with the device's chip: "NVIDIA A100-SXM4-40GB" for "A100-SXM-80".
bool namesOtherBoard(std::string_view name, std::string_view key);

} // namespace loadline
