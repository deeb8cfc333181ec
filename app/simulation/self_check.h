// The self-check: a recorded engine run, served again and compared, as the window and exports show it.
#pragma once

#include "core/base/result.h"
#include "core/replay/replay_figure.h"
#include "core/replay/replay_question.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace loadline::app {

/// The answer to a choice: the figure, or why there is none.
struct SelfCheckShown {
    ReplayQuestion choice;
    std::shared_ptr<const ReplayFigure> figure;
    std::optional<Error> error;
    double readS = 0;   ///< wall time of reading the run
    double replayS = 0; ///< and of the replay
};

/// Precondition: choice.run is not empty.
SelfCheckShown selfCheckOf(const ReplayQuestion& choice, const std::stop_token& stop);

/// "Predicted time: 72 % dense layers, ...", the notes and the speed, a line each.
std::string detailsOf(const SelfCheckShown& shown);

} // namespace loadline::app
