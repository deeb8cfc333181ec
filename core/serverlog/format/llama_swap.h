// llama-swap, which starts servers and passes requests on to them: its access lines.
#pragma once

#include "core/serverlog/read/log_pattern.h"

/// '[INFO] Request 192.168.10.5 "POST /v1/chat/completions HTTP/1.1" 200 2774 "curl/8.17.0" 30.472197051s',
/// and as versions of 2025 wrote it behind "[llama-swap] ADDRESS [TIME] ".
namespace loadline::llama_swap {

/// Method, path, status, duration.
bool matchAccess(std::string_view line, std::size_t at, LogMatch& match);

/// A request, unless what serves behind it tells its requests itself.
void takeAccess(LogAssembly& a, const LogMatch& m);

} // namespace loadline::llama_swap
