// The dispatch rule of a profile if none was chosen.
#include "core/cost/profile/default_rule.h"

#include "core/cost/profile/profile_reach.h"

#include <algorithm>
#include <vector>

namespace loadline {
namespace {

bool holds(const std::vector<Kernel>& kernels, Kernel kernel) {
    return std::ranges::find(kernels, kernel) != kernels.end();
}

bool serves(const Profile& profile, const DispatchRule& rule, int kBits, bool grouped) {
    const std::vector<Kernel> timed = kernelsIn(profile, kBits);
    const auto isThere = [&](Kernel kernel) {
        const KernelParts parts = partsOf(kernel);
        return holds(timed, kernel) ||
               (holds(timed, parts.first) && parts.second && holds(timed, *parts.second));
    };
    const std::vector<Kernel> candidates = candidatesOf(within(rule, reachesOf(&profile)), grouped);
    return rule.fastest ? isThere(servesEveryM(grouped)) : std::ranges::all_of(candidates, isThere);
}

bool hasExperts(const ModelShapes& shapes) {
    return std::ranges::any_of(shapes.gemms, &LayerGemm::grouped);
}

/// True if a kernel of a design that the rule does not know was timed for these GEMMs.
bool leavesOneOut(const Profile& profile, const DispatchRule& rule, int kBits, bool grouped) {
    const std::vector<Kernel> candidates = candidatesOf(rule, grouped);
    return std::ranges::any_of(kernelsIn(profile, kBits), [&](Kernel kernel) {
        const KernelSpec& spec = specOf(kernel);
        return spec.variant && spec.grouped == grouped && !holds(candidates, kernel);
    });
}

} // namespace

DispatchRule autoRule() {
    DispatchRule rule = *findDispatchPreset("code");
    rule.key = autoRuleKey;
    rule.name = "By the kernel times";
    rule.source = "as in the code where the kernel times hold just its kernels; else the fastest measured";
    return rule;
}

bool serves(const Profile& profile, const DispatchRule& rule, int kBits, const ModelShapes& shapes) {
    return serves(profile, rule, kBits, false) && (!hasExperts(shapes) || serves(profile, rule, kBits, true));
}

const DispatchRule& defaultRule(const Profile* profile, int kBits, const ModelShapes& shapes) {
    const DispatchRule& code = *findDispatchPreset("code");
    if (profile == nullptr) {
        return code;
    }
    const bool fits = serves(*profile, code, kBits, shapes) && !leavesOneOut(*profile, code, kBits, false) &&
                      (!hasExperts(shapes) || !leavesOneOut(*profile, code, kBits, true));
    return fits ? code : *findDispatchPreset("fastest");
}

} // namespace loadline
