// Prompts of logs that record no cache: how much of each the call before it had sent.
#pragma once

#include "core/session/corpus/corpus.h"

namespace loadline {

/// Tokens of the shortest prompt that the provider caches whatever its model: the largest minimum that
/// Anthropic's documentation of prompt caching lists (Claude Opus 4.5, Haiku 4.5).
inline constexpr Tokens leastCached = 4096;

/// Sets Session::recordsCache, and of the calls whose home is a session that records no cache
/// Usage::cacheUntold, CorpusCall::continued and ::newInputAbout: a prompt of leastCached tokens or more that
/// is no shorter than the one before it (ApiCall::before, else the last) to the same model in its lane goes
/// on from that one, unless the conversation was summed up between them. Needs the homes of calls
/// (nameOrigins).
void markContinuedPrompts(Corpus& corpus);

} // namespace loadline
