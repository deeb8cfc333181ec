// Compares the KV cache that runs hold with the room that the weights leave.
#include "core/simulate/fit/run_fit.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/kv_blocks.h"

namespace loadline {

Result<std::optional<KvNeed>> unboundKvNeedOf(const SimulationInputs& inputs, const std::stop_token& stop) {
    if (specOf(inputs.policy.policy).paged || !memoryFitOf(inputs).known()) {
        return std::optional<KvNeed>();
    }
    auto need = kvNeed(inputs, kvNeedSteps, stop);
    if (!need) {
        return need.error();
    }
    return std::optional(std::move(*need));
}

double outgrownKvBytes(const SimulationInputs& inputs, std::int64_t peakKvBlocks) {
    if (peakKvBlocks == 0 || takesWhatIsLeft(inputs)) {
        return 0;
    }
    const double bytes = kvBytesOfBlocks(inputs, peakKvBlocks);
    return memoryFitOf(inputs, bytes).fits().value_or(true) ? 0 : bytes;
}

} // namespace loadline
