// The answer to what pays, in words.
#pragma once

#include "core/simulate/study/sensitivity.h"

#include <string>
#include <string_view>

namespace loadline {

std::string_view keyOf(PayKind kind);  ///< "dispatch", "chunk", "budget", "attention", "host"
std::string_view nameOf(PayKind kind); ///< for people

/// Whether the fp16 GEMM is code of one's own, or a library's that nobody here changes.
bool isOurs(Kernel kernel, const KernelNaming& naming);

/// "At 8 users MMA pays most: ...": of what can be changed, never of a library's GEMM; before remarks. Of a
/// preview what takes the time, without a winner.
std::string whatPaysSentence(const WhatPays& pays);

} // namespace loadline
