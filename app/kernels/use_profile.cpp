// A simulation that takes other kernel times.
#include "app/kernels/use_profile.h"

#include "app/options/cost_option.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/kernel/dispatch_reach.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::app {
namespace {

bool has(const std::vector<Kernel>& kernels, Kernel kernel) {
    return std::ranges::find(kernels, kernel) != kernels.end();
}

/// Whether the profile can serve what the rule, as far as kernels reach, may choose.
bool serves(const Profile& profile, const DispatchRule& rule, int kBits, bool grouped) {
    const std::vector<Kernel> timed = kernelsIn(profile, kBits);
    const auto isThere = [&](Kernel kernel) {
        const KernelParts parts = partsOf(kernel);
        return has(timed, kernel) || (has(timed, parts.first) && parts.second && has(timed, *parts.second));
    };
    const std::vector<Kernel> candidates = candidatesOf(within(rule, reachesOf(&profile)), grouped);
    return rule.fastest ? isThere(servesEveryM(grouped)) : std::ranges::all_of(candidates, isThere);
}

bool serves(const Profile& profile, const DispatchRule& rule, int kBits, const ModelShapes& shapes) {
    const bool grouped = std::ranges::any_of(shapes.gemms, &LayerGemm::grouped);
    return serves(profile, rule, kBits, false) && (!grouped || serves(profile, rule, kBits, true));
}

bool isTimed(const Profile& profile, const LayerGemm& gemm) {
    return std::ranges::any_of(profile.points, [&](const ProfilePoint& point) {
        return point.size == gemm.size && (point.experts > 1) == gemm.grouped();
    });
}

/// How many of a model's GEMMs were timed, as a share.
double covered(const Profile& profile, const ModelShapes& shapes) {
    const auto count =
        std::ranges::count_if(shapes.gemms, [&](const LayerGemm& gemm) { return isTimed(profile, gemm); });
    return shapes.gemms.empty() ? 0 : static_cast<double>(count) / static_cast<double>(shapes.gemms.size());
}

/// The preset of which most was timed; null where nothing was.
const ModelShapes* bestCovered(const Profile& profile) {
    const ModelShapes* best = nullptr;
    for (const ModelShapes& preset : shapePresets()) {
        if (covered(profile, preset) > (best == nullptr ? 0 : covered(profile, *best))) {
            best = &preset;
        }
    }
    return best;
}

} // namespace

std::string shapesRemarkOf(const SimulationRequest& request, const Profile& added) {
    const Result<ModelShapes> shapes = resolveShapes(request.shapes);
    if (!shapes || covered(added, *shapes) > 0) {
        return {};
    }
    const ModelShapes* best = bestCovered(added);
    return fmt::format("None of these times is of the shapes that are simulated ({}): {}.", shapes->name,
                       best != nullptr
                           ? fmt::format("used for the simulation, they bring {}'s", best->name)
                           : "they are of no model in the list, and count where nothing nearer was timed");
}

std::string sentenceOf(const UsedProfile& used) {
    return used.followed.empty()
               ? std::string()
               : fmt::format("To fit, the simulation also uses {}.", fmt::join(used.followed, ", "));
}

UsedProfile withProfile(const SimulationRequest& request, const std::string& name, const Profile& profile,
                        const Profile* added) {
    const Profile& wanted = added != nullptr ? *added : profile;
    UsedProfile used{request, {}};
    used.request.profile = name;
    const std::vector<int> kBits = timedKBits(profile);
    if (!kBits.empty() && std::ranges::find(kBits, request.kBits) == kBits.end()) {
        used.request.kBits = kBits.front();
        used.followed.push_back(fmt::format("k = {}", kBits.front()));
    }
    const Result<ModelShapes> shapes = resolveShapes(request.shapes);
    if (!shapes || covered(wanted, *shapes) == 0) {
        if (const ModelShapes* best = bestCovered(wanted)) {
            used.request.shapes = best->key;
            used.followed.push_back(fmt::format("shapes {}", best->name));
        }
    }
    const Result<ModelShapes> now = resolveShapes(used.request.shapes);
    const Result<DispatchRule> rule = resolveRule(request.rule);
    if (now && rule && !rule->fastest && !serves(profile, *rule, used.request.kBits, *now)) {
        used.request.rule = "fastest";
        used.followed.emplace_back("the fastest measured kernel at each M");
    }
    return used;
}

std::vector<int> kBitsServed(const Profile* profile, const DispatchRule& rule, const ModelShapes& shapes) {
    std::vector<int> served;
    for (int k = minKBits; k <= maxKBits; ++k) {
        if (profile == nullptr || serves(*profile, rule, k, shapes)) {
            served.push_back(k);
        }
    }
    return served;
}

} // namespace loadline::app
