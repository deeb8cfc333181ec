// Passes on what a measuring run tells: to a program as JSON lines, to a person as one line of progress.
#pragma once

#include "core/cost/profile/bench_event.h"

#include <chrono>
#include <stop_token>

namespace loadline::app {

class BenchTeller {
public:
    /// Asks for a stop where nobody can read the lines any more (a full disk).
    BenchTeller(bool jsonLines, std::stop_source stop);
    /// Takes the line of progress away.
    ~BenchTeller();
    BenchTeller(const BenchTeller&) = delete;
    BenchTeller& operator=(const BenchTeller&) = delete;

    /// JSON lines reach the reader before this returns.
    void operator()(const BenchEvent& event);

private:
    void paint(const BenchProgress& progress);
    void sayAside(const std::string& sentence);

    bool jsonLines_;
    std::stop_source stop_;
    bool allWritten_ = true;
    bool terminal_;
    bool painted_ = false;
    std::chrono::steady_clock::time_point lastPainted_;
};

} // namespace loadline::app
