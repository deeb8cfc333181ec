// One call: decode, admit, last prompt tokens, prefill.
#include "core/schedule/policy/mlx_batch.h"

#include <algorithm>
#include <utility>

namespace loadline {

MlxBatch::MlxBatch(const MlxConfig& config) : config_(config) {
    config_.completionBatchSize = std::max(config.completionBatchSize, config.prefillBatchSize);
}

Tokens MlxBatch::Batch::longest() const {
    Tokens longest = 0;
    for (const Row& row : rows) {
        longest = std::max(longest, row.length);
    }
    return longest;
}

std::vector<RequestIndex> MlxBatch::indices(const Batch& batch) {
    std::vector<RequestIndex> result;
    for (const Row& row : batch.rows) {
        result.push_back(row.index);
    }
    return result;
}

void MlxBatch::add(RequestIndex index, const ScheduleRequest& request, std::int64_t /*arrival*/) {
    waiting_.push_back({.index = index,
                        .left = request.promptTokens - 1 - request.cachedTokens,
                        .length = request.cachedTokens,
                        .outputs = request.outputTokens});
    arrived_.push_back(index);
}

const Step& MlxBatch::step(std::int64_t t) {
    step_ = {};
    step_.t = t;
    step_.arrived = std::exchange(arrived_, {});
    decode();
    if (static_cast<std::int64_t>(generation_.rows.size()) < config_.completionBatchSize) {
        admit();
        computeLast();
        prefill();
    }
    step_.runningCount = static_cast<std::int64_t>(generation_.rows.size() + prompt_.rows.size());
    step_.waitingCount = static_cast<std::int64_t>(waiting_.size());
    step_.generating = indices(generation_);
    step_.prompting = indices(prompt_);
    step_.generationKvWidth = generation_.width;
    for (const MlxForward& forward : step_.forwards) {
        step_.total += static_cast<Tokens>(forward.rows.size()) * forward.length;
    }
    return step_;
}

void MlxBatch::decode() {
    if (generation_.rows.empty()) {
        return;
    }
    ++generation_.width;
    step_.forwards.push_back({.kind = ForwardKind::Decode,
                              .rows = indices(generation_),
                              .length = 1,
                              .kvWidth = generation_.width,
                              .tokens = {}});
    for (Row& row : generation_.rows) {
        ++row.length;
        step_.emitted.push_back(row.index);
        if (--row.outputs == 0) {
            step_.finished.push_back(row.index);
        }
    }
    if (std::erase_if(generation_.rows, [](const Row& row) { return row.outputs == 0; }) > 0) {
        generation_.width = generation_.longest();
    }
}

void MlxBatch::admit() {
    const std::int64_t places =
        std::min(config_.prefillBatchSize - static_cast<std::int64_t>(prompt_.rows.size()),
                 config_.completionBatchSize - static_cast<std::int64_t>(generation_.rows.size()));
    for (std::int64_t i = 0; i < places && !waiting_.empty(); ++i) {
        prompt_.rows.push_back(waiting_.front());
        prompt_.width = std::max(prompt_.width, waiting_.front().length);
        waiting_.pop_front();
    }
}

void MlxBatch::computeLast() {
    Batch ready;
    std::erase_if(prompt_.rows, [&ready](const Row& row) {
        if (row.left == 0) {
            ready.rows.push_back(row);
        }
        return row.left == 0;
    });
    if (ready.rows.empty()) {
        return;
    }
    prompt_.width = prompt_.longest();
    ready.width = ready.longest() + 1;
    step_.forwards.push_back({.kind = ForwardKind::Last,
                              .rows = indices(ready),
                              .length = 1,
                              .kvWidth = ready.width,
                              .tokens = {}});
    generation_.width = std::max(generation_.width, ready.width);
    for (Row& row : ready.rows) {
        ++row.length;
        generation_.rows.push_back(row);
    }
}

void MlxBatch::prefill() {
    if (prompt_.rows.empty()) {
        return;
    }
    MlxForward forward;
    forward.kind = ForwardKind::Prefill;
    forward.rows = indices(prompt_);
    for (Row& row : prompt_.rows) {
        const Tokens tokens = std::min(row.left, config_.prefillStepSize);
        row.left -= tokens;
        row.length += tokens;
        forward.tokens.push_back(tokens);
        forward.length = std::max(forward.length, tokens);
    }
    prompt_.width += forward.length;
    forward.kvWidth = prompt_.width;
    step_.forwards.push_back(std::move(forward));
}

Obstacle MlxBatch::obstacle() const {
    const RequestIndex index = !waiting_.empty()      ? waiting_.front().index
                               : prompt_.rows.empty() ? generation_.rows.front().index
                                                      : prompt_.rows.front().index;
    return {index, "is never taken into a batch"};
}

} // namespace loadline
