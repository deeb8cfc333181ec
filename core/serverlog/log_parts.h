// A log of several servers, or of one that served other models before, as one log for each.
#pragma once

#include "core/serverlog/server_log.h"

#include <string>
#include <vector>

namespace loadline {

/// The lines of one server while it served one model with the same settings, as far as start-ups tell them. A
/// server that returns to a model with the same settings goes on with its part.
struct LogPart {
    std::string name; ///< "Llama-3.3-70B-Instruct", "gemma-3-27b-it-Q4_K_M [42031]"; may be ""
    std::uint32_t source = 0;
    LogLine first; ///< of its records
    LogLine last;
    ServerLog log; ///< times are those of the whole log
};

/// The parts that hold records of decoding, in the order of their first records; nothing if there is one.
std::vector<LogPart> partsOf(const ServerLog& log);

} // namespace loadline
