// Models a request of which part of the context is no longer in the prompt, but read from a tier on demand.
#pragma once

#include "core/cache/tier/load_or_recompute.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline {

/// The form of the moved context, after study B's "Not Everything Belongs in the Context Window".
enum class MoveOutKind : std::uint8_t {
    Files,  ///< memory files, transcripts, documents: text that is fetched comes back into the prompt
    Lookup, ///< tables that are looked up in each step (Engram): vectors are read, no prompt tokens
};
std::string_view keyOf(MoveOutKind kind); ///< "files", "lookup"
std::optional<MoveOutKind> moveOutKindFromKey(std::string_view key);

/// The question. All shares are of 0 to 1.
struct MoveOut {
    double share = 0;     ///< of the prompt, out of what was cached: only what is replayed can be left out
    double index = 0;     ///< of what is moved, what stays in the prompt to say where the rest is
    double fetched = 0.1; ///< of what is moved, what a request asks for
    MoveOutKind kind = MoveOutKind::Files;
    /// Read from the tier for each token that is fetched. Files: a token of English or code is about 4 bytes
    /// of text. Lookup: the user's; tables x width x bytes of a value.
    double bytesPerToken = 4;
    bool operator==(const MoveOut&) const = default;
};

inline constexpr NumberRange<double> moveOutShares{0, 1};
inline constexpr NumberRange<double> moveOutBytes{0, 1e9};

/// The mean request, and what all sessions together ask for.
struct MoveOutLoad {
    double input = 0; ///< tokens of the prompt
    double hitRate = 0;
    double heldTokens = 0; ///< by a session in the KV cache
    double sessions = 1;
    double requestsPerS = 0; ///< of all sessions
};

/// The request as it is, or as it would be.
struct MoveOutState {
    double input = 0;
    double cached = 0;
    double hitRate = 0;
    double heldGB = 0;    ///< of KV, by one session
    double allHeldGB = 0; ///< by all sessions
    double workLeft = 0;  ///< FLOPs of the prompt, over those of the whole prompt as it is, nothing cached
    double kvReadGBs = 0; ///< loading cached blocks from a tier, were none of them in HBM
};

struct MoveOutFigure {
    MoveOutState before, after;
    double movedTokens = 0;    ///< min(share x prompt, cached)
    double fetchedTokens = 0;  ///< by a request
    double readBytes = 0;      ///< by a request, from the tier
    double readGBs = 0;        ///< of all sessions
    double bandwidthShare = 0; ///< of the tier's; above 1 the tier cannot keep up
    double readS = 0;          ///< latency + bytes / bandwidth, added to the time to first token
    double sessionsPerGB = 0;  ///< after over before: how many times as many sessions a GB of KV holds
};

/// The model. A request has n tokens, c = h n of them cached. m = min(share n, c) leave it; index m stay as a
/// prefix that is cached; fetched m are read from the tier, once a request.
///
///     Files:   n' = n - m + index m + fetched m,  c' = c - m + index m
///     Lookup:  n' = n - m + index m,              c' the same
///
/// Fetched tokens are new input, computed again each time: they stand behind the prefix and are dropped after
/// the answer. Held tokens shrink as prompts do, by (n - m + index m) / n, and with them the bytes in HBM.
/// The hit rate may fall while the work falls too, because cached tokens leave: compare the work.
///
/// From study B follows that tokens leave the KV cache and become reads of a warm tier, on demand, for both
/// ways that it names: files behind a small index in the context, and tables indexed by the input alone. Its
/// figures of Engram are not taken over: how much of a model's memory such tables replace is a matter of
/// training, so `share` is the user's.
///
/// The model does not tell whether answers are as good; how many more requests fetching takes; what fetched
/// text that stays in the conversation adds again; whether reads hide behind computing (Engram's can, as
/// their indices are known ahead); how large tables are.
MoveOutFigure moveOutOf(const KvLayout& layout, const MoveOut& question, const MoveOutLoad& load,
                        const CacheTier& tier);

} // namespace loadline
