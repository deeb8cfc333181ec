// Stretches in which every running request decodes one token per step and nobody can be admitted.
#include "core/schedule/policy/vllm_v1.h"

#include <algorithm>

namespace loadline {

/// The lag at which the request next needs a block, fills one that can then be found, or finishes.
std::int64_t VllmV1::nextEvent(const Reach& reach, std::int64_t lag) const {
    const Tokens left = reach.capacity - (reach.computed + lag);
    const std::int64_t block = lag + (blocks_.caching() && left > 0 ? left : left + 1);
    return std::min(block, reach.limit - reach.length);
}

void VllmV1::enterSteady() {
    const bool decodesAlone = !config_.asyncScheduling && step_.finished.empty() && step_.admitted.empty() &&
                              step_.resumed.empty() && step_.preempted.empty() && !running_.empty() &&
                              step_.total == step_.runningCount && step_.emitted.size() == running_.size();
    if (!decodesAlone || admits()) {
        return;
    }
    steady_ = true;
    lag_ = 0;
    eventAt_.clear();
    for (const Row row : running_) {
        eventAt_.push_back(nextEvent(reach_[row], 0));
    }
    next_ = *std::ranges::min_element(eventAt_);
}

void VllmV1::leaveSteady() {
    if (!steady_) {
        return;
    }
    for (const Row row : running_) {
        reach_[row].computed += lag_;
        reach_[row].length += lag_;
    }
    steady_ = false;
    lag_ = 0;
}

/// False: something ends or does not fit, and the step is to be made in full.
bool VllmV1::steadyStep(std::int64_t t) {
    if (lag_ + 1 == next_ && !steadyEvents()) {
        return false;
    }
    ++lag_;
    step_.t = t;
    step_.arrived.clear();
    if (!arrived_.empty()) {
        step_.arrived.swap(arrived_);
        step_.waitingCount = static_cast<std::int64_t>(waiting_.size());
        listQueues();
    }
    step_.freeScheduled = blocks_.free();
    step_.free = step_.freeScheduled;
    step_.besideScheduled = blocks_.beside();
    return true;
}

bool VllmV1::steadyEvents() {
    const std::int64_t lag = lag_ + 1;
    std::int64_t needed = 0;
    for (std::size_t place = 0; place < eventAt_.size(); ++place) {
        if (eventAt_[place] == lag) {
            const Reach& reach = reach_[running_[place]];
            if (reach.length + lag >= reach.limit) {
                return false;
            }
            needed += reach.computed + lag > reach.capacity ? 1 + besideNext(reach.capacity) : 0;
        }
    }
    if (needed > blocks_.free()) {
        lacked_ = true;
        return false;
    }
    for (std::size_t place = 0; place < eventAt_.size(); ++place) {
        if (eventAt_[place] != lag) {
            continue;
        }
        const Row row = running_[place];
        Reach& reach = reach_[row];
        if (reach.computed + lag > reach.capacity) {
            blocks_.take(static_cast<std::size_t>(row), 1, besideNext(reach.capacity));
            reach.capacity += config_.blockSize;
        }
        blocks_.publish(static_cast<std::size_t>(row), reach.computed + lag);
        eventAt_[place] = nextEvent(reach, lag);
    }
    next_ = *std::ranges::min_element(eventAt_);
    return true;
}

} // namespace loadline
