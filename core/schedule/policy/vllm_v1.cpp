// schedule() and update of vLLM V1.
#include "core/schedule/policy/vllm_v1.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace loadline {

VllmV1::VllmV1(const VllmConfig& config, bool listQueues)
    : config_(config), listQueues_(listQueues),
      reserve_(config.schedulerReserveFullIsl && config.version == VllmVersion::Latest), blocks_(config) {
    if (config.version == VllmVersion::Latest) {
        watermark_ = static_cast<std::int64_t>(config.watermark * static_cast<double>(config.numGpuBlocks));
    }
}

std::int64_t VllmV1::blocksFor(Tokens tokens) const {
    return (tokens + config_.blockSize - 1) / config_.blockSize;
}

void VllmV1::add(RequestIndex index, const ScheduleRequest& request, std::int64_t arrival) {
    Row row = static_cast<Row>(reach_.size());
    if (spareRows_.empty()) {
        reach_.emplace_back();
        detail_.emplace_back();
    } else {
        row = spareRows_.back();
        spareRows_.pop_back();
    }
    const Tokens wanted = request.promptTokens + request.outputTokens;
    reach_[row] = {.length = request.promptTokens,
                   .limit = std::min(wanted, config_.maxModelLen),
                   .wanted = wanted,
                   .index = index};
    detail_[row] = {.id = request.id, .priority = request.priority, .arrival = arrival};
    blocks_.open(static_cast<std::size_t>(row), request);
    if (config_.policy == VllmPolicy::Priority) {
        insertByPriority(row);
    } else {
        waiting_.push_back(row);
    }
    arrived_.push_back(index);
}

bool VllmV1::goesBefore(Row one, Row other) const {
    const Detail& a = detail_[one];
    const Detail& b = detail_[other];
    if (a.priority != b.priority) {
        return a.priority < b.priority;
    }
    if (a.arrival != b.arrival) {
        return a.arrival < b.arrival;
    }
    return std::to_string(a.id) < std::to_string(b.id); // vLLM's ids are text
}

void VllmV1::insertByPriority(Row row) {
    const auto place = std::upper_bound(waiting_.begin(), waiting_.end(), row,
                                        [this](Row a, Row b) { return goesBefore(a, b); });
    waiting_.insert(place, row);
}

void VllmV1::enqueueFirst(Row row) {
    if (config_.policy == VllmPolicy::Priority) {
        insertByPriority(row);
    } else {
        waiting_.push_front(row);
    }
}

const Step& VllmV1::step(std::int64_t t) {
    if (steady_ && !admits() && steadyStep(t)) {
        return step_;
    }
    leaveSteady();
    clearStep(t);
    scheduleRunning();
    admitWaiting();
    advance();
    update();
    enterSteady();
    return step_;
}

void VllmV1::clearStep(std::int64_t t) {
    step_.t = t;
    step_.arrived.swap(arrived_);
    arrived_.clear();
    step_.scheduled.clear();
    step_.admitted.clear();
    step_.resumed.clear();
    step_.hits.clear();
    step_.preempted.clear();
    step_.emitted.clear();
    step_.finished.clear();
    step_.updateOf.reset();
    planned_.clear();
    emitting_.clear();
    budget_ = config_.maxNumBatchedTokens;
}

Tokens VllmV1::demand(const Reach& reach) const {
    if (reach.placeholders > 0 && reach.computed + 2 - reach.placeholders >= reach.wanted) {
        return 0; // the token in flight is its last
    }
    Tokens tokens = reach.length + reach.placeholders - reach.computed;
    if (config_.longPrefillTokenThreshold > 0) {
        tokens = std::min(tokens, config_.longPrefillTokenThreshold);
    }
    return std::min({tokens, budget_, config_.maxModelLen - 1 - reach.computed});
}

/// True if the request's demand is one token, and it has the block for it: most rows of most steps.
inline bool VllmV1::decodesInPlace(const Reach& reach) const {
    return reach.computed + 1 == reach.length && reach.computed < reach.capacity && reach.placeholders == 0 &&
           reach.length < config_.maxModelLen;
}

void VllmV1::scheduleRunning() {
    for (std::size_t place = 0; place < running_.size() && budget_ > 0;) {
        const Row row = running_[place];
        if (decodesInPlace(reach_[row])) {
            blocks_.publish(static_cast<std::size_t>(row), reach_[row].length);
            plan(row, 1);
            ++place;
            continue;
        }
        const Tokens tokens = demand(reach_[row]);
        if (tokens <= 0) {
            ++place;
            continue;
        }
        while (!grow(row, tokens)) {
            preemptAt(victim(), place);
            if (!detail_[row].running) {
                return;
            }
        }
        plan(row, tokens);
        ++place;
    }
}

