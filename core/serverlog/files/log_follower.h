// Reads what is appended to a log of an inference server.
#pragma once

#include "core/base/result.h"
#include "core/serverlog/server_log.h"

#include <memory>
#include <stop_token>
#include <string>

namespace loadline {

/// Reads what was appended to a file since it was last asked; begins anew where it became shorter or is
/// another file (rotated).
class LogFollower {
public:
    explicit LogFollower(std::string path);
    ~LogFollower();
    /// True if anything was added. The Error: it cannot be read any more.
    Result<bool> poll(const std::stop_token& stop);
    [[nodiscard]] ServerLog log() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace loadline
