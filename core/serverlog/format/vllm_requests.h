// Requests of vLLM, put together from the lines that name them.
#pragma once

#include "core/serverlog/read/log_pattern.h"

/// Takes the lines that "--enable-log-requests" and "--enable-log-outputs" write, and that V0 writes unless
/// it is told not to. Each takes the match of a pattern of the name (vllm_patterns.cpp).
namespace loadline::vllm {

/// "Received request chatcmpl-1: prompt: ...", "Added request chatcmpl-1.", "Finished request chatcmpl-1."
bool matchNamed(std::string_view line, std::size_t at, LogMatch& match);

void takeReceived(LogAssembly& a, const LogMatch& m);
void takeFinished(LogAssembly& a, const LogMatch& m);
void takeAborted(LogAssembly& a, const LogMatch& m);
void takeGenerated(LogAssembly& a, const LogMatch& m);
/// The access line of the request that has waited longest for one; false: none has.
bool takeAccess(LogAssembly& a, std::string_view method, std::string_view path);

} // namespace loadline::vllm
