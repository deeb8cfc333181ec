// The signals and the end of the input, as one stop token.
#pragma once

#include "app/cli/terminal/input_end.h"
#include "app/cli/terminal/interruption.h"

#include <optional>
#include <stop_token>

namespace loadline::app {

/// While it lives, Ctrl-C and the like request a stop instead of ending the program. One at a time.
class Stops {
public:
    explicit Stops(bool untilInputEnds) : inputEnd_(untilInputEnds) {}

    [[nodiscard]] const std::stop_source& source() const { return source_; }

    /// Returns the program's exit status if the run was interrupted from outside.
    [[nodiscard]] std::optional<int> exitStatus() const {
        if (const auto status = interruption_.exitStatus()) {
            return status;
        }
        constexpr int terminated = 128 + 15; // as if the parent had used the signal
        return inputEnd_.token().stop_requested() ? std::optional(terminated) : std::nullopt;
    }

private:
    struct Request {
        std::stop_source source;
        void operator()() { source.request_stop(); }
    };

    std::stop_source source_;
    Interruption interruption_;
    InputEnd inputEnd_;
    std::stop_callback<Request> onSignal_{interruption_.token(), Request{source_}};
    std::stop_callback<Request> onInputEnd_{inputEnd_.token(), Request{source_}};
};

} // namespace loadline::app