bool VllmV1::grow(Row row, Tokens tokens) {
    Reach& reach = reach_[row];
    const Tokens end = std::min(reach.computed + tokens, config_.maxModelLen);
    if (end > reach.capacity) {
        const std::int64_t needed = blocksFor(end - reach.capacity);
        const std::int64_t beside = config_.beside.of(reach.capacity + needed * config_.blockSize) -
                                    config_.beside.of(reach.capacity);
        if (needed + beside > blocks_.free()) {
            lacked_ = true;
            return false;
        }
        blocks_.take(static_cast<std::size_t>(row), needed, beside);
        reach.capacity += needed * config_.blockSize;
    }
    blocks_.publish(static_cast<std::size_t>(row), std::min(reach.computed + tokens, reach.length));
    return true;
}

std::size_t VllmV1::victim() const {
    if (config_.policy == VllmPolicy::Fcfs) {
        return running_.size() - 1;
    }
    std::size_t worst = 0;
    for (std::size_t place = 1; place < running_.size(); ++place) {
        const Detail& a = detail_[running_[worst]];
        const Detail& b = detail_[running_[place]];
        if (b.priority > a.priority || (b.priority == a.priority && b.arrival > a.arrival)) {
            worst = place;
        }
    }
    return worst;
}

/// `cursor` is the place being scheduled. As in vLLM it moves only when the victim had its tokens already.
void VllmV1::preemptAt(std::size_t place, std::size_t& cursor) {
    const Row row = running_[place];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(place));
    const auto planned = std::ranges::find(planned_, row, &Planned::row);
    if (planned != planned_.end()) {
        budget_ += planned->tokens;
        step_.scheduled.erase(step_.scheduled.begin() + (planned - planned_.begin()));
        planned_.erase(planned);
        --cursor;
    }
    blocks_.release(static_cast<std::size_t>(row));
    reach_[row].computed = 0;
    reach_[row].capacity = 0;
    detail_[row].preempted = true;
    detail_[row].running = false;
    enqueueFirst(row);
    step_.preempted.push_back(reach_[row].index);
}

bool VllmV1::admissionOpen() const {
    return !waiting_.empty() && static_cast<std::int64_t>(running_.size()) < config_.maxNumSeqs &&
           static_cast<Tokens>(running_.size()) < config_.maxNumBatchedTokens;
}

/// False if the next step admits nobody and none after it does before a running request ends: the first that
/// waits lacks room, and no prefix can be found for it meanwhile.
bool VllmV1::admits() {
    if (!admissionOpen()) {
        return false;
    }
    if (blocks_.caching() || !config_.enableChunkedPrefill || config_.policy != VllmPolicy::Fcfs) {
        return true;
    }
    const Reach& reach = reach_[waiting_.front()];
    const Tokens threshold = config_.longPrefillTokenThreshold;
    const Tokens tokens = std::min({reach.length, threshold > 0 ? threshold : reach.length,
                                    config_.maxNumBatchedTokens - static_cast<Tokens>(running_.size())});
    const std::int64_t asked = askedFor(reach, tokens);
    if (asked + besideOf(asked) + (running_.empty() ? 0 : watermark_) <= blocks_.free()) {
        return true;
    }
    lacked_ = true;
    return false;
}

/// Blocks to be free before its first `end` tokens are computed.
std::int64_t VllmV1::askedFor(const Reach& reach, Tokens end) const {
    const std::int64_t whole = blocksFor(std::min(reach.length, config_.maxModelLen));
    const std::int64_t first = blocksFor(std::min(end, config_.maxModelLen));
    return reserve_ ? std::max(whole, first) : first;
}

void VllmV1::admitWaiting() {
    if (!step_.preempted.empty()) {
        return;
    }
    std::size_t place = 0;
    while (place < waiting_.size() && budget_ > 0 &&
           static_cast<std::int64_t>(running_.size()) < config_.maxNumSeqs) {
        const Row row = waiting_[place];
        const Tokens length = reach_[row].length;
        const KvBlocks::Hit hit =
            blocks_.find(static_cast<std::size_t>(row), (length - 1) / config_.blockSize);
        Tokens tokens = length - hit.blocks * config_.blockSize;
        if (config_.longPrefillTokenThreshold > 0) {
            tokens = std::min(tokens, config_.longPrefillTokenThreshold);
        }
        if (!config_.enableChunkedPrefill && tokens > budget_) {
            if (config_.version != VllmVersion::October2025) {
                return;
            }
            ++place;
            continue;
        }
        if (!admit(row, hit, std::min(tokens, budget_))) {
            return;
        }
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place));
    }
}

