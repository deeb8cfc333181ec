// The patterns of each server, each in its own file.
#pragma once

#include "core/serverlog/read/log_pattern.h"

#include <span>

namespace loadline {

std::span<const LogPattern> vllmPatterns();
std::span<const LogPattern> sglangPatterns();
std::span<const LogPattern> llamaCppPatterns();
std::span<const LogPattern> ollamaPatterns();
std::span<const LogPattern> mlxLmPatterns();
std::span<const LogPattern> mlxOpenAiPatterns();
std::span<const LogPattern> omlxPatterns();
std::span<const LogPattern> lmStudioPatterns();
std::span<const LogPattern> studyPatterns();

} // namespace loadline
