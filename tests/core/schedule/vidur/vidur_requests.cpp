// Claims, restarts and the end of a batch.
#include "vidur_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline::test {

VidurRequests::VidurRequests(const VidurConfig& config, bool listQueues)
    : config_(config), watermark_(static_cast<std::int64_t>(config.watermarkBlocksFraction *
                                                            static_cast<double>(config.numBlocks))),
      listQueues_(listQueues) {}

void VidurRequests::add(RequestIndex index, const ScheduleRequest& request, std::int64_t arrival) {
    queue_.push_back({.index = index,
                      .prompt = request.promptTokens,
                      .total = request.promptTokens + request.outputTokens,
                      .arrival = arrival});
    arrived_.push_back(index);
}

void VidurRequests::begin(std::int64_t t) {
    step_ = {};
    step_.t = t;
    step_.arrived = std::exchange(arrived_, {});
    batch_.clear();
}

bool VidurRequests::canClaim(const Request& request) const {
    const std::int64_t free = config_.numBlocks - allocated_;
    if (request.blocks >= 0) {
        return free >= 1; // also where none is needed
    }
    return free - (request.prompt + config_.blockSize - 1) / config_.blockSize >= watermark_;
}

void VidurRequests::claim(Request& request) {
    if (request.blocks < 0) {
        request.blocks = (request.prompt + config_.blockSize - 1) / config_.blockSize;
        allocated_ += request.blocks;
        ++holders_;
    } else if (request.processed > request.blocks * config_.blockSize) {
        ++request.blocks;
        ++allocated_;
    }
}

void VidurRequests::schedule(const Request& request, Tokens tokens) {
    batch_.push_back({request, tokens});
    step_.scheduled.push_back({request.index, static_cast<std::int32_t>(tokens)});
    step_.total += tokens;
}

void VidurRequests::restart(Request request) {
    allocated_ -= request.blocks;
    --holders_;
    request.blocks = -1;
    request.prompt = request.processed;
    request.processed = 0;
    request.prefilled = false;
    step_.preempted.push_back(request.index);
    queue_.push_front(request);
}

bool VidurRequests::claimByForce(Request& request) {
    while (!canClaim(request)) {
        if (underWay_.empty()) {
            restart(request);
            return false;
        }
        restart(underWay_.back());
        underWay_.pop_back();
    }
    claim(request);
    return true;
}

void VidurRequests::sortUnderWay() {
    std::ranges::stable_sort(underWay_, {}, &Request::arrival);
}

const Step& VidurRequests::end() {
    step_.freeScheduled = config_.numBlocks - allocated_;
    for (Batched& batched : batch_) {
        Request& request = batched.request;
        request.processed += batched.tokens;
        const bool promptDone = request.processed == request.prompt;
        if (promptDone) {
            request.prefilled = true;
            ++request.processed;
        }
        if (request.prefilled) {
            step_.emitted.push_back(request.index);
        }
        if (request.processed == request.total) {
            step_.finished.push_back(request.index);
            allocated_ -= request.blocks;
            --holders_;
        } else {
            underWay_.push_back(request);
        }
    }
    step_.free = config_.numBlocks - allocated_;
    step_.runningCount = static_cast<std::int64_t>(underWay_.size());
    step_.waitingCount = static_cast<std::int64_t>(queue_.size());
    if (!listQueues_) {
        return step_;
    }
    for (const Request& request : underWay_) {
        step_.running.push_back(request.index);
    }
    for (const Request& request : queue_) {
        step_.waiting.push_back(request.index);
    }
    return step_;
}

Obstacle VidurRequests::obstacle() const {
    if (queue_.empty()) {
        return {underWay_.front().index, "is never taken into a batch"};
    }
    const Request& first = queue_.front();
    return {first.index,
            fmt::format("has {} tokens to compute, {} blocks are free, {} of them are kept back, "
                        "and a step takes {} tokens",
                        first.prompt, config_.numBlocks - allocated_, watermark_,
                        config_.scheduler == VidurScheduler::Sarathi ? config_.chunkSize
                                                                     : config_.maxTokensInBatch)};
}

} // namespace loadline::test
