// The GPUs of the atlas of measured kernel times, under every name that files, servers and users give them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace loadline {

/// One GPU of the atlas and its names.
struct AtlasName {
    std::string_view key;      ///< "h100-sxm": in options and lists
    std::string_view folder;   ///< "h100_sxm": of the published tables, and "system" of measured servers
    std::string_view hardware; ///< "H100-SXM": key in the hardware table, which has the datasheet's figures
    std::string_view device;   ///< "NVIDIA H100 80GB HBM3": as NVIDIA's driver prints it
    std::vector<std::string_view> others; ///< further names, older ones of this program among them
};

/// Every GPU of the atlas, in the order of lists.
std::span<const AtlasName> atlasNames();

/// Returns the GPU that has the word as one of its names, case and blanks at the ends aside; null if none
/// has. No word names two GPUs. A word of a chip alone, "H100", is nobody's: its boards differ.
const AtlasName* findAtlasName(std::string_view word);

} // namespace loadline
