// What makers of workloads share: the distribution of exact turns, and sentences that count.
#pragma once

#include "core/workload/workload.h"

#include <cstdint>
#include <string>

namespace loadline {

/// The distribution of the workload's own turns or requests, and the number of conversations in it.
void fillDistribution(Workload& workload);

/// Notes how many turns count as 1 token because they have no input or no output.
void noteSmallTurns(Workload& workload);

/// "1 turn", "12 turns".
std::string counted(std::uint64_t n, const char* one);

} // namespace loadline
