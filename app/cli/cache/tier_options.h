// The options of `loadline cache` that speak of a model and of a machine.
#pragma once

#include "core/cache/study/tier_question.h"

namespace CLI {
class App;
}

namespace loadline::app {

/// `options` must outlive the parsing.
void addTierOptions(CLI::App& app, TierOptions& options);

} // namespace loadline::app
