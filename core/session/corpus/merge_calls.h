// The API calls of many files, each once: copies combined by key, replays dropped.
#pragma once

#include "core/session/corpus/corpus.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace loadline {

struct MergedCalls {
    std::vector<CorpusCall> calls;              ///< order of first appearance; home: the first file
    std::vector<std::vector<CallIndex>> ofFile; ///< for each file, parallel to SessionFile::calls
    std::vector<CorpusCall> progressOnly;       ///< from SessionFile::progressCalls, of no call above
    std::vector<std::string> models;
};

/// Field-wise maximum of usage, earliest and latest time, best quality over the copies of a key; model of the
/// first file; sidechain only if in every file (spec sections 1.4 and 5). A call that has the message id of
/// another one and is a sidechain where that one is not, is its replay: it stands for that call.
MergedCalls mergeCalls(std::span<const std::shared_ptr<const SessionFile>> files);

} // namespace loadline
