// Output tokens of a call, at least what the log shows of its answer.
#pragma once

#include "core/session/corpus/corpus.h"

#include <algorithm>

namespace loadline {

/// Returns the recorded output; where that is only a lower bound, at least what is visible of the answer
/// (characters / 4).
inline Tokens visibleOutputOf(const CorpusCall& call) {
    const Tokens visible = call.quality == OutputQuality::Final ? 0 : call.contentCharacters / 4;
    return std::max(call.usage.output, visible);
}

} // namespace loadline
