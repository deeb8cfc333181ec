// Turns: the units whose input and output the histograms count.
#pragma once

#include "core/workload/scope/scope.h"

#include <vector>

namespace loadline {

struct Turn {
    Tokens input = 0;
    Tokens output = 0;
    TimeMs time = unknownTime;
    FileIndex file = 0;
    std::uint32_t record =
        0; ///< per-line: userRecords index; api-call: calls index; prompt: promptTurns index
    SessionIndex session = 0;
    ModelIndex model = 0; ///< of its first call; noModel when it has none
    OutputQuality quality = OutputQuality::None;
    bool inputAbout = false; ///< CorpusCall::newInputAbout of one of its calls
};

/// Turns of one file, with usage as this file records it. per-line: user records, from the file's lines as
/// they are; input is characters / 4. prompt: as spec section 5; input is CorpusCall::newInput(). api-call:
/// the file's distinct calls (all of them: what to leave out is the caller's choice).
std::vector<Turn> turnsOfFile(const Corpus& corpus, FileIndex file, TurnMethod method);

/// Turns in scope (without the brush). api-call and prompt count each call once over the corpus (a call
/// inherited from another file belongs to its home); per-line takes every file's lines as they are. A prompt
/// turn sums its calls in scope and is left out when it has calls but none in scope, or was inherited.
/// Order: api-call as Corpus::calls, else by file and record.
std::vector<Turn> turnsInScope(const Corpus& corpus, const Selection& selection, TurnMethod method);

/// Returns for each call of the file the turn it belongs to (Turn::record); beyond the last turn if it
/// belongs to none.
std::vector<std::uint32_t> turnsOfCalls(const SessionFile& file, TurnMethod method);

/// True if the turn lies behind the brushed bins of the scope.
bool isBrushed(const Turn& turn, const Scope& scope);

} // namespace loadline
