// A line of progress on the terminal.
#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace loadline::app {

/// "reading 1.2 GB of 2 GB, 812 MB/s, 1.0 s left"; without the rate while nothing is done yet.
std::string progressText(const std::string& verb, std::uint64_t done, std::uint64_t total,
                         std::int64_t elapsedMs);

/// Shows the line while it lives, when standard error is a terminal; removes it at the end.
class ProgressLine {
public:
    ProgressLine(std::string verb, const Progress& progress);
    /// A line of any text; `text` is asked from a thread of its own.
    explicit ProgressLine(std::function<std::string(std::int64_t elapsedMs)> text);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    std::jthread painter_;
};

} // namespace loadline::app
