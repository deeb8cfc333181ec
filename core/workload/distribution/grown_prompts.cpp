// Compares each prompt with the one that it goes on from.
#include "core/workload/distribution/grown_prompts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace loadline {
namespace {

/// True if the lane's conversation was summed up behind line `from` and before line `to`.
bool isSummedUp(const SessionFile& file, LaneIndex lane, std::uint32_t from, std::uint32_t to) {
    const auto isBetween = [&](const auto& record) {
        return record.lane == lane && record.place.line > from && record.place.line < to;
    };
    return std::ranges::any_of(file.events,
                               [&](const SessionEvent& event) {
                                   return event.kind == EventKind::Compaction && isBetween(event);
                               }) ||
           std::ranges::any_of(file.userRecords, [&](const UserRecord& record) {
               return record.kind == UserKind::CompactSummary && isBetween(record);
           });
}

std::vector<Tokens> repeatedIn(const Corpus& corpus, const FileInCorpus& file) {
    const std::vector<ApiCall>& calls = file.file->calls;
    std::vector<Tokens> repeated(calls.size());
    std::map<std::pair<LaneIndex, ModelIndex>, std::size_t> last;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const CorpusCall& now = corpus.calls[file.calls[i]];
        const auto [entry, isFirst] = last.try_emplace({calls[i].lane, now.model}, i);
        std::size_t before = isFirst ? calls.size() : std::exchange(entry->second, i);
        const std::uint32_t parent = calls[i].before;
        if (parent < i && calls[parent].lane == calls[i].lane &&
            corpus.calls[file.calls[parent]].model == now.model) {
            before = parent;
        }
        if (before == calls.size() || !now.usage.cacheUntold) {
            continue;
        }
        const Tokens was = corpus.calls[file.calls[before]].usage.context();
        if (now.usage.context() >= was &&
            !isSummedUp(*file.file, calls[i].lane, calls[before].place.line, calls[i].place.line)) {
            repeated[i] = was;
        }
    }
    return repeated;
}

} // namespace

Tokens GrownPrompts::repeatedBy(FileIndex file, std::uint32_t call) {
    const FileInCorpus& held = corpus_.files[file];
    if (!corpus_.calls[held.calls[call]].usage.cacheUntold) {
        return 0;
    }
    const auto [entry, isNew] = repeated_.try_emplace(file);
    if (isNew) {
        entry->second = repeatedIn(corpus_, held);
    }
    return entry->second[call];
}

Tokens GrownPrompts::newTokens(FileIndex file, std::uint32_t call) {
    const Usage& usage = corpus_.calls[corpus_.files[file].calls[call]].usage;
    return usage.newPrefill() - std::min(repeatedBy(file, call), usage.newPrefill());
}

} // namespace loadline
