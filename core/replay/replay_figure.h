// The figure of the self-check: predicted against recorded, request by request, with the peer's published
// error.
#pragma once

#include "core/replay/replay.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

enum class LatencyKind : std::uint8_t { Ttft, Tpot, E2e };
inline constexpr std::array latencyKinds = {LatencyKind::Ttft, LatencyKind::Tpot, LatencyKind::E2e};
std::string_view keyOf(LatencyKind kind);  ///< "ttft_s", "tpot_s", "e2e_s"
std::string_view nameOf(LatencyKind kind); ///< "TTFT", "TPOT", "End to end"
/// The largest error of the mean that a self-check passes with: TTFT 8 %, TPOT and end to end 4 %.
double boundOf(LatencyKind kind);
double secondsOf(const Latencies& latencies, LatencyKind kind);
const Quantiles& quantilesOf(const LatencySummary& summary, LatencyKind kind);

/// One request's dot.
struct ReplayDot {
    std::string id;
    double arrivalS = 0;
    Tokens input = 0;
    Tokens output = 0;
    Latencies predicted;
    Latencies recorded;
    std::int64_t preemptions = 0;
    bool operator==(const ReplayDot&) const = default;
};

/// One line of the table of quantiles, in seconds.
struct ReplayQuantile {
    LatencyKind kind = LatencyKind::Ttft;
    std::string statistic; ///< "mean", "p50", "p90", "p99"
    double predictedS = 0;
    double recordedS = 0;
    double error = 0;                ///< predicted / recorded - 1; 0 where nothing was recorded
    std::optional<double> peerError; ///< as the peer published it
    bool operator==(const ReplayQuantile&) const = default;
};

struct ReplayFigure {
    std::string run;                       ///< name of its folder
    std::string engine;                    ///< "Llama-3.1-8B on NVIDIA GeForce RTX 4090, vLLM 0.19.0"
    std::string sentence;                  ///< how close it came
    std::vector<ReplayDot> dots;           ///< by arrival; TPOT 0 with one output
    std::vector<ReplayQuantile> quantiles; ///< by kind, then mean, p50, p90, p99
    double predictedMakespanS = 0;
    double recordedMakespanS = 0;
    std::int64_t preemptions = 0;
    std::int64_t steps = 0;
    ReplayBudget budget;
    bool withinBounds = false; ///< all means
    std::vector<std::string> notes;
    bool operator==(const ReplayFigure&) const = default;
};

/// The Error: the run has no recorded times to compare with.
Result<ReplayFigure> replayFigure(const EngineRun& run, const Replay& replay);

/// "Llama-3.1-8B on NVIDIA GeForce RTX 4090, vLLM 0.19.0", with the number of GPUs.
std::string engineOf(const EngineRun& run);
/// "+1.2 %", "-0.3 %", "0.0 %"
std::string formatError(double error);

} // namespace loadline
