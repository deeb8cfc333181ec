// Closed loop, Poisson, trace; sampled or replayed.
#include "core/simulate/run/turn_source.h"

#include "core/base/random.h"
#include "core/simulate/policy/policy_spec.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

// Parts of the seed, for streams that must not be each other's.
constexpr std::uint64_t poissonPart = 2;
constexpr std::uint64_t gapPart = 3;
constexpr std::uint64_t sessionPart = 4;
constexpr std::uint64_t beginningPart = 5;
constexpr std::uint64_t thinkingPart = 6;

/// The i-th of 0..n-1 in an order that `key` chooses: a bijection for each key. Precondition: i < n < 2^32.
std::uint64_t shuffled(std::uint64_t i, std::uint64_t n, std::uint64_t key) {
    int half = 0; // bits; a Feistel network over twice as many, walked until it is back in the range
    while ((std::uint64_t{1} << (2 * half)) < n) {
        ++half;
    }
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    constexpr int rounds = 4;
    do {
        std::uint64_t left = i >> half;
        std::uint64_t right = i & mask;
        for (int round = 0; round < rounds; ++round) {
            const std::uint64_t mixed = seedOf(key + static_cast<std::uint64_t>(round), right) & mask;
            left = std::exchange(right, left ^ mixed);
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

/// 64 random bits as a number in (0, 1].
double unit(std::uint64_t bits) {
    return (static_cast<double>(bits >> 11) + 1) * 0x1p-53;
}

void append(std::vector<TokenRun>& runs, TokenRun run) {
    if (run.count <= 0) {
        return;
    }
    if (!runs.empty() && runs.back().first + runs.back().count == run.first) {
        runs.back().count += run.count;
    } else {
        runs.push_back(run);
    }
}

void cut(std::vector<TokenRun>& runs, Tokens length) {
    std::size_t kept = 0;
    for (TokenRun& run : runs) {
        if (length <= 0) {
            break;
        }
        run.count = std::min(run.count, length);
        length -= run.count;
        ++kept;
    }
    runs.resize(kept);
}

} // namespace

bool sharesPrefixes(const SimulationInputs& inputs) {
    return inputs.policy.prefixCache && knowsPrefixes(inputs.arrivals) && specOf(inputs.policy.policy).paged;
}

TurnSource::TurnSource(const SimulationInputs& inputs, std::uint64_t seed, const StepTime& stepS)
    : inputs_(inputs), seed_(seed), table_(*inputs.workload) {
    const ArrivalSetup& arrivals = inputs.arrivals;
    const bool replayed = arrivals.order == TurnOrder::Replayed;
    settles_ = isSettling(inputs);
    shares_ = sharesPrefixes(inputs);
    reuses_ = inputs.policy.prefixCache && knowsPrefixes(arrivals) && !specOf(inputs.policy.policy).paged;
    if (arrivals.think == ThinkTime::FromData) {
        gaps_ = gapsS(*inputs.workload);
    }
    if (replayed) {
        for (std::size_t i = 0; i < inputs.workload->sessions.size(); ++i) {
            if (!inputs.workload->sessions[i].turns.empty()) {
                sessions_.push_back(i);
            }
        }
    }
    if (arrivals.kind == ArrivalKind::Closed) {
        players_.resize(static_cast<std::size_t>(arrivals.users));
        if (settles_) {
            beginnings_ = beginningsOf(inputs, table_, sessions_, gaps_, {}, seedOf(seed, beginningPart));
            std::partial_sum(gaps_.begin(), gaps_.end(), std::back_inserter(gapSums_));
        }
        for (std::int64_t user = 0; user < arrivals.users; ++user) {
            Player& player = players_[static_cast<std::size_t>(user)];
            if (replayed && settles_) {
                const Beginning& beginning = beginnings_.turns[static_cast<std::size_t>(user)];
                player.first = beginning.place;
                player.session = sessions_[beginning.place];
                player.turn = beginning.turn;
                player.answered = beginning.answered;
                ++player.played;
            } else if (replayed) {
                beginSession(player, user);
            }
            due_.push({settles_ ? firstDueS(user) : 0, order_++, user});
        }
    } else if (arrivals.kind == ArrivalKind::Poisson) {
        if (settles_) {
            beginnings_ = beginningsOf(inputs, table_, sessions_, gaps_, stepS, seedOf(seed, beginningPart));
        }
        if (beginnings_.turns.empty()) {
            nextPoissonS_ = poissonGapS(0);
        }
    }
}

std::optional<double> TurnSource::nextS() const {
    switch (inputs_.arrivals.kind) {
    case ArrivalKind::Closed:
        return due_.empty() ? std::nullopt : std::optional(due_.top().atS);
    case ArrivalKind::Poisson:
        return nextPoissonS_;
    case ArrivalKind::Trace: {
        const auto next = static_cast<std::size_t>(taken_);
        const std::vector<TraceRequest>& requests = inputs_.workload->requests;
        return next < requests.size() ? std::optional(requests[next].arrivalS) : std::nullopt;
    }
    }
    return std::nullopt;
}

ExactTurn TurnSource::take(ScheduleRequest& request) {
    ExactTurn turn{.number = taken_, .user = taken_, .arrivalS = *nextS()};
    request.prompt.clear();
    request.cachedTokens = 0;
    request.id = taken_;
    request.priority = 0;
    switch (inputs_.arrivals.kind) {
    case ArrivalKind::Closed: {
        turn.user = due_.top().user;
        due_.pop();
        request.priority = turn.user;
        if (inputs_.arrivals.order == TurnOrder::Replayed) {
            takeReplayed(players_[static_cast<std::size_t>(turn.user)], turn.user, request);
        } else {
            takeSampled(request);
        }
        break;
    }
    case ArrivalKind::Poisson:
        takeSampled(request);
        begun_ += begun_ < std::ssize(beginnings_.turns) ? 1 : 0;
        if (begun_ == std::ssize(beginnings_.turns)) {
            nextPoissonS_ += poissonGapS(taken_ + 1 - begun_);
        }
        break;
    case ArrivalKind::Trace:
        takeOfTrace(request);
        break;
    }
    turn.promptTokens = request.promptTokens;
    turn.outputTokens = request.outputTokens;
    ++taken_;
    return turn;
}

double TurnSource::poissonGapS(std::int64_t index) const {
    const RandomStream stream(seedOf(seed_, poissonPart));
    return -std::log(unit(stream.at(static_cast<std::uint64_t>(index)))) / inputs_.arrivals.ratePerS;
}

void TurnSource::takeSampled(ScheduleRequest& request) {
    const auto place = static_cast<std::size_t>(taken_);
    const DrawnTurn drawn = table_.draw(RandomStream(seed_), place - static_cast<std::size_t>(begun_));
    request.promptTokens = drawn.input;
    request.outputTokens = drawn.output;
    if (place < beginnings_.turns.size() && beginnings_.turns[place].isUnderWay) {
        const Beginning& begun = beginnings_.turns[place];
        request.promptTokens = begun.drawn.input + begun.answered;
        request.outputTokens = begun.drawn.output - begun.answered;
    }
}

TokenRun TurnSource::fresh(Tokens count) {
    const TokenRun run{nextId_, count};
    nextId_ += count;
    return run;
}

/// Returns the time at which a user who begins amid thinking asks.
double TurnSource::firstDueS(std::int64_t user) {
    const std::uint64_t seed = seedOf(seed_, thinkingPart);
    const double share = turnedSpread(seed, user);
    switch (inputs_.arrivals.think) {
    case ThinkTime::None:
        return 0;
    case ThinkTime::Fixed:
        return share * inputs_.arrivals.thinkS;
    case ThinkTime::FromData:
        break;
    }
    if (inputs_.arrivals.order == TurnOrder::Replayed) {
        const Player& player = players_[static_cast<std::size_t>(user)];
        const double gap = inputs_.workload->sessions[player.session].turns[player.turn].gapS;
        return share * (gap >= 0 ? gap : drawnGapS());
    }
    const double place = turnedSpread(seedOf(seed, 1), user) * gapSums_.back();
    const auto found = std::min(std::ranges::upper_bound(gapSums_, place), gapSums_.end() - 1);
    return share * gaps_[static_cast<std::size_t>(found - gapSums_.begin())];
}

/// Each round begins with the session that the user was met in, so that a beginning amid it is like any other
/// time.
std::size_t TurnSource::dealt(const Player& player, std::int64_t user) const {
    const std::uint64_t round = player.played / sessions_.size();
    const std::uint64_t place = player.played % sessions_.size();
    if (place == 0) {
        return player.first;
    }
    const std::uint64_t key =
        seedOf(seedOf(seedOf(seed_, sessionPart), static_cast<std::uint64_t>(user)), round);
    const auto other = static_cast<std::size_t>(shuffled(place - 1, sessions_.size() - 1, key));
    return other < player.first ? other : other + 1;
}

void TurnSource::beginSession(Player& player, std::int64_t user) {
    if (settles_) {
        player.session = sessions_[dealt(player, user)];
        ++player.played;
        player.turn = 0;
        player.held = 0;
        player.ids.clear();
        return;
    }
    const RandomStream stream(seedOf(seedOf(seed_, sessionPart), static_cast<std::uint64_t>(user)));
    const std::uint64_t bits = stream.at(player.played++);
    player.session = sessions_[below(static_cast<std::uint32_t>(sessions_.size()), bits)];
    player.turn = 0;
    player.held = 0;
    player.ids.clear();
}

void TurnSource::takeReplayed(Player& player, std::int64_t user, ScheduleRequest& request) {
    const std::vector<WorkloadTurn>* turns = &inputs_.workload->sessions[player.session].turns;
    if (player.turn == turns->size()) {
        beginSession(player, user);
        turns = &inputs_.workload->sessions[player.session].turns;
    }
    const WorkloadTurn& turn = (*turns)[player.turn];
    const Tokens context = std::clamp<Tokens>(turn.context, 0, maxTurnTokens);
    const Tokens answered = std::exchange(player.answered, 0);
    request.promptTokens = std::min(context + simulatedTokens(turn.input) + answered, maxTurnTokens);
    request.outputTokens = simulatedTokens(turn.output) - answered;
    const Tokens kept = std::min({context, player.held, request.promptTokens - 1});
    if (reuses_) {
        request.cachedTokens = kept;
    }
    if (shares_) {
        if (player.turn == 0) {
            append(player.ids, {0, std::min(context, request.promptTokens - 1)});
        } else {
            cut(player.ids, kept);
        }
        Tokens there = 0;
        for (const TokenRun& run : player.ids) {
            there += run.count;
        }
        append(player.ids, fresh(request.promptTokens - there));
        request.prompt = player.ids;
        const TokenRun output = fresh(request.outputTokens);
        request.firstOutputToken = output.first;
        append(player.ids, output);
    }
    player.held = request.promptTokens + request.outputTokens;
    ++player.turn;
}

void TurnSource::takeOfTrace(ScheduleRequest& request) {
    const TraceRequest& recorded = inputs_.workload->requests[static_cast<std::size_t>(taken_)];
    request.promptTokens = simulatedTokens(recorded.input);
    request.outputTokens = simulatedTokens(recorded.output);
    const Tokens cached = std::clamp<Tokens>(recorded.cached, 0, request.promptTokens - 1);
    if (reuses_) {
        request.cachedTokens = cached;
    }
    if (shares_) {
        Tokens appended = 0;
        for (const std::uint32_t block : recorded.blocks) {
            const Tokens count = std::min(traceBlockTokens, request.promptTokens - appended);
            append(request.prompt, {block * traceBlockTokens, count});
            appended += std::max<Tokens>(count, 0);
        }
        if (recorded.blocks.empty()) {
            append(request.prompt, {0, cached});
            appended = cached;
        }
        append(request.prompt, fresh(request.promptTokens - appended));
        request.firstOutputToken = fresh(request.outputTokens).first;
    }
}

void TurnSource::answered(const ExactTurn& turn, double nowS) {
    if (inputs_.arrivals.kind == ArrivalKind::Closed) {
        due_.push({nowS + thinkS(turn.user), order_++, turn.user});
    }
}

double TurnSource::thinkS(std::int64_t user) {
    switch (inputs_.arrivals.think) {
    case ThinkTime::None:
        return 0;
    case ThinkTime::Fixed:
        return inputs_.arrivals.thinkS;
    case ThinkTime::FromData:
        break;
    }
    if (inputs_.arrivals.order == TurnOrder::Replayed) {
        const Player& player = players_[static_cast<std::size_t>(user)];
        const std::vector<WorkloadTurn>& turns = inputs_.workload->sessions[player.session].turns;
        if (player.turn < turns.size() && turns[player.turn].gapS >= 0) {
            return turns[player.turn].gapS;
        }
    }
    return drawnGapS();
}

double TurnSource::drawnGapS() {
    const RandomStream stream(seedOf(seed_, gapPart));
    return gaps_[below(static_cast<std::uint32_t>(gaps_.size()), stream.at(gapsDrawn_++))];
}

} // namespace loadline
