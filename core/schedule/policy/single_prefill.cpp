// One step: take a prompt, decode everyone, prefill a chunk.
#include "core/schedule/policy/single_prefill.h"

#include <algorithm>
#include <utility>

namespace loadline {

SinglePrefill::SinglePrefill(const SinglePrefillConfig& config, bool listQueues)
    : config_(config), listQueues_(listQueues) {}

void SinglePrefill::add(RequestIndex index, const ScheduleRequest& request, std::int64_t /*arrival*/) {
    Tokens prompt = request.promptTokens;
    if (config_.promptCap > 0) {
        prompt = std::min(prompt, config_.promptCap);
    }
    waiting_.push_back({.index = index,
                        .left = request.promptTokens <= config_.freePrompt
                                    ? 0
                                    : std::max<Tokens>(prompt - request.cachedTokens, 1),
                        .outputs = request.outputTokens});
    arrived_.push_back(index);
}

const Step& SinglePrefill::step(std::int64_t t) {
    step_.t = t;
    step_.arrived.swap(arrived_);
    arrived_.clear();
    step_.scheduled.clear();
    step_.admitted.clear();
    step_.emitted.clear();
    step_.finished.clear();
    if (!prompt_) {
        beginPrompt();
    }
    decode();
    prefill();
    step_.runningCount = static_cast<std::int64_t>(decoding_.size()) + (prompt_ ? 1 : 0);
    step_.waitingCount = static_cast<std::int64_t>(waiting_.size());
    listQueues();
    if (!step_.finished.empty()) {
        std::erase_if(decoding_, [](const Row& row) { return row.outputs == 0; });
    }
    if (prompt_ && prompt_->left == 0) {
        decoding_.push_back(*prompt_);
        prompt_.reset();
    }
    return step_;
}

void SinglePrefill::beginPrompt() {
    while (!waiting_.empty() && static_cast<std::int64_t>(decoding_.size()) < config_.maxSeqs &&
           static_cast<Tokens>(decoding_.size()) < config_.budgetTokens) {
        const Row row = waiting_.front();
        waiting_.pop_front();
        step_.admitted.push_back(row.index);
        if (row.left > 0) {
            prompt_ = row;
            return;
        }
        decoding_.push_back(row);
    }
}

void SinglePrefill::decode() {
    step_.total = static_cast<Tokens>(decoding_.size());
    for (Row& row : decoding_) {
        step_.scheduled.push_back({row.index, 1});
        step_.emitted.push_back(row.index);
        if (--row.outputs == 0) {
            step_.finished.push_back(row.index);
        }
    }
}

void SinglePrefill::prefill() {
    if (!prompt_) {
        return;
    }
    const Tokens chunk =
        std::min({config_.chunkTokens, config_.budgetTokens - static_cast<Tokens>(decoding_.size()),
                  prompt_->left}); // 1 or more: while a prompt waits nobody joins those who decode
    prompt_->left -= chunk;
    step_.total += chunk;
    step_.scheduled.push_back({prompt_->index, static_cast<std::int32_t>(chunk)});
}

void SinglePrefill::listQueues() {
    if (!listQueues_) {
        return;
    }
    step_.running.clear();
    step_.waiting.clear();
    for (const Row& row : decoding_) {
        step_.running.push_back(row.index);
    }
    if (prompt_) {
        step_.running.push_back(prompt_->index);
    }
    for (const Row& row : waiting_) {
        step_.waiting.push_back(row.index);
    }
}

Obstacle SinglePrefill::obstacle() const {
    const RequestIndex index = prompt_            ? prompt_->index
                               : waiting_.empty() ? decoding_.front().index
                                                  : waiting_.front().index;
    return {index, "is never taken into a step"};
}

} // namespace loadline
