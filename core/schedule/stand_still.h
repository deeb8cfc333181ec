// Whether a scheduler will never go on.
#pragma once

#include "core/base/tokens.h"
#include "core/schedule/step.h"

namespace loadline {

/// Told of every step: a scheduler stands still once several in a row do nothing, or once more of them give
/// no token than the requests under way could take.
class StandStill {
public:
    /// A request that is computed from here on.
    void begin(Tokens prompt, Tokens output) { patience_ += stepsOf(prompt, output); }

    /// It is done.
    void end(Tokens prompt, Tokens output) { patience_ -= stepsOf(prompt, output); }

    [[nodiscard]] bool isReachedBy(const Step& step) {
        const bool idle =
            step.scheduled.empty() && step.emitted.empty() && step.preempted.empty() && step.forwards.empty();
        idleSteps_ = idle ? idleSteps_ + 1 : 0;
        withoutToken_ = step.emitted.empty() ? withoutToken_ + 1 : 0;
        return idleSteps_ >= idleStepsBelieved || withoutToken_ > patience_;
    }

private:
    /// Asynchronous scheduling may rightly have one that does nothing.
    static constexpr int idleStepsBelieved = 3;

    static Tokens stepsOf(Tokens prompt, Tokens output) { return 2 * (prompt + output); }

    int idleSteps_ = 0;
    Tokens withoutToken_ = 0;
    Tokens patience_ = 100; ///< steps without any token that are still believed
};

} // namespace loadline
