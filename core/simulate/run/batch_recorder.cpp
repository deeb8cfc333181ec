// Writes down what a run does, step by step.
#include "core/simulate/run/batch_recorder.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/exact.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace loadline {
namespace {

constexpr std::size_t mostRowsKept = 4'000'000; // about 100 MB

std::int32_t narrowed(Tokens tokens) {
    return static_cast<std::int32_t>(std::clamp<Tokens>(tokens, 0, std::numeric_limits<std::int32_t>::max()));
}

void setFirst(std::int64_t& place, std::int64_t step) {
    place = place < 0 ? step : place;
}

class Recorder {
public:
    Recorder(BatchRecording& recording, std::int64_t maxSteps)
        : recording_(recording), policy_(recording.inputs.policy), spec_(specOf(policy_.policy)),
          maxSteps_(maxSteps) {}

    bool take(const ExactMoment& moment) {
        now_ = recording_.steps();
        if (now_ >= maxSteps_ || recording_.allRows.size() > mostRowsKept) {
            recording_.cut = true;
            return false;
        }
        note(moment);
        if (!moment.forwards.empty()) {
            write(moment);
        } else {
            clearMarks(moment.step);
        }
        return true;
    }

private:
    enum Mark : std::uint8_t { Admitted = 1, Resumed = 2, Finishes = 4, Emits = 8, Preempted = 16 };

    BatchRequest& request(RequestIndex index) { return recording_.requests[static_cast<std::size_t>(index)]; }

    void mark(RequestIndex index, Mark mark) {
        marks_[static_cast<std::size_t>(index)] |= static_cast<std::uint8_t>(mark);
    }

    [[nodiscard]] bool has(RequestIndex index, Mark mark) const {
        return (marks_[static_cast<std::size_t>(index)] & mark) != 0;
    }

    /// Records the progress of the step's requests.
    void note(const ExactMoment& moment) {
        const Step& step = moment.step;
        for (const RequestIndex index : step.arrived) {
            const ExactTurn& turn = moment.turns[static_cast<std::size_t>(index)];
            BatchRequest& added = recording_.requests.emplace_back();
            added.user = turn.user;
            added.promptTokens = turn.promptTokens;
            added.outputTokens = turn.outputTokens;
            added.arrivalS = turn.arrivalS;
            added.arrivalStep = now_;
            if (spec_.severalForwards) {
                queue_.push_back(index);
            }
        }
        marks_.resize(recording_.requests.size());
        for (const RequestIndex index : step.admitted) {
            mark(index, Admitted);
        }
        for (const RequestIndex index : step.resumed) {
            mark(index, Resumed);
        }
        for (const RequestIndex index : step.preempted) {
            mark(index, Preempted);
            ++request(index).preemptions;
        }
        for (const RequestIndex index : step.emitted) {
            mark(index, Emits);
            setFirst(request(index).firstTokenStep, now_);
        }
        for (const RequestIndex index : step.finished) {
            mark(index, Finishes);
            request(index).finishStep = now_;
        }
        for (const RequestTokens& scheduled : step.scheduled) {
            setFirst(request(scheduled.request).firstScheduledStep, now_);
        }
    }

    void clearMarks(const Step& step) {
        for (const auto* list :
             {&step.admitted, &step.resumed, &step.preempted, &step.emitted, &step.finished}) {
            for (const RequestIndex index : *list) {
                marks_[static_cast<std::size_t>(index)] = 0;
            }
        }
    }

    void write(const ExactMoment& moment) {
        recording_.firstRow.push_back(recording_.allRows.size());
        recording_.firstForward.push_back(recording_.allForwards.size());
        ForwardRows rows(0);
        for (const ForwardWork& forward : moment.forwards) {
            recording_.allForwards.push_back(
                {forward.kind, narrowed(forward.rowsM), narrowed(forward.headRows)});
            rows.m += forward.rowsM;
            rows.head += forward.headRows;
        }
        if (moment.step.forwards.empty()) {
            writeScheduled(moment);
        } else {
            writeForwards(moment);
        }
        writeStrip(moment, rows);
        clearMarks(moment.step);
    }

