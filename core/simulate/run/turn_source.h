// Who asks for what, and when: the turns of one run, drawn or replayed, as the clock goes on.
#pragma once

#include "core/schedule/scenario.h"
#include "core/simulate/run/beginnings.h"
#include "core/simulate/run/result.h"
#include "core/workload/source/turn_table.h"

#include <queue>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace loadline {

/// One turn on its way. Times in seconds of the run's clock; -1 where it has not come to that.
struct ExactTurn {
    std::int64_t number = 0; ///< the run's turns in the order of arrival
    std::int64_t user = 0;   ///< closed loop; else its number
    Tokens promptTokens = 0;
    Tokens outputTokens = 0;
    double arrivalS = 0;
    double firstTokenS = -1;
    double endS = -1;
    bool operator==(const ExactTurn&) const = default;
};

/// True if prompts carry token ids: the prefix cache can find something.
bool sharesPrefixes(const SimulationInputs& inputs);

/// Preconditions: problemOf finds nothing. The k-th turn that arrives is the k-th draw of the seed, whatever
/// the setting (common random numbers); at a rate, after those that are under way.
///
/// Replayed, each user plays sessions drawn with replacement, from their first turns. In a run that is
/// measured after a warm-up (isSettling) users begin amid what they do (beginningsOf), and replayed each
/// plays every session once, in an order of its own, before one comes again: the same mix in the long run,
/// with less chance in it. With a prefix cache, a turn's prompt begins with the tokens that its session holds
/// already, as many as its context says; what the context has beyond them is new, but for a session's first
/// turn: that context (system prompt, tools) is common to all sessions. Without one all of context and input
/// is prompt. Requests of a trace share what its blocks say; where it tells no more than how many tokens were
/// cached, these are common to all requests.
class TurnSource {
public:
    /// `stepS`: what a step takes, to know how many turns are under way at a rate; none: none are.
    TurnSource(const SimulationInputs& inputs, std::uint64_t seed, const StepTime& stepS = {});

    /// Returns the time at which the next turn arrives; none while nobody is known to come.
    [[nodiscard]] std::optional<double> nextS() const;
    /// Returns the turn that arrives next. Precondition: nextS() is a time. ScheduleRequest::id is its
    /// number.
    ExactTurn take(ScheduleRequest& request);
    /// True if users begin amid turns that fill the memory.
    [[nodiscard]] bool beginsFull() const { return beginnings_.fillMemory; }
    /// Lets the turn's user think, then ask again.
    void answered(const ExactTurn& turn, double nowS);

private:
    /// A user's place in the sessions.
    struct Player {
        std::uint64_t played = 0; ///< sessions begun
        std::size_t first = 0;    ///< isSettling: place in sessions_ of the one it began with
        std::size_t session = 0;
        std::size_t turn = 0;      ///< the next
        Tokens answered = 0;       ///< of the next: tokens of its answer that are there already
        Tokens held = 0;           ///< tokens of the session so far
        std::vector<TokenRun> ids; ///< of them, where prompts carry ids
    };

    struct Due {
        double atS = 0;
        std::int64_t order = 0;
        std::int64_t user = 0;
        auto operator<=>(const Due&) const = default;
    };

    [[nodiscard]] double poissonGapS(std::int64_t index) const;
    void takeSampled(ScheduleRequest& request);
    void takeReplayed(Player& player, std::int64_t user, ScheduleRequest& request);
    void takeOfTrace(ScheduleRequest& request);
    void beginSession(Player& player, std::int64_t user);
    [[nodiscard]] std::size_t dealt(const Player& player, std::int64_t user) const;
    double firstDueS(std::int64_t user);
    double thinkS(std::int64_t user);
    double drawnGapS();
    TokenRun fresh(Tokens count);

    const SimulationInputs& inputs_;
    std::uint64_t seed_;
    bool settles_ = false;
    bool shares_ = false;
    bool reuses_ = false; ///< an engine that keeps a session's KV without looking at token ids
    TurnTable table_;
    std::vector<std::size_t> sessions_; ///< those with turns
    std::vector<double> gaps_;
    std::vector<double> gapSums_; ///< isSettling: running sums of gaps_
    Beginnings beginnings_;       ///< isSettling
    std::vector<Player> players_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
    std::int64_t order_ = 0;
    std::int64_t taken_ = 0;
    std::uint64_t gapsDrawn_ = 0;
    double nextPoissonS_ = 0;
    std::int64_t begun_ = 0;                      ///< Poisson: of the turns under way, those taken
    std::int64_t nextId_ = std::int64_t{1} << 40; ///< above all common ids
};

} // namespace loadline
