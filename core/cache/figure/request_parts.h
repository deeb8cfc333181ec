// Parts of each request of a session, or of a trace's chain: cached, new and answered tokens.
#pragma once

#include "core/cache/figure/cache_figure.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct RequestParts {
    double startS = 0;         ///< after the first of them
    TimeMs time = unknownTime; ///< of sessions
    Tokens cached = 0;   ///< read from the provider's cache, or a prefix that came before (sharedByGrowth)
    Tokens newInput = 0; ///< the rest of the prompt
    Tokens output = 0;
    const PrefixBreak* lost = nullptr; ///< where it is one: of the figure
};

/// With what they are called.
struct NamedRequests {
    std::string key;  ///< Session::key, or BlockChain::id
    std::string name; ///< of the session or chain, for people
    std::vector<RequestParts> requests;
};

/// Returns the requests of a session's main lane by time, without calls inherited from another session.
std::vector<RequestParts> requestPartsOf(const CacheFigure& figure, SessionIndex session);
/// The session whose main lane's calls hold most tokens; nothing where no main lane has a call.
std::optional<SessionIndex> busiestMainSession(const CacheFigure& figure);
/// Returns the requests of a trace's chain; cached is what an unlimited cache would hold. Precondition: the
/// chain exists.
std::vector<RequestParts> requestPartsOf(const BlockTrace& trace, std::size_t chain);

/// Index of the chain of this id, else of the main one whose prompts hold most tokens; nothing without any.
std::optional<std::size_t> chainShown(const BlockTrace& trace, std::string_view id);

} // namespace loadline
