// The self-check: a recorded engine run, served again and compared, as the window and exports show it.
#pragma once

#include "app/choices/choice.h"
#include "core/base/result.h"
#include "core/replay/replay_figure.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace loadline::app {

namespace choices {

extern const Choice<std::string> run, prompts;
extern const Choice<std::optional<std::int64_t>> kvBlocks;

} // namespace choices

/// Which run; all there is to choose.
struct SelfCheckChoice {
    std::string run;                      ///< its folder; "": none
    std::string prompts;                  ///< the dataset that was served; "": the run's own, if it has one
    std::optional<std::int64_t> kvBlocks; ///< instead of the run's own
    bool operator==(const SelfCheckChoice&) const = default;
};

SelfCheckChoice selfCheckChoice(const Choices& all);
void setSelfCheckChoice(Choices& all, const SelfCheckChoice& choice);

/// The answer to a choice: the figure, or why there is none.
struct SelfCheckShown {
    SelfCheckChoice choice;
    std::shared_ptr<const ReplayFigure> figure;
    std::optional<Error> error;
    double readS = 0;   ///< wall time of reading the run
    double replayS = 0; ///< and of the replay
};

/// Precondition: choice.run is not empty.
SelfCheckShown selfCheckOf(const SelfCheckChoice& choice, const std::stop_token& stop);

/// "Predicted time: 72 % dense layers, ...", the notes and the speed, a line each.
std::string detailsOf(const SelfCheckShown& shown);

} // namespace loadline::app