    void add(const ExactMoment& moment, RequestIndex index, Tokens tokens) {
        const RequestProgress& progress = moment.account.progressOf(index);
        BatchRow row{.request = index, .tokens = narrowed(tokens)};
        row.computedBefore = narrowed(progress.computed - tokens);
        row.emittedBefore = narrowed(progress.emitted - (has(index, Emits) ? 1 : 0));
        row.kind = tokens == 0          ? BatchRow::Kind::Idle
                   : progress.prefilled ? BatchRow::Kind::Prefill
                                        : BatchRow::Kind::Decode;
        row.admitted = has(index, Admitted);
        row.resumed = has(index, Resumed);
        row.finishes = has(index, Finishes);
        recording_.allRows.push_back(row);
    }

    void wait(const ExactMoment& moment, RequestIndex index, WaitReason reason) {
        BatchRow row{.request = index, .kind = BatchRow::Kind::Waiting, .reason = reason};
        row.emittedBefore = narrowed(moment.account.progressOf(index).emitted);
        if (has(index, Preempted)) {
            row.kind = BatchRow::Kind::Preempted;
            row.reason = WaitReason::Preempted;
        }
        recording_.allRows.push_back(row);
    }

    void writeScheduled(const ExactMoment& moment) {
        const Step& step = moment.step;
        tokens_.resize(recording_.requests.size());
        for (const RequestTokens& scheduled : step.scheduled) {
            tokens_[static_cast<std::size_t>(scheduled.request)] = scheduled.tokens;
        }
        for (const RequestIndex index : step.running) {
            add(moment, index, tokens_[static_cast<std::size_t>(index)]);
        }
        for (const RequestTokens& scheduled : step.scheduled) {
            tokens_[static_cast<std::size_t>(scheduled.request)] = 0;
        }
        const WaitReason reason = reasonOf(step);
        bool head = true;
        for (const RequestIndex index : step.waiting) {
            const bool behind = !head && reason == WaitReason::NoBlocks;
            wait(moment, index, behind ? WaitReason::BehindOther : reason);
            head = head && has(index, Preempted); // those preempted in this step are put before the head
        }
    }

    /// Returns why the head of the queue was not taken.
    [[nodiscard]] WaitReason reasonOf(const Step& step) const {
        if (spec_.onePrompt && step.total > static_cast<Tokens>(step.emitted.size())) {
            return WaitReason::OnePrefill;
        }
        if (!step.preempted.empty()) {
            return WaitReason::NoBlocks;
        }
        if (step.runningCount >= seqsOf(policy_)) {
            return WaitReason::NoPlace;
        }
        if (!spec_.paged || step.total >= budgetOf(policy_) || step.waiting.empty()) {
            return WaitReason::NoBudget;
        }
        const BatchRequest& head = recording_.requests[static_cast<std::size_t>(step.waiting.front())];
        const bool tooLong = !policy_.chunkedPrefill && head.promptTokens > budgetOf(policy_) - step.total;
        return tooLong ? WaitReason::NoBudget : WaitReason::NoBlocks;
    }

    /// MLX tells who computes, and not who waits.
    void writeForwards(const ExactMoment& moment) {
        tokens_.resize(recording_.requests.size());
        order_.clear();
        for (const MlxForward& forward : moment.step.forwards) {
            for (std::size_t i = 0; i < forward.rows.size(); ++i) {
                Tokens& tokens = tokens_[static_cast<std::size_t>(forward.rows[i])];
                if (tokens == 0) {
                    order_.push_back(forward.rows[i]);
                }
                tokens += forward.kind == ForwardKind::Prefill ? forward.tokens[i] : 1;
            }
        }
        for (const RequestIndex index : moment.step.prompting) {
            if (tokens_[static_cast<std::size_t>(index)] == 0) {
                order_.push_back(index); // nobody prefills while the batch that decodes is full
            }
        }
        for (const RequestIndex index : order_) {
            if (request(index).firstScheduledStep < 0) {
                request(index).firstScheduledStep = now_;
                mark(index, Admitted);
            }
            add(moment, index, tokens_[static_cast<std::size_t>(index)]);
            tokens_[static_cast<std::size_t>(index)] = 0;
            marks_[static_cast<std::size_t>(index)] = 0;
        }
        std::erase_if(queue_, [this](RequestIndex index) { return request(index).firstScheduledStep >= 0; });
        const bool full = static_cast<std::int64_t>(moment.step.generating.size()) >= seqsOf(policy_);
        for (const RequestIndex index : queue_) {
            wait(moment, index, full ? WaitReason::NoPlace : WaitReason::BatchFull);
        }
    }

