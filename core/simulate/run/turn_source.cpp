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

constexpr double golden = 0.6180339887498949; // its multiples spread evenly, however many there are

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

/// Part `index` of an even spread over [0, 1) that the seed turns.
double spread(std::uint64_t seed, std::int64_t index) {
    const double turned = static_cast<double>(RandomStream(seed).at(0) >> 11) * 0x1p-53;
    const double place = turned + static_cast<double>(index) * golden;
    return place - std::floor(place);
}

Tokens held(Tokens tokens) {
    return std::clamp<Tokens>(tokens, 1, maxTurnTokens);
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

TurnSource::TurnSource(const SimulationInputs& inputs, std::uint64_t seed)
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
        if (settles_ && (replayed || !gaps_.empty())) {
            weighTurns();
        }
        for (std::int64_t user = 0; user < arrivals.users; ++user) {
            Player& player = players_[static_cast<std::size_t>(user)];
            if (replayed && settles_) {
                beginAmid(player, user);
            } else if (replayed) {
                beginSession(player, user);
            }
            due_.push({settles_ ? firstDueS(user) : 0, order_++, user});
        }
    } else if (arrivals.kind == ArrivalKind::Poisson) {
        nextPoissonS_ = -std::log(unit(RandomStream(seedOf(seed, poissonPart)).at(0))) / arrivals.ratePerS;
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
        nextPoissonS_ +=
            -std::log(
                unit(RandomStream(seedOf(seed_, poissonPart)).at(static_cast<std::uint64_t>(taken_) + 1))) /
            inputs_.arrivals.ratePerS;
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

/// What is left of the answer in which a user is met: a long one more likely, by its length.
Tokens TurnSource::outputLeft() const {
    constexpr std::uint64_t candidates = 2048;
    const std::uint64_t seed = seedOf(seed_, beginningPart);
    const RandomStream stream(seedOf(seed, static_cast<std::uint64_t>(taken_) + 1));
    double all = 0;
    for (std::uint64_t i = 0; i < candidates; ++i) {
        all += table_.draw(stream, i).output;
    }
    double left = spread(seed, taken_) * all;
    for (std::uint64_t i = 0; i < candidates; ++i) {
        const double output = table_.draw(stream, i).output;
        if (left < output) {
            return 1 + static_cast<Tokens>(output - 1 - std::floor(left));
        }
        left -= output;
    }
    return 1;
}

void TurnSource::takeSampled(ScheduleRequest& request) {
    const DrawnTurn drawn = table_.draw(RandomStream(seed_), static_cast<std::size_t>(taken_));
    request.promptTokens = drawn.input;
    request.outputTokens = drawn.output;
    if (settles_ && taken_ < inputs_.arrivals.users && inputs_.arrivals.kind == ArrivalKind::Closed) {
        request.outputTokens = outputLeft(); // the first turns are under way
    }
}

TokenRun TurnSource::fresh(Tokens count) {
    const TokenRun run{nextId_, count};
    nextId_ += count;
    return run;
}

/// Runs are measured over steps, so a user is met in a turn by the steps that it takes; one who thinks, in a
/// pause by how long it is.
void TurnSource::weighTurns() {
    const double all = std::accumulate(gaps_.begin(), gaps_.end(), 0.0);
    if (inputs_.arrivals.order != TurnOrder::Replayed) {
        turnWeights_ = gaps_;
    }
    for (const std::size_t session : sessions_) {
        for (const WorkloadTurn& turn : inputs_.workload->sessions[session].turns) {
            const double gap = turn.gapS >= 0 ? turn.gapS : all / static_cast<double>(gaps_.size());
            const Tokens chunks = held(turn.input) / std::max<Tokens>(budgetOf(inputs_.policy), 1);
            turnWeights_.push_back(all > 0 ? gap : static_cast<double>(1 + chunks + held(turn.output)));
        }
    }
    std::partial_sum(turnWeights_.begin(), turnWeights_.end(), turnWeights_.begin());
}

/// The turn, or the pause, that this share of all weights meets.
std::size_t TurnSource::weighed(double share) const {
    const auto found = std::ranges::upper_bound(turnWeights_, share * turnWeights_.back());
    return static_cast<std::size_t>(std::min(found, turnWeights_.end() - 1) - turnWeights_.begin());
}

void TurnSource::beginAmid(Player& player, std::int64_t user) {
    std::size_t turn = weighed(spread(seedOf(seed_, beginningPart), user));
    while (turn >= inputs_.workload->sessions[sessions_[player.first]].turns.size()) {
        turn -= inputs_.workload->sessions[sessions_[player.first]].turns.size();
        ++player.first;
    }
    player.session = sessions_[player.first];
    player.turn = turn;
    ++player.played;
}

/// When a user who begins amid thinking asks.
double TurnSource::firstDueS(std::int64_t user) {
    const std::uint64_t seed = seedOf(seed_, thinkingPart);
    const double share = spread(seed, user);
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
    return share * gaps_[weighed(spread(seedOf(seed, 1), user))];
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
    request.promptTokens = std::min(context + held(turn.input), maxTurnTokens);
    request.outputTokens = held(turn.output);
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
    request.promptTokens = held(recorded.input);
    request.outputTokens = held(recorded.output);
    const Tokens cached = std::clamp<Tokens>(recorded.cached, 0, request.promptTokens - 1);
    if (reuses_) {
        request.cachedTokens = cached;
    }
    if (shares_) {
        Tokens told = 0;
        for (const std::uint32_t block : recorded.blocks) {
            const Tokens count = std::min(traceBlockTokens, request.promptTokens - told);
            append(request.prompt, {block * traceBlockTokens, count});
            told += std::max<Tokens>(count, 0);
        }
        if (recorded.blocks.empty()) {
            append(request.prompt, {0, cached});
            told = cached;
        }
        append(request.prompt, fresh(request.promptTokens - told));
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
