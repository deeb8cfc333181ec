// Which parameters matter for which policy and workload.
#include "ui/panel/simulation/parameters.h"

#include <QCoreApplication>

namespace loadline::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Parameters", text);
}

bool isEngineOwn(Parameter parameter) {
    switch (parameter) {
    case Parameter::KvBlocks:
    case Parameter::MemoryShare:
    case Parameter::BlockTokens:
    case Parameter::PrefixCache:
    case Parameter::ChunkedPrefill:
    case Parameter::Async:
    case Parameter::EngineOrder:
    case Parameter::Version:
        return true;
    default:
        return false;
    }
}

const char* changeOf(Parameter parameter) {
    switch (parameter) {
    case Parameter::Workload:
        return "Change the workload";
    case Parameter::Outputs:
        return "Change how outputs are counted";
    case Parameter::Arrivals:
        return "Change the arrivals";
    case Parameter::Users:
        return "Change the users";
    case Parameter::Rate:
        return "Change the rate";
    case Parameter::Think:
    case Parameter::ThinkSeconds:
        return "Change the think time";
    case Parameter::Order:
        return "Change the order of turns";
    case Parameter::Policy:
        return "Change the policy";
    case Parameter::Chunk:
        return "Change the chunk size";
    case Parameter::Budget:
        return "Change the token budget";
    case Parameter::MaxSeqs:
        return "Change the most sequences";
    case Parameter::KBits:
        return "Change k";
    case Parameter::Shapes:
        return "Change the shapes";
    case Parameter::Profile:
        return "Change the profile";
    case Parameter::Rule:
        return "Change the dispatch rule";
    case Parameter::Scope:
        return "Change what a step counts";
    case Parameter::HostUs:
        return "Change the host's share";
    case Parameter::KvBlocks:
        return "Change the KV blocks";
    case Parameter::MemoryShare:
        return "Change the KV memory";
    case Parameter::BlockTokens:
        return "Change the block size";
    case Parameter::PrefixCache:
        return "Change the prefix cache";
    case Parameter::ChunkedPrefill:
        return "Change chunked prefill";
    case Parameter::Async:
        return "Change asynchronous scheduling";
    case Parameter::EngineOrder:
        return "Change who is served first";
    case Parameter::Version:
        return "Change the engine's version";
    case Parameter::Replicas:
        return "Change the replicas";
    case Parameter::Seed:
        return "Change the seed";
    }
    return "";
}

} // namespace

bool isShown(Parameter parameter, const SimulationRequest& request, const ParameterChoices& choices) {
    const ArrivalSetup& arrivals = request.arrivals;
    const bool closed = arrivals.kind == ArrivalKind::Closed;
    switch (parameter) {
    case Parameter::Outputs:
        return request.workload == openWorkload || choices.knowsOutputs;
    case Parameter::Users:
    case Parameter::Think:
        return closed;
    case Parameter::ThinkSeconds:
        return closed && arrivals.think == ThinkTime::Fixed;
    case Parameter::Rate:
        return arrivals.kind == ArrivalKind::Poisson;
    case Parameter::HostUs:
        return request.scope == StepScope::WholeStep;
    default:
        return true;
    }
}

QString whyNot(Parameter parameter, const SimulationRequest& request, const ParameterChoices& choices) {
    const Policy policy = request.policy.policy;
    if (isEngineOwn(parameter) && policy != Policy::VllmV1) {
        return tr("Only vLLM V1 knows this: choose it as the policy");
    }
    if (parameter == Parameter::Budget && policy == Policy::Mlx) {
        return tr("MLX-LM has no token budget: its batch is bounded by the most sequences");
    }
    const bool replayed = request.arrivals.order == TurnOrder::Replayed;
    if (parameter == Parameter::PrefixCache && !replayed && !request.policy.prefixCache) {
        return tr("Turns drawn one by one share no prefix: replay sessions to see the prefix cache");
    }
    if (parameter == Parameter::MemoryShare && !request.policy.memoryShare) {
        if (!choices.knowsAttention) {
            return tr("These shapes say nothing of attention, so nobody knows what a KV block takes: choose "
                      "the shapes of a model");
        }
        if (request.policy.kvBlocks) {
            return tr("The number of KV blocks is given: set it to \"enough\" first");
        }
    }
    if (parameter == Parameter::Order && !choices.knowsSessions && !replayed) {
        return tr("This workload has no sessions to replay: open sessions and choose them as the workload");
    }
    if (parameter == Parameter::Scope && !choices.knowsAttention && request.scope == StepScope::GemmOnly) {
        return tr("These shapes say nothing of attention: choose the shapes of a model for the whole step");
    }
    return {};
}

QString nameOfChange(Parameter parameter) {
    return tr(changeOf(parameter));
}

} // namespace loadline::ui