    void writeStrip(const ExactMoment& moment, ForwardRows rows) {
        std::int32_t decodes = 0;
        std::int32_t prefill = 0;
        std::int32_t running = 0;
        std::int32_t waiting = 0;
        for (std::size_t i = recording_.firstRow.back(); i < recording_.allRows.size(); ++i) {
            const BatchRow& row = recording_.allRows[i];
            const bool waits = row.kind == BatchRow::Kind::Waiting || row.kind == BatchRow::Kind::Preempted;
            decodes += row.kind == BatchRow::Kind::Decode ? 1 : 0;
            prefill += row.kind == BatchRow::Kind::Prefill ? row.tokens : 0;
            waiting += waits ? 1 : 0;
            running += waits ? 0 : 1;
        }
        BatchStrip& strip = recording_.strip;
        strip.startS.push_back(moment.startS);
        strip.us.push_back(static_cast<float>(moment.us));
        strip.fp16Us.push_back(static_cast<float>(moment.fp16Us));
        strip.rowsM.push_back(narrowed(rows.m));
        strip.headRows.push_back(narrowed(rows.head));
        strip.decodes.push_back(decodes);
        strip.prefillTokens.push_back(prefill);
        strip.running.push_back(running);
        strip.waiting.push_back(waiting);
        strip.preempted.push_back(static_cast<std::int32_t>(moment.step.preempted.size()));
        strip.usedBlocks.push_back(moment.usedBlocks);
    }

    BatchRecording& recording_;
    const PolicySetup& policy_;
    const PolicySpec& spec_;
    std::int64_t maxSteps_;
    std::int64_t now_ = 0;
    std::vector<std::uint8_t> marks_; ///< by RequestIndex
    std::vector<Tokens> tokens_;      ///< the same; zero between steps
    std::vector<RequestIndex> order_;
    std::deque<RequestIndex> queue_; ///< MLX: who has arrived and was not taken yet
};

} // namespace

std::span<const BatchRow> BatchRecording::rowsOf(std::int64_t step) const {
    const auto at = static_cast<std::size_t>(step);
    const std::size_t end = at + 1 < firstRow.size() ? firstRow[at + 1] : allRows.size();
    return std::span(allRows).subspan(firstRow[at], end - firstRow[at]);
}

Result<BatchRecording> recordBatch(const SimulationInputs& inputs, std::int64_t maxSteps,
                                   const std::stop_token& stop) {
    if (auto problem = problemOf(inputs)) {
        return *problem;
    }
    auto tables = CostTables::make(inputs, {inputs.cost.format},
                                   rowsReached(inputs.policy, inputs.arrivals.users, chunkOf(inputs.policy)));
    if (!tables) {
        return tables.error();
    }
    BatchRecording recording;
    recording.inputs = inputs;
    recording.inputs.tables = *tables;
    if (const auto blocks = kvBlocksOf(inputs)) {
        recording.totalBlocks = *blocks - 1; // vLLM keeps one, the null block
    }
    Recorder recorder(recording, std::max<std::int64_t>(maxSteps, 1));
    const auto run = runExact(inputs, (*tables)->at(inputs.cost.format), inputs.seed, stop,
                              [&](const ExactMoment& moment) { return recorder.take(moment); });
    if (!run) {
        return run.error();
    }
    return recording;
}

} // namespace loadline
