// Fills the server with users in their answers, until it takes no more.
#include "core/simulate/run/beginnings.h"

#include "core/base/random.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/exact.h"
#include "core/simulate/run/kv_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

// Parts of the seed of beginnings.
constexpr std::uint64_t waitingPart = 1;
constexpr std::uint64_t candidatePart = 2;

/// The room that the server has at once: KV blocks, sequences, and the steps that prompts leave to answers.
class Room {
public:
    /// `promptSteps` and `answerSteps`: of turns on average.
    Room(const SimulationInputs& inputs, double promptSteps, double answerSteps)
        : blockTokens_(inputs.policy.blockTokens), beside_(blocksBesideOf(inputs)),
          sequences_(seqsOf(inputs.policy)),
          blocks_(specOf(inputs.policy.policy).paged ? blocksInForce(inputs) - 1
                                                     : std::numeric_limits<std::int64_t>::max()) {
        if (promptSteps * static_cast<double>(sequences_) > answerSteps) {
            sequences_ = std::max<std::int64_t>(static_cast<std::int64_t>(answerSteps / promptSteps), 1);
        }
    }

    /// True if one more has room, which it then takes; once there is none there is none for all others.
    bool takes(Tokens held) {
        const std::int64_t own = (held + blockTokens_) / blockTokens_;
        const std::int64_t blocks = own + beside_.of(own * blockTokens_);
        if (sequences_ > 0 && blocks > blocks_) {
            sequences_ = 0;
            isFull_ = true;
        }
        if (sequences_ == 0) {
            return false;
        }
        --sequences_;
        blocks_ -= blocks;
        return true;
    }

    [[nodiscard]] bool isFull() const { return isFull_; }

private:
    Tokens blockTokens_;
    BlocksBeside beside_;
    std::int64_t sequences_;
    std::int64_t blocks_;
    bool isFull_ = false;
};

/// Steps that a prompt keeps other prompts waiting: of the budget they share, or of the one that is computed
/// at a time.
double promptStepsOf(Tokens prompt, const PolicySetup& policy) {
    const PolicySpec& spec = specOf(policy.policy);
    if (spec.onePrompt) {
        const Tokens chunk = std::max<Tokens>(chunkOf(policy), 1);
        return static_cast<double>((prompt + chunk - 1) / chunk);
    }
    return spec.paged
               ? static_cast<double>(prompt) / static_cast<double>(std::max<Tokens>(budgetOf(policy), 1))
               : 0;
}

class SampledBeginnings {
public:
    SampledBeginnings(const SimulationInputs& inputs, const TurnTable& table, std::uint64_t seed)
        : inputs_(inputs), table_(table), seed_(seed), longest_(longestRequestOf(inputs)) {}

    [[nodiscard]] Beginnings all(const StepTime& stepS) const {
        double prompts = 0;
        double promptSteps = 0;
        double answers = 0;
        double squares = 0;
        const RandomStream stream(seedOf(seed_, candidatePart));
        for (std::uint64_t i = 0; i < candidates; ++i) {
            const DrawnTurn turn = table_.draw(stream, i);
            prompts += turn.input;
            promptSteps += promptStepsOf(turn.input, inputs_.policy);
            answers += turn.output;
            squares += static_cast<double>(turn.output) * turn.output;
        }
        Room room(inputs_, promptSteps, answers);
        auto count = static_cast<std::size_t>(inputs_.arrivals.users);
        if (inputs_.arrivals.kind == ArrivalKind::Poisson) {
            constexpr auto n = static_cast<double>(candidates);
            count = answersAtRate({prompts / n, answers / n, prompts / n + squares / answers / 2}, stepS);
        }
        std::vector<Beginning> beginnings(count);
        for (std::size_t user = 0; user < beginnings.size(); ++user) {
            const Beginning met = metBy(static_cast<std::int64_t>(user));
            const Tokens held = met.drawn.input + met.answered;
            if (held >= longest_) {
                continue; // it has ended there
            }
            if (!room.takes(held)) {
                break;
            }
            beginnings[user] = met;
        }
        if (inputs_.arrivals.kind == ArrivalKind::Poisson) { // nobody waits for a turn to begin with
            std::erase_if(beginnings, [](const Beginning& one) { return !one.isUnderWay; });
        }
        return {std::move(beginnings), room.isFull()};
    }

private:
    static constexpr std::uint64_t candidates = 2048;

