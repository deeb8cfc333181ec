// Sums and lists of a corpus.
#include "core/session/study/sessions_answer.h"

#include "core/session/corpus/price_words.h"
#include "core/session/corpus/version_order.h"
#include "core/session/json/utf8_repair.h"

#include <algorithm>
#include <map>

namespace loadline {
namespace {

/// Names that are equal as documents show them, because of bytes that are no UTF-8, are one entry: their
/// values are added.
template <typename Value>
std::vector<std::pair<std::string, Value>> asShownIn(const std::map<std::string, Value>& entries) {
    std::map<std::string, Value> shown;
    for (const auto& [name, value] : entries) {
        shown[repairUtf8(name)] += value;
    }
    return {shown.begin(), shown.end()};
}

std::map<std::string, std::uint64_t> toolsOf(const SessionFile& file) {
    std::map<std::string, std::uint64_t> tools;
    for (const ToolUse& tool : file.tools) {
        ++tools[file.name(tool.name)];
    }
    return tools;
}

template <typename T, typename Values>
void addGroup(ask::Grouped<T>& groups, const Values& values) {
    for (const auto& value : values) {
        groups.add(value);
    }
    groups.endGroup();
}

} // namespace

SessionsAnswer sessionsAnswer(std::shared_ptr<const Corpus> corpus, double seconds) {
    SessionsAnswer answer;
    answer.seconds = seconds;
    answer.totals = totalsOf(corpus->calls);
    answer.progressOnly = totalsOf(corpus->progressOnly);
    answer.byModel = asShownIn(totalsByModel(*corpus));
    answer.byUtcDay = asShownIn(totalsByUtcDay(*corpus));
    answer.unpricedModels = unpricedModels(*corpus);
    answer.diagnostics = corpus->diagnostics;
    for (const FileInCorpus& entry : corpus->files) {
        const SessionFile& file = *entry.file;
        answer.files.push_back(
            {&file, &corpus->sessions[entry.session], entry.inheritedCalls, totalsOfFile(*corpus, entry)});
        addGroup(answer.records, asShownIn(file.recordTypes));
        addGroup(answer.tools, asShownIn(toolsOf(file)));
        addGroup(answer.versions, versionsInOrder(file));
        for (const FileIndex other : entry.inheritedFrom) {
            answer.inheritedFrom.add(corpus->files[other].file->path);
        }
        answer.inheritedFrom.endGroup();
        for (const Diagnostic& diagnostic : file.diagnostics) {
            answer.diagnostics.push_back({file.path, diagnostic});
        }
    }
    for (const Session& session : corpus->sessions) {
        for (const FileIndex file : session.files) {
            answer.filesOfSessions.add(corpus->files[file].file->path);
        }
        answer.filesOfSessions.endGroup();
    }
    for (const PathDiagnostic& one : answer.diagnostics) {
        addGroup(answer.otherLines, one.diagnostic.otherLines);
    }
    answer.worstFirst = answer.diagnostics;
    std::stable_partition(answer.worstFirst.begin(), answer.worstFirst.end(),
                          [](const PathDiagnostic& one) { return losesData(one.diagnostic.kind); });
    for (const auto& [model, totals] : answer.byModel) {
        answer.shownTotals.emplace_back(model.empty() ? "(no model named)" : model, totals);
    }
    answer.shownTotals.emplace_back("All", answer.totals);
    if (!corpus->progressOnly.empty()) {
        answer.shownTotals.emplace_back("Not in All: known from progress records only", answer.progressOnly);
    }
    answer.corpus = std::move(corpus);
    return answer;
}

} // namespace loadline
