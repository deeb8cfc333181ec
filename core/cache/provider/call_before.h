// Which call a call follows before the provider's cache.
#pragma once

#include "core/cache/provider/lane_calls.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace loadline {

/// Prompt suggestions and compactions continue the conversation from one of its records: they follow its
/// call, not the helper before them.
inline bool continuesTheConversation(LaneKind kind) {
    return kind == LaneKind::Compaction || kind == LaneKind::PromptSuggestion;
}

struct CallBefore {
    std::optional<LaneCall> call; ///< none: it begins a conversation, or isMissing
    bool isMissing = false;       ///< the record that it continues is in no file of its session
};

/// Finds calls before others over the files of a session. Keeps pointers into the corpus and the lanes.
class CallsBefore {
public:
    CallsBefore(const Corpus& corpus, std::span<const LaneCalls> lanes);

    /// The one before calls[i] of the lane; of a helper by its chain of parents.
    [[nodiscard]] CallBefore of(const LaneCalls& lane, std::size_t i);

private:
    struct Place {
        FileIndex file = 0;
        std::uint32_t call = RecordLink::noCall; ///< index into that file's calls
    };
    using Links = std::unordered_map<std::uint64_t, Place>; ///< by RecordLink::print

    const Links& linksIn(SessionIndex session);
    [[nodiscard]] LaneCall callAt(SessionIndex session, const Place& place) const;

    const Corpus* corpus_;
    std::unordered_map<CallIndex, std::int64_t> lives_; ///< LaneCall::livesMs of what helpers may follow
    std::map<SessionIndex, Links> links_;
};

/// Calls of helpers that continue a conversation which is in no file of their session: whether they lost a
/// prefix is not known.
std::uint64_t callsWithoutParent(const Corpus& corpus, std::span<const LaneCalls> lanes);
/// "3 helper calls continue conversations that are in no file here: whether a prefix was lost is not known";
/// "" for 0.
std::string wordsOfMissingParents(std::uint64_t calls);

} // namespace loadline