    /// Tokens of turns on average.
    struct Mean {
        double prompt = 0;
        double answer = 0;
        double context = 0; ///< of one that is met in its answer
    };

    /// Answers that are under way at once: of the rate, as often as the time of a step that holds them gives.
    [[nodiscard]] std::size_t answersAtRate(const Mean& mean, const StepTime& stepS) const {
        constexpr int rounds = 40;
        const auto most = static_cast<double>(std::max<std::int64_t>(seqsOf(inputs_.policy), 1));
        const double rate = inputs_.arrivals.ratePerS;
        double under = 0;
        double lastS = 0;
        for (int round = 0; round < rounds; ++round) {
            const auto budget = static_cast<double>(std::max<Tokens>(budgetOf(inputs_.policy), 1));
            const double prompts = std::min(rate * lastS * mean.prompt, budget);
            lastS = stepS(std::max(under, 1.0), std::max(under, 1.0) * mean.context, prompts);
            under = std::min(rate * mean.answer * lastS, most);
        }
        return static_cast<std::size_t>(std::llround(under));
    }

    [[nodiscard]] Beginning metBy(std::int64_t user) const {
        const RandomStream stream(seedOf(seed_, static_cast<std::uint64_t>(user) + candidatePart + 1));
        double all = 0;
        for (std::uint64_t i = 0; i < candidates; ++i) {
            all += table_.draw(stream, i).output;
        }
        double left = turnedSpread(seed_, user) * all;
        Beginning met{.isUnderWay = true, .drawn = table_.draw(stream, 0)};
        for (std::uint64_t i = 0; i < candidates; ++i) {
            const DrawnTurn turn = table_.draw(stream, i);
            if (left < turn.output) {
                met.drawn = turn;
                met.answered = static_cast<Tokens>(left);
                break;
            }
            left -= turn.output;
        }
        return met;
    }

    const SimulationInputs& inputs_;
    const TurnTable& table_;
    std::uint64_t seed_;
    Tokens longest_;
};

class ReplayedBeginnings {
public:
    ReplayedBeginnings(const SimulationInputs& inputs, std::span<const std::size_t> sessions,
                       std::span<const double> gapsS, std::uint64_t seed)
        : inputs_(inputs), sessions_(sessions), seed_(seed), longest_(longestRequestOf(inputs)) {
        const double gaps = std::accumulate(gapsS.begin(), gapsS.end(), 0.0);
        for (std::size_t place = 0; place < sessions.size(); ++place) {
            const std::vector<WorkloadTurn>& turns = inputs.workload->sessions[sessions[place]].turns;
            for (std::size_t i = 0; i < turns.size(); ++i) {
                Spent& spent = spent_.emplace_back(Spent{.place = place, .turn = i});
                spent.promptSteps = 1 + std::ceil(promptStepsOf(computedOf(turns[i]), inputs.policy));
                spent.answerSteps = static_cast<double>(simulatedTokens(turns[i].output));
                spent.gapS = turns[i].gapS >= 0 ? turns[i].gapS : gaps / static_cast<double>(gapsS.size());
            }
        }
    }

