// The closed loop on its clock.
#include "core/validate/serving_run.h"

#include "core/cost/engine/capture_sizes.h"
#include "core/schedule/policy/vllm_v1.h"
#include "core/schedule/stand_still.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace loadline {
namespace {

constexpr double usPerMs = 1e3;
constexpr double usPerSecondOfRun = 1e6;

/// A request in the engine; small, as every scheduled token looks at one.
struct ServedTokens {
    std::int32_t prompt = 0;
    std::int32_t computed = 0; ///< KV exists or is in flight
    std::int32_t length = 0;   ///< prompt and outputs scheduled so far
};

/// Instants at which a client sees its request.
struct ClientTimes {
    double sentUs = 0;
    double firstUs = 0;
    double lastUs = 0;
};

/// A prompt on its way through the front end.
struct TokenisedPrompt {
    RequestIndex request = 0;
    double arrivalUs = 0;
};

/// Tokens of one step that are still to be handed out.
struct StepOutputs {
    std::vector<RequestIndex> firsts; ///< requests whose first token it is
    std::int64_t tokens = 0;
};

class ServingLoop {
public:
    ServingLoop(const ServingPlan& plan, const ServingSetup& setup, StepPrices& prices)
        : plan_(plan), prices_(prices), config_(schedulerConfigOf(setup)), engine_(config_),
          padding_(setup.engine), tokeniser_(setup.frontEnd),
          outputQueue_(setup.frontEnd, setup.engine.streamInterval) {
        for (const PlannedRequest& request : plan.requests) {
            const auto prompt = static_cast<std::int32_t>(request.prompt);
            served_.push_back({.prompt = prompt, .length = prompt});
            still_.begin(request.prompt, request.output);
        }
        times_.resize(plan.requests.size());
    }

    Status run(const std::stop_token& stop) {
        for (std::int64_t user = 0; user < plan_.users; ++user) {
            send(0);
        }
        for (std::int64_t k = 0;; ++k) {
            constexpr std::int64_t stepsUnwatched = 1024;
            if (k % stepsUnwatched == 0 && stop.stop_requested()) {
                return Error{"the simulation of a server was stopped", "", ""};
            }
            double nowUs = config_.asyncScheduling ? endBeforeUs_ : endUs_;
            if (engine_.idle()) {
                if (tokenised_.empty()) {
                    return Done{};
                }
                nowUs = std::max(endUs_, tokenised_.front().arrivalUs);
            }
            admitUntil(nowUs);
            if (auto status = pass(engine_.step(k), nowUs); !status) {
                return status;
            }
        }
    }

    [[nodiscard]] ServingFigures figures() const {
        ServingFigures figures = figures_;
        double ttftUs = 0;
        double burstUs = 0;
        double tpotUs = 0;
        std::int64_t severalTokens = 0;
        for (std::size_t i = 0; i < times_.size(); ++i) {
            const ClientTimes& times = times_[i];
            const double ownUs = times.firstUs - times.sentUs;
            ttftUs += ownUs;
            burstUs += static_cast<std::int64_t>(i) < plan_.users ? ownUs : 0;
            const Tokens output = outputOf(static_cast<RequestIndex>(i));
            if (output > 1) {
                ++severalTokens;
                tpotUs += (times.lastUs - times.firstUs) / static_cast<double>(output - 1);
            }
            figures.durationS = std::max(figures.durationS, times.lastUs / usPerSecondOfRun);
        }
        const auto count = static_cast<double>(times_.size());
        const double first = std::min(static_cast<double>(plan_.users), count);
        figures.ttftMs = count > 0 ? ttftUs / count / usPerMs : 0;
        figures.burstTtftMs = first > 0 ? burstUs / first / usPerMs : 0;
        figures.tpotMs = severalTokens > 0 ? tpotUs / static_cast<double>(severalTokens) / usPerMs : 0;
        figures.isKvBound = engine_.lackedBlocks();
        return figures;
    }

private:
    /// Outputs end at the longest length that the server allows.
    [[nodiscard]] Tokens outputOf(RequestIndex request) const {
        const PlannedRequest& planned = plan_.requests[static_cast<std::size_t>(request)];
        return std::min(planned.output, config_.maxModelLen - planned.prompt);
    }

