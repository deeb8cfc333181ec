// KV blocks from a share of the device's memory.
#include "core/simulate/run/kv_blocks.h"

#include "core/cost/estimate/attention.h"
#include "core/simulate/policy/policy_spec.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr double bytesPerKvValue = 2;
constexpr double bytesPerGb = 1024.0 * 1024 * 1024;

/// Blocks that PolicySetup::memoryShare leaves room for, where it decides.
std::optional<std::int64_t> blocksOfMemory(const SimulationInputs& inputs) {
    if (!takesWhatIsLeft(inputs)) {
        return std::nullopt;
    }
    const PolicySetup& policy = inputs.policy;
    const bool closed = inputs.arrivals.kind == ArrivalKind::Closed;
    const std::int64_t atOnce = closed ? std::min(inputs.arrivals.users, policy.maxSeqs) : policy.maxSeqs;
    const Tokens tokens =
        kvCapacityTokens(inputs.cost.model, inputs.cost.kBits, memoryBytesOf(*hardwareOf(inputs)),
                         *policy.memoryShare, bytesPerKvValue, atOnce);
    const std::int64_t blocks = tokens / policy.blockTokens;
    return blocks < 2 ? std::nullopt : std::optional(blocks);
}

} // namespace

const Hardware* hardwareOf(const SimulationInputs& inputs) {
    if (inputs.hardware != nullptr) {
        return inputs.hardware;
    }
    return inputs.profile ? findHardware(inputs.profile->hardware) : nullptr;
}

double memoryBytesOf(const Hardware& hardware) {
    return hardware.memoryGb * bytesPerGb;
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

bool leavesNoRoom(const SimulationInputs& inputs) {
    const ModelShapes& model = inputs.cost.model;
    return model.attention && takesWhatIsLeft(inputs) && !blocksOfMemory(inputs) &&
           weightBytes(model, inputs.cost.kBits) <= memoryBytesOf(*hardwareOf(inputs));
}

Tokens longestRequestOf(const SimulationInputs& inputs) {
    const PolicySetup& policy = inputs.policy;
    const std::optional<std::int64_t> blocks = blocksOfMemory(inputs);
    return blocks ? std::min(policy.maxModelLen, (*blocks - 1) * policy.blockTokens) : policy.maxModelLen;
}

} // namespace loadline
