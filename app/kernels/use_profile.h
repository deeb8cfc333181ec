// A simulation that takes other kernel times: what else has to follow so that it can be run.
#pragma once

#include "core/cost/profile/profile.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/setup/simulation_request.h"

#include <string>
#include <vector>

namespace loadline::app {

struct UsedProfile {
    SimulationRequest request;
    std::vector<std::string> followed; ///< what else was changed, in words
};

/// "To fit, the simulation also uses k = 4, shapes Llama."; empty where nothing followed.
std::string sentenceOf(const UsedProfile& used);

/// The request with `name`, which stands for `profile`. Where the dispatch rule needs a kernel that was not
/// timed, the fastest measured takes its place; where none of the request's shapes was timed but those of a
/// preset were, that preset; where the present k was not timed, the first that was. `added`: the times in
/// `profile` for whose sake it is taken; shapes follow these.
UsedProfile withProfile(const SimulationRequest& request, const std::string& name, const Profile& profile,
                        const Profile* added = nullptr);

/// That none of these times is of the request's shapes, and which would follow; "" where some are.
std::string shapesRemarkOf(const SimulationRequest& request, const Profile& added);

/// The k of 2 to 5 that the rule can serve with what was timed; all of them where nothing was, as they are
/// modelled then.
std::vector<int> kBitsServed(const Profile* profile, const DispatchRule& rule, const ModelShapes& shapes);

} // namespace loadline::app