    /// A user sends the next prompt, if there is one.
    void send(double atUs) {
        if (nextToSend_ == plan_.requests.size()) {
            return;
        }
        times_[nextToSend_].sentUs = atUs;
        tokenised_.push_back({.request = static_cast<RequestIndex>(nextToSend_),
                              .arrivalUs = tokeniser_.arrivalUs(atUs, plan_.requests[nextToSend_].prompt)});
        ++nextToSend_;
    }

    void admitUntil(double nowUs) {
        for (; !tokenised_.empty() && tokenised_.front().arrivalUs <= nowUs; tokenised_.pop_front()) {
            const RequestIndex index = tokenised_.front().request;
            const PlannedRequest& planned = plan_.requests[static_cast<std::size_t>(index)];
            request_.id = index;
            request_.promptTokens = planned.prompt;
            request_.outputTokens = planned.output;
            engine_.add(index, request_, index);
        }
    }

    Status pass(const Step& step, double nowUs) {
        readWork(step);
        double us = 0;
        if (work_.rows > 0) {
            us = prices_.us(work_);
            if (!std::isfinite(us) || us < 0) {
                return Error{fmt::format("a step of {} rows has no usable time", work_.rows), "", ""};
            }
            ++figures_.steps;
            figures_.busyS += us / usPerSecondOfRun;
        }
        const double startUs = std::max(nowUs, endUs_);
        endBeforeUs_ = endUs_;
        endUs_ = startUs + us;
        if (config_.asyncScheduling) {
            handOut(inFlight_, step, endBeforeUs_);
            std::swap(inFlight_, present_);
        } else {
            handOut(present_, step, endUs_);
        }
        if (still_.isReachedBy(step)) {
            const Obstacle obstacle = engine_.obstacle();
            return Error{fmt::format("request {} waits for ever: it {}", obstacle.request, obstacle.why), "",
                         "more memory for the KV cache, or shorter requests"};
        }
        return Done{};
    }

    /// Fills work_ and present_.
    void readWork(const Step& step) {
        for (const RequestIndex request : step.preempted) {
            served_[static_cast<std::size_t>(request)].computed = 0;
            ++figures_.preemptions;
        }
        work_.decodes = 0;
        work_.decodeContext = 0;
        work_.chunks.clear();
        work_.sampledRows = 0;
        present_.firsts.clear();
        for (const RequestTokens& scheduled : step.scheduled) {
            ServedTokens& served = served_[static_cast<std::size_t>(scheduled.request)];
            if (scheduled.tokens == 1 && served.computed >= served.prompt) {
                ++served.computed;
                ++work_.decodes;
                work_.decodeContext += served.computed;
            } else {
                work_.chunks.push_back({.added = scheduled.tokens, .cached = served.computed});
                served.computed += scheduled.tokens;
                if (served.computed == served.length && served.length == served.prompt) {
                    present_.firsts.push_back(scheduled.request);
                }
            }
            const bool isSampled = served.computed == served.length;
            served.length += isSampled ? 1 : 0;
            work_.sampledRows += isSampled ? 1 : 0;
        }
        present_.tokens = work_.sampledRows;
        work_.rows = step.scheduled.empty() ? 0 : step.total;
        const PaddedRows padded = padding_.of(work_.rows, work_.chunks.empty());
        work_.paddedRows = padded.rows;
        work_.isCaptured = padded.isCaptured;
    }

