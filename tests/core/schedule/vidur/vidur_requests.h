// The base of Vidur's replica schedulers: requests, blocks by count, restarts.
#pragma once

#include "core/schedule/obstacle.h"
#include "core/schedule/scenario.h"
#include "core/schedule/step.h"
#include "vidur_config.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace loadline::test {

/// The base of a scheduler: queue of new requests, those under way, and one batch at a time. Preconditions:
/// those of checkScenario().
class VidurRequests {
public:
    void add(RequestIndex index, const ScheduleRequest& request, std::int64_t arrival);

    [[nodiscard]] bool idle() const { return queue_.empty() && underWay_.empty(); }

    /// Precondition: !idle().
    [[nodiscard]] Obstacle obstacle() const;

protected:
    struct Request {
        RequestIndex index = 0;
        Tokens prompt = 0; ///< after a restart: all that was processed before
        Tokens total = 0;
        Tokens processed = 0; ///< the first output token counts as soon as the prompt is done
        std::int64_t arrival = 0;
        std::int64_t blocks = -1; ///< -1: none were ever claimed
        bool prefilled = false;
    };

    struct Batched {
        Request request;
        Tokens tokens = 0;
    };

    VidurRequests(const VidurConfig& config, bool listQueues);

    void begin(std::int64_t t);
    /// Runs the batch and notes what came of it.
    const Step& end();
    [[nodiscard]] bool canClaim(const Request& request) const;
    void claim(Request& request);
    void schedule(const Request& request, Tokens tokens);
    /// Puts a request back to the front of the queue; its blocks are given back.
    void restart(Request request);
    /// Claims a block for a decode, restarting others from the back and at last the request itself; false
    /// then.
    bool claimByForce(Request& request);
    /// Sorts the requests under way by arrival; equal ones keep their order.
    void sortUnderWay();

    [[nodiscard]] bool capReached() const {
        return static_cast<std::int64_t>(batch_.size()) == config_.batchSizeCap;
    }

    VidurConfig config_;
    std::int64_t watermark_ = 0; ///< blocks
    std::int64_t allocated_ = 0; ///< blocks
    std::int64_t holders_ = 0;   ///< requests that hold blocks
    std::deque<Request> queue_;
    std::deque<Request> underWay_;
    std::vector<Batched> batch_;
    Step step_;

private:
    std::vector<RequestIndex> arrived_;
    bool listQueues_;
};

} // namespace loadline::test
