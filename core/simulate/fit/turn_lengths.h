// How long the turns of a workload are, and how many of them a longest request refuses.
#pragma once

#include "core/simulate/run/result.h"

namespace loadline {

/// Over a workload's turns, each as far as PolicySetup::maxModelLen lets it come. Replayed turns have their
/// contexts. Of frequencies, which do not tell what goes together, the largest prompt and output.
struct TurnLengths {
    Tokens longest = 0; ///< context, prompt and output
    double mean = 0;
    double meanConversation = 0; ///< `mean` with contexts, also where turns are served without them
};

/// Precondition: inputs have a workload.
TurnLengths turnLengthsOf(const SimulationInputs& inputs);

/// Returns the mean context of a turn of sessions, in tokens, if turns are drawn singly and so served without
/// it; 0 if contexts are served or none is known. Precondition: inputs have a workload.
double contextLeftOutOf(const SimulationInputs& inputs);

/// The share of the turns whose context and prompt are so many tokens or more: an engine whose longest
/// request that is refuses them. Precondition: as above.
double refusedShareOf(const SimulationInputs& inputs, Tokens longestRequest);

/// The share of the output tokens that it does not refuse; an answer ends there. Precondition: as above.
double servedOutputShareOf(const SimulationInputs& inputs, Tokens longestRequest);

/// The share of a trace's prompt tokens that lie in leading blocks which an earlier request had. 0 of other
/// workloads, and of a trace that lists no blocks.
double sharedPrefixShareOf(const Workload& workload);

/// Tokens of an answer on average, of the turns that this longest request does not refuse; an answer ends
/// there. 0 if all are refused. Precondition: as above.
double meanAnswerOf(const SimulationInputs& inputs, Tokens longestRequest);

} // namespace loadline