    /// The tokens of the step that ended at `us` go to their clients, and whoever has its last sends anew.
    void handOut(const StepOutputs& outputs, const Step& step, double us) {
        if (outputs.tokens == 0) {
            return;
        }
        const auto apart = static_cast<std::int64_t>(outputs.firsts.size() + step.finished.size());
        outputQueue_.begin(us, std::max<std::int64_t>(0, outputs.tokens - apart));
        for (const RequestIndex request : step.finished) {
            const PlannedRequest& planned = plan_.requests[static_cast<std::size_t>(request)];
            still_.end(planned.prompt, planned.output);
            times_[static_cast<std::size_t>(request)].lastUs = outputQueue_.nextUs();
        }
        for (const RequestIndex request : outputs.firsts) {
            ClientTimes& times = times_[static_cast<std::size_t>(request)];
            // The only token of a request is its last one, too.
            times.firstUs = times.lastUs > 0 ? times.lastUs : outputQueue_.nextUs();
        }
        for (const RequestIndex request : step.finished) {
            send(times_[static_cast<std::size_t>(request)].lastUs);
        }
    }

    const ServingPlan& plan_;
    StepPrices& prices_;
    VllmConfig config_;
    VllmV1 engine_;
    RowPadding padding_;
    Tokeniser tokeniser_;
    OutputQueue outputQueue_;
    std::vector<ServedTokens> served_;
    std::vector<ClientTimes> times_;
    std::deque<TokenisedPrompt> tokenised_; ///< in the order of their arrival
    std::size_t nextToSend_ = 0;
    ScheduleRequest request_;
    StepWork work_;
    StepOutputs present_;
    StepOutputs inFlight_;   ///< asynchronous: of the step before
    double endUs_ = 0;       ///< of the last step
    double endBeforeUs_ = 0; ///< of the one before it
    ServingFigures figures_;
    StandStill still_;
};

} // namespace

VllmConfig schedulerConfigOf(const ServingSetup& setup) {
    // Releases by the dates of VllmVersion: 0.11 is of 2025-10, 0.12 of 2025-12, 0.18 of 2026-03; 0.19
    // reserves whole prompts and still frees to the back.
    constexpr EngineVersion firstOf2026Rules{.major = 0, .minor = 12};
    constexpr EngineVersion firstReserving{.major = 0, .minor = 19};
    constexpr EngineVersion afterBackOnly{.major = 0, .minor = 20};
    const EngineSettings& engine = setup.engine;
    VllmConfig config;
    config.maxNumBatchedTokens = engine.maxNumBatchedTokens;
    config.maxNumSeqs = engine.maxNumSeqs;
    config.enablePrefixCaching = false;
    config.blockSize = tokensPerKvBlock;
    config.numGpuBlocks = setup.kvBlocks;
    config.maxModelLen = engine.maxModelLen.value_or(config.maxModelLen);
    config.asyncScheduling = engine.asyncScheduling;
    config.version = engine.version >= firstReserving     ? VllmVersion::Latest
                     : engine.version >= firstOf2026Rules ? VllmVersion::March2026
                                                          : VllmVersion::October2025;
    config.freedBlocksToBack = engine.version >= firstReserving && engine.version < afterBackOnly;
    return config;
}

Result<ServingFigures> runServing(const ServingPlan& plan, const ServingSetup& setup, StepPrices& prices,
                                  const std::stop_token& stop) {
    const VllmConfig config = schedulerConfigOf(setup);
    constexpr std::int64_t fewestBlocks = 2;
    constexpr std::int64_t mostBlocks = std::int64_t{1} << 24; // as of a scenario
    if (setup.kvBlocks < fewestBlocks) {
        return Error{"the model leaves no memory for the KV cache", "", "more GPUs, or smaller weights"};
    }
    for (const PlannedRequest& request : plan.requests) {
        if (request.prompt >= config.maxModelLen) {
            return Error{fmt::format("the server refuses a prompt of {} tokens: max_model_len is {}",
                                     request.prompt, config.maxModelLen),
                         "", "a larger max_model_len"};
        }
    }
    ServingSetup bounded = setup;
    bounded.kvBlocks = std::min(setup.kvBlocks, mostBlocks);
    ServingLoop loop(plan, bounded, prices);
    if (auto status = loop.run(stop); !status) {
        return status.error();
    }
    return loop.figures();
}

} // namespace loadline
