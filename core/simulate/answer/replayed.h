// A replayed trace: what the simulated server gave beside what a log's own server did.
#pragma once

#include "core/simulate/answer/simulator_figure.h"
#include "core/text/table.h"

#include <string>
#include <vector>

namespace loadline {

/// One server's answers to the requests of a trace.
struct ReplayedServer {
    std::string name;      ///< "log", "k = 4", "fp16"
    double tokensPerS = 0; ///< output tokens from the first arrival to the last end; 0: not known
    Quantiles e2eS;        ///< arrival to last token; n 0: not known
};

/// The log's own server if the trace is a log's, then each simulated format that fits. Empty unless a trace
/// is replayed with latencies.
std::vector<ReplayedServer> replayedServersOf(const SimulatorFigure& figure);

/// "Replayed at k = 4: latency 13.6 s (median), 54.7 tokens/s; in the log 13.1 s, 51.2 tokens/s."; "" unless
/// a log is replayed that knows one of both.
std::string replaySentenceOf(const SimulatorFigure& figure);

/// How the simulated server differs from the log's: "The log names no model: qwen3-8b is assumed."; "" if a
/// log's server is simulated as it was, or nothing of a log is replayed.
std::string logDifferencesOf(const SimulationInputs& inputs);

/// A row a server.
Table replayTable(const SimulatorFigure& figure);

} // namespace loadline
