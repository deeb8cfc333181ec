// The scope: the part of what was loaded that every view shows.
#pragma once

#include "core/session/corpus/corpus.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// How lines become turns (spec "turns").
enum class TurnMethod : std::uint8_t {
    PerLine, ///< the published script: every user record is a turn, characters / 4 in, output of every line
    ApiCall, ///< each API call once: input + cache write in, output out
    Prompt,  ///< from one human prompt to the next: sums over the main lane's calls
};
std::string_view keyOf(TurnMethod method); ///< "per-line", "api-call", "prompt"
std::optional<TurnMethod> turnMethodFromKey(std::string_view key);

/// Closed range of token counts.
struct TokenRange {
    Tokens low = 0;
    Tokens high = 0;

    [[nodiscard]] bool contains(Tokens n) const { return low <= n && n <= high; }

    bool operator==(const TokenRange&) const = default;
};

/// A filter as a value; an empty field does not restrict. Fields combine with "and", entries of a list with
/// "or".
struct Scope {
    std::vector<std::string> sessions = {}; ///< Session::key
    std::vector<std::string> projects = {};
    std::vector<std::string> models = {};
    std::vector<std::string> agents = {}; ///< "main", "sub-agent", a lane's or an agent program's name
    std::string text = {};                ///< case-insensitive, in title, project, path, session id or model
    std::optional<TimeMs> from = {}, to = {}; ///< calls that start in [from, to)
    /// The brush: turns of the current method in these bins.
    std::optional<TokenRange> turnInput = {}, turnOutput = {};
    bool operator==(const Scope&) const = default;
};

/// The scope applied to a corpus.
struct Selection {
    std::vector<std::uint8_t> sessionIn; ///< by SessionIndex: has something in scope and behind the brush
    std::vector<std::uint8_t> callIn;    ///< by CallIndex: in scope, brush not applied
    std::vector<std::uint8_t>
        callHit; ///< by CallIndex: in scope and behind the brushed bins (= callIn without a brush)
    std::uint64_t sessions = 0, calls = 0, callsHit = 0;
    Scope scope; ///< what it was made from
};

/// A call is in scope through its home file; a session that is home to no call, by its own fields. The text
/// matches whole sessions (title, project, session id), files (path) and calls (model). The brush needs the
/// method that makes the turns.
Selection select(const Corpus& corpus, const Scope& scope, TurnMethod method);

/// Returns the totals of the calls in scope that only progress records mention (Corpus::progressOnly). They
/// are no turns, so a scope with a brush has none of them.
UsageTotals progressOnlyIn(const Corpus& corpus, const Scope& scope);

/// True if calls in scope, and behind the brush if any, may have generated more than is recorded.
bool outputIsABound(const Corpus& corpus, const Selection& selection);

/// The scope in words for chart captions ("12 of 212 sessions, model opus-4-5"); "all 212 sessions" when
/// unrestricted.
std::string describe(const Scope& scope, const Corpus& corpus, const Selection& selection);

} // namespace loadline
