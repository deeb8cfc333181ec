// A dispatch rule as one line of text, in and out: "scalar:4,mma:16,dequant_cublas".
#pragma once

#include "core/base/result.h"
#include "core/cost/kernel/kernel.h"
#include "core/cost/kernel/kernel_naming.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Most rows M that a bound may name, and most ranges of a rule that is edited.
inline constexpr std::int64_t mostBoundM = std::int64_t{1} << 24;
inline constexpr std::size_t mostRanges = 64;

/// Reads the key of a preset ("code"), or
///
///     scalar:4,mma:16,dequant_cublas
///     scalar:4,mma:16,dequant_cublas;grouped_mma:16,grouped_dequant
///
/// KERNEL:M serves up to and including M rows, from where the one before ends; the last has no bound.
/// Ranges of experts stand after the semicolon (M: rows of each active expert). A side that is not there
/// keeps the ranges of `before`: "mma:16,dequant_cublas" changes nothing for experts,
/// ";grouped_mma:8,grouped_dequant" nothing else. A `before` without ranges (fastest) stands for "code", as
/// null does. Spaces around names and numbers do not matter. A text that is not a rule gives an Error.
Result<DispatchRule> dispatchRuleFromText(std::string_view text, const DispatchRule* before = nullptr);

/// A rule's text with names that points of the profile give their kernels ("marlin_v9:64,dequant_cublas")
/// replaced by the keys of the kernels they stand for.
std::string withKeysForNames(std::string_view text, const KernelNaming& naming);

/// The key of the preset that serves as this rule does, else rangesTextOf. Reads back serving the same.
/// Precondition: problemOf finds nothing.
std::string textOf(const DispatchRule& rule);
/// Returns the rule's ranges as text, those of experts after the semicolon; reads back equal whatever
/// `before` is. Precondition: not `fastest`.
std::string rangesTextOf(const DispatchRule& rule);

/// "scalar GEMV to M = 4, MMA to 16, dequantise + fp16 GEMM above".
std::string wordsOf(const std::vector<KernelRange>& ranges, const KernelNaming& naming = {});

/// The rule of these ranges: a preset where they are one's, else with key, name and source of its own.
DispatchRule editedRule(std::vector<KernelRange> dense, std::vector<KernelRange> grouped);

} // namespace loadline
