// The peer's own files beside a recorded run: its set-up of the machine, and how close it came.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The peer's name for people: the simulator that published its errors beside the recorded runs.
inline constexpr const char* peerName = "LLMServingSim";

/// LLMServingSim's description of the machine, from peer_config.json.
struct PeerConfig {
    double linkBytesPerS = 0; ///< between two GPUs, one way ("link_bw", GB/s)
    double linkLatencyS = 0;  ///< of one message ("link_latency", ns)
    double memoryBytes = 0;   ///< of one GPU ("mem_size", GiB)
    bool operator==(const PeerConfig&) const = default;
};

/// The Error: not JSON, or a figure is missing or not a number above 0 (a latency may be 0).
Result<PeerConfig> peerConfigFromJson(std::string_view json, const std::string& path);

/// One line of peer_error_summary.txt, in milliseconds.
struct PeerFigure {
    std::string metric;    ///< "TTFT", "TPOT", "Latency"
    std::string statistic; ///< "Mean", "Median", "P90", ...
    double recordedMs = 0;
    double predictedMs = 0;
    double error = 0; ///< predicted / recorded - 1, as published; from the two where it is not

    bool operator==(const PeerFigure&) const = default;
};

/// Lines of "METRIC STATISTIC recorded predicted [+0.6%]"; others are passed over.
std::vector<PeerFigure> peerFiguresFromText(std::string_view text);

} // namespace loadline
