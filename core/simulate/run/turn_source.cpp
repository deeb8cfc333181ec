// Closed loop, Poisson, trace; sampled or replayed.
#include "core/simulate/run/turn_source.h"

#include "core/base/random.h"
#include "core/simulate/policy/policy_spec.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

// Parts of the seed, for streams that must not be each other's.
constexpr std::uint64_t poissonPart = 2;
constexpr std::uint64_t gapPart = 3;
constexpr std::uint64_t sessionPart = 4;

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
        for (std::int64_t user = 0; user < arrivals.users; ++user) {
            due_.push({0, order_++, user});
            if (replayed) {
                beginSession(players_[static_cast<std::size_t>(user)], user);
            }
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

void TurnSource::takeSampled(ScheduleRequest& request) {
    const DrawnTurn drawn = table_.draw(RandomStream(seed_), static_cast<std::size_t>(taken_));
    request.promptTokens = drawn.input;
    request.outputTokens = drawn.output;
}

TokenRun TurnSource::fresh(Tokens count) {
    const TokenRun run{nextId_, count};
    nextId_ += count;
    return run;
}

void TurnSource::beginSession(Player& player, std::int64_t user) {
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
