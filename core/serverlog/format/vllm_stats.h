// Lines that vLLM's engines write every few seconds.
#pragma once

#include "core/serverlog/read/log_pattern.h"

namespace loadline::vllm {

/// "Engine 000: Avg prompt throughput: ...", as versions since March 2025 write it.
bool matchV1Stats(std::string_view line, std::size_t at, LogMatch& m);
void takeV1Stats(LogAssembly& a, const LogMatch& m);
/// "4 Engines Aggregated: Avg ...": group 0 is how many.
bool matchV1Aggregated(std::string_view line, std::size_t at, LogMatch& m);
void takeV1Aggregated(LogAssembly& a, const LogMatch& m);
/// Matches the line of the first versions of V1: "[loggers.py:79] Avg ...".
bool matchV1Plain(std::string_view line, std::size_t at, LogMatch& m);
void takeV1Plain(LogAssembly& a, const LogMatch& m);
bool matchV0Stats(std::string_view line, std::size_t at, LogMatch& m);
/// "NPU KV cache usage" instead of the GPU's.
bool matchV0OtherDevice(std::string_view line, std::size_t at, LogMatch& m);
void takeV0Stats(LogAssembly& a, const LogMatch& m);

} // namespace loadline::vllm
