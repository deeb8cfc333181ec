// Numbers of things in sentences.
#pragma once

#include <cstdint>
#include <string>

namespace loadline {

/// "1 turn", "12 turns", "24 229 turns": things whose plural takes an s.
std::string counted(std::uint64_t n, const char* one);

} // namespace loadline
