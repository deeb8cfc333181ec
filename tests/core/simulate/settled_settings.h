// Settings of many kinds, for which intervals of settled runs are tried.
#pragma once

#include "core/cost/shapes/shapes.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/result.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// Llama-3.1-8B on an RTX 4090, as it is served, its whole steps by rooflines; turns of the reference.
inline SimulationInputs servedInputs() {
    SimulationInputs inputs;
    inputs.workload = std::make_shared<const Workload>(referenceWorkload());
    inputs.hardware = findHardware("RTX4090");
    inputs.cost.model = *findShapePreset("llama-3.1-8b");
    inputs.cost.format = 4;
    inputs.scope = StepScope::WholeStep;
    inputs.policy = policyAsServed();
    inputs.replicas = 16;
    return inputs;
}

/// Conversations whose lengths, prompts, answers and pauses have long tails, as people's have. No two prompts
/// are alike.
inline std::shared_ptr<const Workload> madeSessions(int count, std::uint64_t seed, double tail = 1.2) {
    std::mt19937_64 random(seed);
    std::lognormal_distribution<double> turns(2.3, 0.9), input(6, tail), output(4.6, tail), gap(2.5, 1.3);
    std::vector<WorkloadSession> sessions;
    Tokens unlike = 0;
    for (int i = 0; i < count; ++i) {
        WorkloadSession session{.id = std::to_string(i), .turns = {}};
        Tokens context = 2000;
        const auto length = 1 + static_cast<int>(std::min(150.0, turns(random)));
        for (int turn = 0; turn < length; ++turn) {
            const auto in = 1 + static_cast<Tokens>(std::min(15'000.0, input(random)));
            const auto out = 1 + static_cast<Tokens>(std::min(6'000.0, output(random)));
            session.turns.push_back({context + unlike, in, out, turn == 0 ? -1 : gap(random)});
            context = context + in + out > 60'000 ? 2000 : context + in + out; // compacted
            ++unlike;
        }
        sessions.push_back(std::move(session));
    }
    auto made = workloadOfTurns(std::move(sessions), "made", "Made up", "a test");
    return std::make_shared<const Workload>(std::move(*made));
}

struct SettledSetting {
    std::string name;
    std::function<SimulationInputs()> inputs;
    bool isQuick = false; ///< small enough for every run of the tests
};

/// Workload x users x policy x arrivals.
inline std::vector<SettledSetting> settledSettings() {
    std::vector<SettledSetting> settings;
    const auto add = [&](std::string name, bool isQuick, const std::function<void(SimulationInputs&)>& set) {
        settings.push_back({std::move(name),
                            [set] {
                                SimulationInputs inputs = servedInputs();
                                set(inputs);
                                return inputs;
                            },
                            isQuick});
    };
    for (const auto& [users, policy] :
         {std::pair(1, Policy::VllmV1), std::pair(4, Policy::VllmV1), std::pair(16, Policy::VllmV1),
          std::pair(64, Policy::VllmV1), std::pair(2, Policy::SinglePrefill),
          std::pair(12, Policy::SinglePrefill), std::pair(40, Policy::SinglePrefill),
          std::pair(3, Policy::Mlx), std::pair(16, Policy::Mlx), std::pair(48, Policy::Mlx)}) {
        const bool isQuick = users == 4 || users == 12 || users == 3;
        add(fmt::format("reference, {} users, {}", users, nameOf(policy)), isQuick,
            [users = users, policy = policy](SimulationInputs& inputs) {
                inputs.arrivals.users = users;
                inputs.policy.policy = policy;
            });
    }
    for (const int users : {1, 8, 24, 64, 128}) {
        add(fmt::format("reference, {} users, GEMMs alone", users), users == 8,
            [users](SimulationInputs& inputs) {
                inputs.arrivals.users = users;
                inputs.scope = StepScope::GemmOnly;
                inputs.policy.memoryShare.reset();
            });
        add(fmt::format("reference, {} users, single prefill, GEMMs alone", users), users == 24,
            [users](SimulationInputs& inputs) {
                inputs.arrivals.users = users;
                inputs.scope = StepScope::GemmOnly;
                inputs.policy = {};
                inputs.policy.policy = Policy::SinglePrefill;
            });
    }
    for (const auto& [users, tail, cache] :
         {std::tuple(1, 1.2, true), std::tuple(3, 0.8, true), std::tuple(8, 1.2, true),
          std::tuple(8, 1.2, false), std::tuple(20, 0.8, true), std::tuple(4, 1.6, true)}) {
        add(fmt::format("sessions, {} users, tail {}, prefix cache {}", users, tail, cache), users == 3,
            [users = users, tail = tail, cache = cache](SimulationInputs& inputs) {
                inputs.workload = madeSessions(40, 3, tail);
                inputs.arrivals.users = users;
                inputs.arrivals.order = TurnOrder::Replayed;
                inputs.policy.prefixCache = cache;
            });
    }
    for (const auto& [users, think] :
         {std::pair(6, 0.0), std::pair(30, 0.0), std::pair(10, 5.0), std::pair(60, 20.0)}) { // 0: as recorded
        add(fmt::format("sessions, {} users who think ({} s)", users, think), users == 10,
            [users = users, think = think](SimulationInputs& inputs) {
                inputs.workload = madeSessions(40, 4);
                inputs.arrivals.users = users;
                inputs.arrivals.order = TurnOrder::Replayed;
                inputs.arrivals.think = think > 0 ? ThinkTime::Fixed : ThinkTime::FromData;
                inputs.arrivals.thinkS = think;
            });
    }
    for (const auto& [rate, policy] : {std::pair(0.2, Policy::VllmV1), std::pair(1.0, Policy::VllmV1),
                                       std::pair(2.0, Policy::VllmV1), std::pair(2.4, Policy::VllmV1),
                                       std::pair(0.3, Policy::Mlx), std::pair(1.5, Policy::SinglePrefill)}) {
        add(fmt::format("reference at {} turns a second, {}", rate, nameOf(policy)),
            rate == 1.0 || rate == 0.3, [rate = rate, policy = policy](SimulationInputs& inputs) {
                inputs.arrivals.kind = ArrivalKind::Poisson;
                inputs.arrivals.ratePerS = rate;
                inputs.policy.policy = policy;
            });
    }
    for (const std::int64_t blocks : {4000, 12'000}) {
        add(fmt::format("reference, 32 users, {} KV blocks", blocks), blocks == 12'000,
            [blocks](SimulationInputs& inputs) {
                inputs.arrivals.users = 32;
                inputs.policy.memoryShare.reset();
                inputs.policy.kvBlocks = blocks;
                inputs.policy.maxModelLen = 16 * (blocks - 1);
            });
    }
    add("sessions sampled, 12 users", true, [](SimulationInputs& inputs) {
        inputs.workload = madeSessions(40, 5);
        inputs.arrivals.users = 12;
    });
    add("sessions, 8 users, asynchronous", false, [](SimulationInputs& inputs) {
        inputs.workload = madeSessions(40, 6);
        inputs.arrivals.users = 8;
        inputs.arrivals.order = TurnOrder::Replayed;
        inputs.policy.async = true;
        inputs.hostUs = 2000;
    });
    return settings;
}

} // namespace loadline
