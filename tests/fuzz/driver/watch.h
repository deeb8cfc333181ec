// Sees that no input crashes, takes too long or too much memory, and keeps the one that does.
#pragma once

#include <string>
#include <string_view>

namespace loadline::fuzz {

struct WatchOptions {
    std::string program;               ///< as it was called, for the command that runs the input again
    std::string artifactPrefix = "./"; ///< before the names of files with findings
    bool keepsFindings = true;         ///< else the input came from a file
    double secondsPerInput = 2;        ///< of processor time
};

/// From now on whatever ends the process badly saves the input that runs first, and says so.
void watch(const WatchOptions& options);
/// The input that runs from now on; it must live until the next call.
void nowRuns(std::string_view input);
/// Seconds of processor time of this process.
double processorSeconds();

} // namespace loadline::fuzz
