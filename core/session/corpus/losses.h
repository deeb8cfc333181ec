// Lists parts of files that could not be read and are therefore in no figure.
#pragma once

#include "core/session/corpus/corpus.h"

#include <string>
#include <vector>

namespace loadline {

/// The diagnostics for which losesData() holds: those of paths without a file first, then by file.
std::vector<PathDiagnostic> lossesIn(const Corpus& corpus);

/// True if everything that was found was read, and nothing of it lost.
bool isComplete(const Corpus& corpus);

/// "Incomplete: a.jsonl: could not be read to its end: Input/output error; 2 more places", without a full
/// stop; "" where isComplete. What a picture, a table or a workload of this corpus carries.
std::string incompleteSentence(const Corpus& corpus);

} // namespace loadline