bool VllmV1::admit(Row row, const KvBlocks::Hit& hit, Tokens tokens) {
    Reach& reach = reach_[row];
    const Tokens cached = hit.blocks * config_.blockSize;
    const std::int64_t besides = hit.idle - hit.blocks + (running_.empty() ? 0 : watermark_);
    const std::int64_t first = blocksFor(std::min(cached + tokens, config_.maxModelLen));
    const std::int64_t asked = askedFor(reach, cached + tokens);
    if (asked + besideOf(asked) + besides > blocks_.free()) {
        lacked_ = true;
        return false;
    }
    blocks_.takeHit(static_cast<std::size_t>(row));
    blocks_.take(static_cast<std::size_t>(row), first - hit.blocks, besideOf(first));
    reach.computed = cached;
    reach.capacity = first * config_.blockSize;
    blocks_.publish(static_cast<std::size_t>(row), std::min(cached + tokens, reach.length));
    Detail& detail = detail_[row];
    detail.running = true;
    running_.push_back(row);
    (detail.preempted ? step_.resumed : step_.admitted).push_back(reach.index);
    step_.hits.push_back({reach.index, static_cast<std::int32_t>(cached)});
    plan(row, tokens);
    return true;
}

/// The tokens count as computed before the forward pass runs; without asynchronous scheduling its outputs are
/// there at once.
void VllmV1::advance() {
    tellScheduled();
    for (const Planned& planned : planned_) {
        Reach& reach = reach_[planned.row];
        reach.computed += planned.tokens;
        if (reach.computed != reach.length + reach.placeholders) {
            continue;
        }
        if (config_.asyncScheduling) {
            emitting_.push_back(planned.row);
            ++reach.placeholders;
            continue;
        }
        step_.emitted.push_back(reach.index);
        if (++reach.length >= reach.limit) {
            finish(planned.row);
        }
    }
}

void VllmV1::tellScheduled() {
    step_.total = config_.maxNumBatchedTokens - budget_;
    step_.freeScheduled = blocks_.free();
    step_.besideScheduled = blocks_.beside();
    step_.runningCount = static_cast<std::int64_t>(running_.size());
    step_.waitingCount = static_cast<std::int64_t>(waiting_.size());
    listQueues();
}

void VllmV1::listQueues() {
    if (!listQueues_) {
        return;
    }
    step_.running.clear();
    step_.waiting.clear();
    for (const Row row : running_) {
        step_.running.push_back(reach_[row].index);
    }
    for (const Row row : waiting_) {
        step_.waiting.push_back(reach_[row].index);
    }
}

void VllmV1::update() {
    if (config_.asyncScheduling) {
        emitting_.swap(inFlight_);
        step_.updateOf = inFlightStep_;
        inFlightStep_ = step_.t;
        for (const Row row : emitting_) {
            emitInFlight(row);
        }
    }
    finishRows();
    step_.free = blocks_.free();
}

void VllmV1::emitInFlight(Row row) {
    Reach& reach = reach_[row];
    ++reach.length;
    step_.emitted.push_back(reach.index);
    --reach.placeholders;
    if (detail_[row].running) {
        blocks_.publish(static_cast<std::size_t>(row), reach.computed - reach.placeholders);
    }
    if (reach.length >= reach.limit) {
        finish(row);
    }
}

void VllmV1::finish(Row row) {
    Detail& detail = detail_[row];
    step_.finished.push_back(reach_[row].index);
    blocks_.release(static_cast<std::size_t>(row));
    detail.finished = true;
    someFinished_ = true;
    if (!detail.running) { // preempted with its last token in flight
        waiting_.erase(std::ranges::find(waiting_, row));
        spareRows_.push_back(row);
    }
}

void VllmV1::finishRows() {
    if (!someFinished_) {
        return;
    }
    someFinished_ = false;
    std::erase_if(running_, [this](Row row) {
        if (detail_[row].finished) {
            spareRows_.push_back(row);
        }
        return detail_[row].finished;
    });
}

Obstacle VllmV1::obstacle() {
    leaveSteady();
    const Row row = waiting_.empty() ? running_.front() : waiting_.front();
    const Tokens length = reach_[row].length;
    if (!config_.enableChunkedPrefill && length > config_.maxNumBatchedTokens) {
        return {reach_[row].index,
                fmt::format("has {} tokens to compute at once, the budget of a step is {}, and chunked "
                            "prefill is off",
                            length, config_.maxNumBatchedTokens)};
    }
    const std::int64_t blocks = blocksFor(length);
    return {reach_[row].index, fmt::format("needs {} blocks for its {} tokens, and {} are free",
                                           blocks + besideOf(blocks), length, blocks_.free())};
}

} // namespace loadline
