// Follows chains of parents from helpers to the conversation.
#include "core/cache/provider/call_before.h"

#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

CallsBefore::CallsBefore(const Corpus& corpus, std::span<const LaneCalls> lanes) : corpus_(&corpus) {
    const bool any = std::ranges::any_of(
        lanes, [](const LaneCalls& lane) { return continuesTheConversation(lane.lane.kind); });
    for (const LaneCalls& lane : lanes) {
        for (const LaneCall& call : lane.calls) {
            if (any && call.livesMs > 0) {
                lives_.emplace(call.place.call, call.livesMs);
            }
        }
    }
}

const CallsBefore::Links& CallsBefore::linksIn(SessionIndex session) {
    const auto [entry, isNew] = links_.try_emplace(session);
    if (isNew) {
        for (const FileIndex file : corpus_->sessions[session].files) {
            for (const RecordLink& link : corpus_->files[file].file->links) {
                entry->second.try_emplace(link.print, Place{file, link.call}); // main files come first
            }
        }
    }
    return entry->second;
}

LaneCall CallsBefore::callAt(SessionIndex session, const Place& place) const {
    const FileInCorpus& file = corpus_->files[place.file];
    const CallIndex index = file.calls[place.call];
    const CorpusCall& call = corpus_->calls[index];
    const ApiCall& copy = file.file->calls[place.call];
    const auto lives = lives_.find(index);
    return {.place = {index, place.file, place.call, corpus_->files[call.file].session != session},
            .call = &call,
            .copy = &copy,
            .start = isKnown(copy.requestTime) ? copy.requestTime : copy.firstTime,
            .left = call.usage.cacheRead + call.usage.cacheWrite,
            .livesMs = lives != lives_.end()         ? lives->second
                       : call.usage.cacheWrite1h > 0 ? oneHourMs
                       : call.usage.cacheWrite5m > 0 ? fiveMinutesMs
                                                     : 0};
}

CallBefore CallsBefore::of(const LaneCalls& lane, std::size_t i) {
    if (!continuesTheConversation(lane.lane.kind)) {
        const std::size_t before = lane.calls[i].before;
        return {before != noCallBefore ? std::optional(lane.calls[before]) : std::nullopt, false};
    }
    const SessionCall& now = lane.calls[i].place;
    if (now.index > 0) { // within its own file
        return {callAt(lane.session, {now.file, now.index - 1}), false};
    }
    const std::uint64_t parent = corpus_->files[now.file].file->continues;
    if (parent == 0) {
        return {};
    }
    const Links& links = linksIn(lane.session);
    const auto found = links.find(parent);
    if (found == links.end()) {
        return {std::nullopt, true};
    }
    return {found->second.call != RecordLink::noCall ? std::optional(callAt(lane.session, found->second))
                                                     : std::nullopt,
            false};
}

std::uint64_t callsWithoutParent(const Corpus& corpus, std::span<const LaneCalls> lanes) {
    CallsBefore before(corpus, lanes);
    std::uint64_t count = 0;
    for (const LaneCalls& lane : lanes) {
        for (std::size_t i = 0; continuesTheConversation(lane.lane.kind) && i < lane.calls.size(); ++i) {
            count += !lane.calls[i].place.inherited && before.of(lane, i).isMissing ? 1 : 0;
        }
    }
    return count;
}

std::string wordsOfMissingParents(std::uint64_t calls) {
    return calls == 0 ? std::string()
                      : fmt::format("{} {} that {} in no file here: whether a prefix was lost is not known",
                                    counted(calls, "helper call"),
                                    calls == 1 ? "continues a conversation" : "continue conversations",
                                    calls == 1 ? "is" : "are");
}

} // namespace loadline
