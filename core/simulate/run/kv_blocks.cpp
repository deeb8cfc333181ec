// KV blocks from a share of the device's memory.
#include "core/simulate/run/kv_blocks.h"

#include "core/cost/estimate/attention.h"
#include "core/simulate/policy/policy_spec.h"

#include <algorithm>
#include <numeric>

namespace loadline {
namespace {

constexpr double bytesPerGb = 1024.0 * 1024 * 1024;

double bytesPerKvValue(const SimulationInputs& inputs) {
    return bytesEach(inputs.cost.format.kv);
}

/// The null block, and those of a sequence of one block of tokens.
std::int64_t fewestBlocks(const SimulationInputs& inputs) {
    return 2 + blocksBesideOf(inputs).of(inputs.policy.blockTokens);
}

/// Blocks that PolicySetup::memoryShare leaves room for, where it decides.
std::optional<std::int64_t> blocksOfMemory(const SimulationInputs& inputs) {
    if (!takesWhatIsLeft(inputs)) {
        return std::nullopt;
    }
    const PolicySetup& policy = inputs.policy;
    const Tokens tokens = kvCapacityTokens(inputs.cost.model, inputs.cost.format,
                                           memoryBytesOf(*hardwareOf(inputs)), memoryShareInForce(inputs));
    const std::int64_t blocks = tokens / policy.blockTokens;
    return blocks < fewestBlocks(inputs) ? std::nullopt : std::optional(blocks);
}

} // namespace

double memoryBytesOf(const Hardware& hardware) {
    return hardware.visibleBytes > 0 ? hardware.visibleBytes : hardware.memoryGb * bytesPerGb;
}

double memoryShareInForce(const SimulationInputs& inputs) {
    const double share = *inputs.policy.memoryShare;
    const auto setup = inputs.engine.surfaces ? stepSetupOf(inputs.engine, inputs.policy, inputs.cost.format)
                                              : Result<StepSetup>(Error{});
    return setup ? share - reservedBytesOf(*setup, inputs.cost.model) / memoryBytesOf(*hardwareOf(inputs))
                 : share;
}

std::optional<std::int64_t> kvBlocksOf(const SimulationInputs& inputs) {
    const PolicySetup& policy = inputs.policy;
    return specOf(policy.policy).paged && policy.kvBlocks ? policy.kvBlocks : blocksOfMemory(inputs);
}

bool takesWhatIsLeft(const SimulationInputs& inputs) {
    const PolicySetup& policy = inputs.policy;
    return specOf(policy.policy).paged && !policy.kvBlocks && policy.memoryShare.has_value() &&
           hardwareOf(inputs) != nullptr;
}

BlocksBeside blocksBesideOf(const SimulationInputs& inputs) {
    const std::optional<AttentionFacts>& attention = inputs.cost.model.attention;
    const double perToken = attention ? kvBytesPerToken(*attention, bytesPerKvValue(inputs)) : 0;
    if (!takesWhatIsLeft(inputs) || !(perToken > 0)) {
        return {};
    }
    const double block = perToken * static_cast<double>(inputs.policy.blockTokens);
    return {.state = attention->stateBytes / block,
            .perWindowToken = windowBytesPerToken(*attention, bytesPerKvValue(inputs)) / block,
            .window = attention->window};
}

double leastKvBytesOf(const SimulationInputs& inputs) {
    return takesWhatIsLeft(inputs) ? kvBytesOfBlocks(inputs, fewestBlocks(inputs)) : 0;
}

double kvBytesOfBlocks(const SimulationInputs& inputs, std::int64_t blocks) {
    const std::optional<AttentionFacts>& attention = inputs.cost.model.attention;
    const auto tokens = static_cast<double>(blocks * inputs.policy.blockTokens);
    return attention ? kvBytesPerToken(*attention, bytesPerKvValue(inputs)) * tokens : 0;
}

bool leavesNoRoom(const SimulationInputs& inputs) {
    const ModelShapes& model = inputs.cost.model;
    return model.attention && takesWhatIsLeft(inputs) && !blocksOfMemory(inputs) &&
           weightBytes(model, inputs.cost.format) <= memoryBytesOf(*hardwareOf(inputs));
}

Tokens longestRequestOf(const SimulationInputs& inputs) {
    const PolicySetup& policy = inputs.policy;
    const std::optional<std::int64_t> blocks = blocksOfMemory(inputs);
    if (!blocks) {
        return policy.maxModelLen;
    }
    const BlocksBeside beside = blocksBesideOf(inputs);
    const auto holds = [&](std::int64_t count) {
        return count + beside.of(count * policy.blockTokens) <= *blocks - 1;
    };
    std::int64_t fits = 1; // fewestBlocks
    for (std::int64_t tooMany = *blocks; tooMany - fits > 1;) {
        const std::int64_t middle = std::midpoint(fits, tooMany);
        (holds(middle) ? fits : tooMany) = middle;
    }
    return std::min(policy.maxModelLen, fits * policy.blockTokens);
}

} // namespace loadline
