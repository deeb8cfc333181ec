// Shared by all makers of workloads: the distribution of exact turns, and a note on turns without one.
#pragma once

#include "core/workload/source/workload.h"

namespace loadline {

/// The distribution of the workload's own turns or requests, and the number of conversations in it.
void fillDistribution(Workload& workload);

/// Sets Workload::incomplete and notes it first; "": nothing is lost.
void noteIncomplete(Workload& workload, std::string sentence);

/// Notes how many turns count as 1 token because they have no input or no output.
void noteSmallTurns(Workload& workload);

} // namespace loadline
