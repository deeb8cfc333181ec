// The kernels that a profile can serve, and remarks on its shapes.
#include "app/kernels/use_profile.h"

#include "app/options/cost_option.h"
#include "core/cost/profile/default_rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::app {
namespace {

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
                       best != nullptr ? fmt::format("choose the shapes {} to simulate with them", best->name)
                                       : "they are of no model in the list, and count where nothing nearer "
                                         "was timed");
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
