// The kernels that a profile can serve, and remarks on its shapes.
#pragma once

#include "core/cost/profile/profile.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/request/simulation_request.h"

#include <string>
#include <vector>

namespace loadline::app {

/// "None of these times is of the shapes that are simulated (Llama-3.1-8B): choose the shapes Study shapes to
/// simulate with them."; "" where some are. Choosing kernel times changes no shapes.
std::string shapesRemarkOf(const SimulationRequest& request, const Profile& added);

/// The k of 2 to 5 that the rule can serve with what was timed; all of them where nothing was, as they are
/// modelled then.
std::vector<int> kBitsServed(const Profile* profile, const DispatchRule& rule, const ModelShapes& shapes);

} // namespace loadline::app
