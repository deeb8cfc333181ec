// The request that a server is at work on, for lines that do not name it.
#pragma once

#include "core/serverlog/read/log_assembly.h"

#include <cstddef>
#include <deque>

namespace loadline {

/// Shared by LM Studio, Ollama's runners, MLX's command, and llama.cpp, whose lines stand between theirs.
struct BeingServed {
    std::size_t request = LogAssembly::none;
    /// LM Studio: taken, of which no slot of its llama.cpp was seen yet. A slot that begins is the first's.
    std::deque<std::size_t> withoutSlot;

    static BeingServed& in(LogAssembly& a) { return a.memory.of<BeingServed>(); }
};

} // namespace loadline
