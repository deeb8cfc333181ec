// The parameters of a simulation as a form knows them: which matter, which cannot be changed, and why.
#pragma once

#include "core/simulate/setup/simulation_request.h"

#include <QString>

#include <vector>

namespace loadline::ui {

enum class Parameter {
    Workload,
    Outputs,
    Arrivals,
    Users,
    Rate,
    Think,
    ThinkSeconds,
    Order,
    Policy,
    Chunk,
    Budget,
    MaxSeqs,
    KBits,
    Shapes,
    Profile,
    Rule,
    Scope,
    HostUs,
    KvBlocks,
    MemoryShare,
    BlockTokens,
    PrefixCache,
    ChunkedPrefill,
    Async,
    EngineOrder,
    Version,
    Replicas,
    Seed,
};

/// Something with a name that can be chosen.
struct NamedChoice {
    std::string key;
    QString name;
    QString toolTip;
    QString whyNot; ///< why it cannot be chosen now; empty: it can
    bool operator==(const NamedChoice&) const = default;
};

/// What there is to choose from.
struct ParameterChoices {
    std::vector<NamedChoice> workloads, profiles, shapes, rules;
    bool knowsArrivals = false; ///< the workload is a trace
    bool knowsGaps = false;     ///< the workload tells how long users think
    bool knowsSessions = false; ///< the workload can be replayed
    bool knowsOutputs = false;  ///< the workload is of sessions' logs, whose outputs may be lower bounds
    bool knowsAttention = true; ///< the shapes tell what a whole step needs
    bool operator==(const ParameterChoices&) const = default;
};

/// Whether the form shows it at all for this request.
bool isShown(Parameter parameter, const SimulationRequest& request, const ParameterChoices& choices);
/// Why it cannot be changed; empty where it can.
QString whyNot(Parameter parameter, const SimulationRequest& request, const ParameterChoices& choices);
/// What undo calls a change of it ("Change the users").
QString nameOfChange(Parameter parameter);

} // namespace loadline::ui
