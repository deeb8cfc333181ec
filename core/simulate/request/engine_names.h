// Names of vLLM's options: which are flags, which are short forms, which have no meaning in a simulation.
#pragma once

#include <string>
#include <string_view>

namespace loadline {

/// Why an option that is none of the scheduler's is left aside, in words.
std::string whyLeft(std::string_view name);
/// Flags of vLLM that take no value: a word behind them is a word of its own.
bool isBareFlag(std::string_view name);
/// "tp" as "tensor_parallel_size"; of a nested name its last part ("scheduler_config.max_num_seqs").
std::string_view longName(std::string_view name);

} // namespace loadline
