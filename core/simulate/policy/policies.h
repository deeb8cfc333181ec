// The policies there are: each a type with its facts, its scheduler and, where it has one, its fast loop.
#pragma once

#include "core/simulate/policy/mlx_policy.h"
#include "core/simulate/policy/single_prefill_policy.h"
#include "core/simulate/policy/vllm_v1_policy.h"

#include <tuple>

namespace loadline {

/// All policies, in the order of Policy.
using Policies = std::tuple<VllmV1Policy, SinglePrefillPolicy, MlxPolicy>;

/// use(P()) with the type P of the policy, so that loops over steps ask nobody which it is.
template <std::size_t i = 0, typename Use>
auto withPolicy(Policy policy, Use&& use) {
    using P = std::tuple_element_t<i, Policies>;
    if constexpr (i + 1 < std::tuple_size_v<Policies>) {
        if (policy != P::spec.policy) {
            return withPolicy<i + 1>(policy, use);
        }
    }
    return use(P());
}

/// Has a loop from event to event, for closed loops.
template <typename P>
constexpr bool hasLoop = requires(const PolicySetup& setup) { P::goesFast(setup); };

} // namespace loadline
