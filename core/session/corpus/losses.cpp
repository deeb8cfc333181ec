#include "core/session/corpus/losses.h"

#include "core/text/counted.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

bool isLoss(const Diagnostic& diagnostic) {
    return losesData(diagnostic.kind);
}

} // namespace

std::vector<PathDiagnostic> lossesIn(const Corpus& corpus) {
    std::vector<PathDiagnostic> losses;
    std::ranges::copy_if(corpus.diagnostics, std::back_inserter(losses), isLoss, &PathDiagnostic::diagnostic);
    for (const FileInCorpus& entry : corpus.files) {
        for (const Diagnostic& diagnostic : entry.file->diagnostics) {
            if (isLoss(diagnostic)) {
                losses.push_back({entry.file->path, diagnostic});
            }
        }
    }
    return losses;
}

bool isComplete(const Corpus& corpus) {
    return corpus.complete && std::ranges::none_of(corpus.diagnostics, isLoss, &PathDiagnostic::diagnostic) &&
           std::ranges::none_of(corpus.files, [](const FileInCorpus& entry) {
               return std::ranges::any_of(entry.file->diagnostics, isLoss);
           });
}

std::string incompleteSentence(const Corpus& corpus) {
    const std::vector<PathDiagnostic> losses = lossesIn(corpus);
    if (losses.empty()) {
        return corpus.complete ? "" : "Incomplete: reading was stopped";
    }
    std::string text = fmt::format("Incomplete: {}: {}", nameOfFile(losses.front().path),
                                   diagnosticSentence(losses.front().diagnostic));
    if (losses.size() > 1) {
        text += "; " + counted(losses.size() - 1, "more place");
    }
    return text;
}

} // namespace loadline
