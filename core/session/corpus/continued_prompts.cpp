#include "core/session/corpus/continued_prompts.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using LaneLine = std::pair<LaneIndex, std::uint32_t>;

/// Lines by lane, sorted, in which a conversation was summed up.
std::vector<LaneLine> summariesIn(const SessionFile& file) {
    std::vector<LaneLine> lines;
    for (const SessionEvent& event : file.events) {
        if (event.kind == EventKind::Compaction) {
            lines.emplace_back(event.lane, event.place.line);
        }
    }
    for (const UserRecord& record : file.userRecords) {
        if (record.kind == UserKind::CompactSummary) {
            lines.emplace_back(record.lane, record.place.line);
        }
    }
    std::ranges::sort(lines);
    return lines;
}

bool summedUpBetween(const std::vector<LaneLine>& summaries, const ApiCall& before, const ApiCall& now) {
    const auto next = std::ranges::upper_bound(summaries, LaneLine{now.lane, before.place.line});
    return next != summaries.end() && *next < LaneLine{now.lane, now.place.line};
}

void markFile(Corpus& corpus, FileIndex index) {
    const FileInCorpus& file = corpus.files[index];
    const std::vector<LaneLine> summaries = summariesIn(*file.file);
    std::map<std::pair<LaneIndex, ModelIndex>, const ApiCall*> last;
    for (std::size_t i = 0; i < file.calls.size(); ++i) {
        const ApiCall& now = file.file->calls[i];
        CorpusCall& call = corpus.calls[file.calls[i]];
        const Tokens prompt = now.usage.context();
        const ApiCall* before = std::exchange(last[{now.lane, call.model}], &now);
        if (now.before < i && file.file->calls[now.before].lane == now.lane &&
            corpus.calls[file.calls[now.before]].model == call.model) {
            before = &file.file->calls[now.before]; // one of several branches
        }
        if (call.file != index || call.callInFile != i) {
            continue;
        }
        call.usage.cacheUntold = true;
        if (prompt < leastCached) {
            continue;
        }
        call.newInputAbout = true;
        const bool goesOn = before != nullptr && prompt >= before->usage.context() &&
                            !summedUpBetween(summaries, *before, now);
        call.continued = goesOn ? before->usage.context() : 0;
    }
}

} // namespace

void markContinuedPrompts(Corpus& corpus) {
    for (Session& session : corpus.sessions) {
        session.recordsCache = std::ranges::any_of(session.files, [&](FileIndex file) {
            return std::ranges::any_of(corpus.files[file].calls, [&](CallIndex call) {
                const Usage& usage = corpus.calls[call].usage;
                return usage.cacheRead + usage.cacheWrite > 0;
            });
        });
        for (const FileIndex file : session.files) {
            if (!session.recordsCache) {
                markFile(corpus, file);
            }
        }
    }
}

} // namespace loadline
