// Gathers the calls and lanes of a session's files, each once.
#include "core/workload/scope/session_calls.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <unordered_map>

namespace loadline {
namespace {

constexpr std::size_t laneIdLength = 7;

/// Equal for lanes of different files that are the same one. Runs that the user never sees share a lane of
/// each kind.
using LaneIdentity = std::tuple<LaneKind, std::string, FileIndex, LaneIndex>;

LaneIdentity identityOf(const Lane& lane, FileIndex file, LaneIndex index) {
    switch (lane.kind) {
    case LaneKind::Main:
    case LaneKind::Compaction:
    case LaneKind::PromptSuggestion:
        return {lane.kind, "", 0, 0};
    case LaneKind::SubAgent:
    case LaneKind::InlineSidechain:
        break;
    }
    return lane.agentId.empty() ? LaneIdentity{lane.kind, "", file, index}
                                : LaneIdentity{lane.kind, lane.agentId, 0, 0};
}

std::string nameOf(const Lane& lane, std::size_t ordinal) {
    switch (lane.kind) {
    case LaneKind::Main:
        return "main";
    case LaneKind::Compaction:
        return "compaction";
    case LaneKind::PromptSuggestion:
        return "prompt suggestions";
    case LaneKind::SubAgent:
        if (!lane.agentId.empty()) {
            return fmt::format("{} {}", lane.agentType.empty() ? "agent" : lane.agentType,
                               lane.agentId.substr(0, laneIdLength));
        }
        return fmt::format("{} {}", lane.agentType.empty() ? "agent" : lane.agentType, ordinal);
    case LaneKind::InlineSidechain:
        break;
    }
    return fmt::format("{} {}", lane.agentType.empty() ? "sidechain" : lane.agentType, ordinal);
}

} // namespace

std::vector<SessionCall> sessionCallsOf(const Corpus& corpus, SessionIndex session) {
    std::vector<SessionCall> calls;
    std::unordered_map<CallIndex, std::size_t> position;
    for (const FileIndex file : corpus.sessions[session].files) {
        const std::vector<CallIndex>& callsOfFile = corpus.files[file].calls;
        for (std::uint32_t i = 0; i < callsOfFile.size(); ++i) {
            const CorpusCall& call = corpus.calls[callsOfFile[i]];
            const auto [entry, isNew] = position.try_emplace(callsOfFile[i], calls.size());
            if (isNew) {
                const bool inherited = corpus.files[call.file].session != session;
                calls.push_back({callsOfFile[i], file, i, inherited});
            } else if (call.file == file) {
                calls[entry->second].file = file;
                calls[entry->second].index = i;
            }
        }
    }
    return calls;
}

CallsInScope::CallsInScope(const Corpus& corpus, const Selection& selection)
    : corpus_(corpus), selection_(selection), counted_{.models = selection.scope.models,
                                                       .agents = selection.scope.agents,
                                                       .from = selection.scope.from,
                                                       .to = selection.scope.to},
      filter_(corpus, counted_) {}

bool CallsInScope::operator()(const SessionCall& call) const {
    if (selection_.callHit[call.call] != 0) {
        return true;
    }
    const Scope& scope = selection_.scope;
    if (!call.inherited || scope.turnInput || scope.turnOutput) {
        return false;
    }
    const CorpusCall& merged = corpus_.calls[call.call];
    const LaneIndex lane = corpus_.files[merged.file].file->calls[merged.callInFile].lane;
    return filter_.accepts(merged.file, lane, merged.firstTime, merged.model);
}

SessionLanes sessionLanesOf(const Corpus& corpus, SessionIndex session) {
    SessionLanes result;
    std::map<LaneIdentity, std::uint32_t> known;
    std::map<LaneKind, std::size_t> ordinals;
    for (const FileIndex file : corpus.sessions[session].files) {
        const std::vector<Lane>& lanes = corpus.files[file].file->lanes;
        std::vector<std::uint32_t>& laneOf = result.laneOf.emplace_back();
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            const auto next = static_cast<std::uint32_t>(result.lanes.size());
            const auto [entry, isNew] =
                known.try_emplace(identityOf(lanes[i], file, static_cast<LaneIndex>(i)), next);
            if (isNew) {
                result.lanes.push_back({nameOf(lanes[i], ++ordinals[lanes[i].kind]), lanes[i].kind});
            }
            laneOf.push_back(entry->second);
        }
    }
    return result;
}

} // namespace loadline
