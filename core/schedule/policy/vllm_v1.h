// vLLM V1's scheduler, exact: one step is one call of schedule(), the forward pass and update.
#pragma once

#include "core/schedule/kv/kv_blocks.h"
#include "core/schedule/obstacle.h"
#include "core/schedule/scenario.h"
#include "core/schedule/step.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

namespace loadline {

/// Preconditions: those of checkScenario() on the configuration and on every request that is added.
/// Requests live in rows that are used again, so memory follows the most that are unfinished at once. A
/// stretch in which all running requests decode costs one comparison per step, and per block that fills up.
class VllmV1 {
public:
    /// `listQueues`: Step::running and Step::waiting are filled.
    explicit VllmV1(const VllmConfig& config, bool listQueues = false);

    /// Joins the waiting queue. `arrival` decides between equal priorities.
    void add(RequestIndex index, const ScheduleRequest& request, std::int64_t arrival);
    /// The next step, at logical time `t`; valid until the next call.
    const Step& step(std::int64_t t);

    /// All that were added are finished.
    [[nodiscard]] bool idle() const { return running_.empty() && waiting_.empty(); }

    /// True if blocks were too few so far: somebody waited or was preempted for want of them, or one that
    /// could be found in the prefix cache was used again. If false, more blocks would have changed nothing.
    [[nodiscard]] bool lackedBlocks() const { return lacked_ || blocks_.forgot(); }

    /// Returns who stands first in the queue and what it lacks. Precondition: !idle().
    [[nodiscard]] Obstacle obstacle();

private:
    using Row = std::int32_t;

    /// Tokens of a request, counted from the start of its prompt.
    struct Reach {
        Tokens computed = 0;     ///< KV exists or is in flight
        Tokens length = 0;       ///< prompt and outputs so far
        Tokens capacity = 0;     ///< of the blocks held
        Tokens limit = 0;        ///< it ends at this length
        Tokens wanted = 0;       ///< prompt and all outputs it asked for; limit may be less
        Tokens placeholders = 0; ///< asynchronous: outputs in flight
        RequestIndex index = 0;
    };

    struct Detail {
        std::int64_t id = 0;
        std::int64_t priority = 0;
        std::int64_t arrival = 0;
        bool preempted = false; ///< ever
        bool running = false;
        bool finished = false;
    };

    struct Planned {
        Row row = 0;
        Tokens tokens = 0;
    };

    void clearStep(std::int64_t t);
    void scheduleRunning();
    void admitWaiting();
    bool admit(Row row, const KvBlocks::Hit& hit, Tokens tokens);
    bool grow(Row row, Tokens tokens);
    void preemptAt(std::size_t place, std::size_t& cursor);
    void plan(Row row, Tokens tokens) {
        planned_.push_back({row, tokens});
        step_.scheduled.push_back({reach_[row].index, static_cast<std::int32_t>(tokens)});
        budget_ -= tokens;
    }
    void advance();
    void tellScheduled();
    void update();
    void emitInFlight(Row row);
    void finish(Row row);
    void finishRows();
    void enqueueFirst(Row row);
    void insertByPriority(Row row);
    void listQueues();
    [[nodiscard]] Tokens demand(const Reach& reach) const;
    [[nodiscard]] bool decodesInPlace(const Reach& reach) const;
    [[nodiscard]] std::size_t victim() const;
    [[nodiscard]] bool goesBefore(Row one, Row other) const;
    [[nodiscard]] bool admissionOpen() const;
    [[nodiscard]] bool admits();
    [[nodiscard]] std::int64_t askedFor(const Reach& reach, Tokens end) const;
    [[nodiscard]] std::int64_t blocksFor(Tokens tokens) const;
    /// Returns the blocks beside the tokens (BlocksBeside) for so many blocks of tokens.
    [[nodiscard]] std::int64_t besideOf(std::int64_t blocks) const {
        return config_.beside.of(blocks * config_.blockSize);
    }

    /// Returns the blocks beside the tokens that one more block of tokens adds.
    [[nodiscard]] std::int64_t besideNext(Tokens capacity) const {
        return config_.beside.of(capacity + config_.blockSize) - config_.beside.of(capacity);
    }

    // Steady stretches (vllm_v1_steady.cpp): nothing but decodes, counted from base values and a lag.
    void enterSteady();
    void leaveSteady();
    bool steadyStep(std::int64_t t);
    bool steadyEvents();
    [[nodiscard]] std::int64_t nextEvent(const Reach& reach, std::int64_t lag) const;

    VllmConfig config_;
    bool listQueues_;
    bool reserve_;
    std::int64_t watermark_ = 0; ///< blocks
    KvBlocks blocks_;

    std::vector<Reach> reach_;
    std::vector<Detail> detail_;
    std::vector<Row> spareRows_;
    std::vector<Row> running_;
    std::deque<Row> waiting_;
    std::vector<RequestIndex> arrived_;

    Tokens budget_ = 0;
    std::vector<Planned> planned_;
    std::vector<Row> emitting_; ///< of this step
    std::vector<Row> inFlight_; ///< asynchronous: of the step before
    std::optional<std::int64_t> inFlightStep_;
    bool someFinished_ = false;
    bool lacked_ = false;

    bool steady_ = false;
    std::int64_t lag_ = 0; ///< steps since the base values
    std::int64_t next_ = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> eventAt_; ///< lag of the next event, by place in running_

    Step step_;
};

} // namespace loadline
