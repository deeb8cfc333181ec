// Requests of llama.cpp's server, put together from the lines of its slots.
#pragma once

#include "core/serverlog/read/log_pattern.h"

/// Each takes the match of a pattern of the name (llama_cpp_patterns.cpp).
namespace loadline::llama {

void takeSlot(LogAssembly& a, const LogMatch& m);
void takePromptEval(LogAssembly& a, const LogMatch& m);
void takeEval(LogAssembly& a, const LogMatch& m);
void takeAcceptance(LogAssembly& a, const LogMatch& m);
void takeLiveOutput(LogAssembly& a, const LogMatch& m);
void takeLivePrompt(LogAssembly& a, const LogMatch& m);
void takePromptProgress(LogAssembly& a, const LogMatch& m);
void takeNewPrompt(LogAssembly& a, const LogMatch& m);
void takeCache(LogAssembly& a, const LogMatch& m);
void takeFullReprocess(LogAssembly& a, const LogMatch& m);
void takeRelease(LogAssembly& a, const LogMatch& m);
void takeFields(LogAssembly& a, const LogMatch& m);
void takeRestored(LogAssembly& a, const LogMatch& m);
void takeShift(LogAssembly& a, const LogMatch& m);
void takeCancel(LogAssembly& a, const LogMatch& m);
void takeAccess(LogAssembly& a, const LogMatch& m);

} // namespace loadline::llama