    [[nodiscard]] Beginnings all() const {
        std::vector<Beginning> beginnings(static_cast<std::size_t>(inputs_.arrivals.users));
        const bool thinks = inputs_.arrivals.think != ThinkTime::None;
        const std::vector<double> steps =
            sumsOf([](const Spent& one) { return one.promptSteps + one.answerSteps; });
        const std::vector<double> turns = sumsOf(
            [&](const Spent& one) { return inputs_.arrivals.think == ThinkTime::FromData ? one.gapS : 1; });
        Room room(inputs_, meanOf(&Spent::promptSteps), meanOf(&Spent::answerSteps));
        bool hasRoom = !thinks;
        for (std::size_t user = 0; user < beginnings.size(); ++user) {
            Beginning& beginning = beginnings[user];
            const double share = turnedSpread(seed_, static_cast<std::int64_t>(user));
            const std::size_t met = placeIn(steps, share);
            const double passed = share * steps.back() - (met > 0 ? steps[met - 1] : 0);
            const auto answered = std::clamp<Tokens>(static_cast<Tokens>(passed - spent_[met].promptSteps), 0,
                                                     static_cast<Tokens>(spent_[met].answerSteps) - 1);
            const Tokens held = promptOf(turnOf(met)) + answered;
            hasRoom = hasRoom && (held >= longest_ || room.takes(held));
            if (hasRoom && held < longest_) {
                put(beginning, met);
                beginning.isUnderWay = true;
                beginning.answered = answered;
            } else {
                put(beginning, placeIn(turns, turnedSpread(seedOf(seed_, waitingPart),
                                                           static_cast<std::int64_t>(user))));
            }
        }
        return {std::move(beginnings), room.isFull()};
    }

private:
    /// On a turn of a session.
    struct Spent {
        std::size_t place = 0;
        std::size_t turn = 0;
        double promptSteps = 0;
        double answerSteps = 0;
        double gapS = 0;
    };

    [[nodiscard]] const WorkloadTurn& turnOf(std::size_t met) const {
        return inputs_.workload->sessions[sessions_[spent_[met].place]].turns[spent_[met].turn];
    }

    static Tokens promptOf(const WorkloadTurn& turn) {
        return std::min(std::clamp<Tokens>(turn.context, 0, maxTurnTokens) + simulatedTokens(turn.input),
                        maxTurnTokens);
    }

    [[nodiscard]] Tokens computedOf(const WorkloadTurn& turn) const {
        return inputs_.policy.prefixCache ? simulatedTokens(turn.input) : promptOf(turn);
    }

    template <typename Weight>
    [[nodiscard]] std::vector<double> sumsOf(const Weight& weight) const {
        std::vector<double> sums;
        double sum = 0;
        for (const Spent& one : spent_) {
            sums.push_back(sum += weight(one));
        }
        return sums;
    }

    [[nodiscard]] double meanOf(double Spent::*steps) const {
        double sum = 0;
        for (const Spent& one : spent_) {
            sum += one.*steps;
        }
        return sum / static_cast<double>(spent_.size());
    }

    static std::size_t placeIn(const std::vector<double>& sums, double share) {
        const auto found = std::ranges::upper_bound(sums, share * sums.back());
        return static_cast<std::size_t>(std::min(found, sums.end() - 1) - sums.begin());
    }

    void put(Beginning& beginning, std::size_t met) const {
        beginning.place = spent_[met].place;
        beginning.turn = spent_[met].turn;
    }

    const SimulationInputs& inputs_;
    std::span<const std::size_t> sessions_;
    std::uint64_t seed_;
    Tokens longest_;
    std::vector<Spent> spent_;
};

} // namespace

double turnedSpread(std::uint64_t seed, std::int64_t index) {
    const double turned = static_cast<double>(RandomStream(seed).at(0) >> 11) * 0x1p-53;
    return evenSpread(turned, index);
}

Beginnings beginningsOf(const SimulationInputs& inputs, const TurnTable& table,
                        std::span<const std::size_t> sessions, std::span<const double> gapsS,
                        const StepTime& stepS, std::uint64_t seed) {
    const bool isClosed = inputs.arrivals.kind == ArrivalKind::Closed;
    if (inputs.arrivals.order == TurnOrder::Replayed) {
        return ReplayedBeginnings(inputs, sessions, gapsS, seed).all();
    }
    if (isClosed && inputs.arrivals.think != ThinkTime::None) {
        return {std::vector<Beginning>(static_cast<std::size_t>(inputs.arrivals.users)), false};
    }
    return isClosed || stepS ? SampledBeginnings(inputs, table, seed).all(stepS) : Beginnings();
}

} // namespace loadline
