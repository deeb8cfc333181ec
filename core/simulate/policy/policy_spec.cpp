// The facts of every policy, found by its name.
#include "core/simulate/policy/policy_spec.h"

#include "core/simulate/policy/policies.h"

#include <array>

namespace loadline {
namespace {

template <typename>
struct SpecsOf;

template <typename... P>
struct SpecsOf<std::tuple<P...>> {
    static constexpr std::array specs = {P::spec...};
};

constexpr const auto& specs = SpecsOf<Policies>::specs;

constexpr bool inOrder() {
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (static_cast<std::size_t>(specs[i].policy) != i) {
            return false;
        }
    }
    return true;
}

static_assert(inOrder());

} // namespace

std::span<const PolicySpec> policySpecs() {
    return specs;
}

const PolicySpec& specOf(Policy policy) {
    return specs[static_cast<std::size_t>(policy)];
}

std::string_view keyOf(Policy policy) {
    return specOf(policy).key;
}

std::string_view nameOf(Policy policy) {
    return specOf(policy).name;
}

Tokens chunkOf(const PolicySetup& setup) {
    return setup.chunkTokens.value_or(specOf(setup.policy).usualChunk);
}

} // namespace loadline
