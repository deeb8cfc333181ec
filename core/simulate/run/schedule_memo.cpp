// Prices recorded steps, and remembers the records.
#include "core/simulate/run/schedule_memo.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/exact.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/measured.h"
#include "core/simulate/run/replica.h"

#include <algorithm>
#include <limits>
#include <span>

namespace loadline {
namespace {

constexpr double usToS = 1e-6;

TurnRecord recordOf(const ScheduleRecord::Turn& turn, const std::vector<double>& endS) {
    const double arrivalS = endS[static_cast<std::size_t>(turn.arrival)];
    const double firstS = endS[static_cast<std::size_t>(turn.firstToken)];
    const double lastS = endS[static_cast<std::size_t>(turn.end)];
    return {arrivalS, firstS - arrivalS,
            turn.tokens > 1 ? (lastS - firstS) / static_cast<double>(turn.tokens - 1) : TurnRecord{}.tpotS,
            lastS - arrivalS};
}

void putLatencies(SimulationResult& result, std::span<const ScheduleRecord::Turn> turns,
                  const std::vector<double>& endS) {
    ThinnedSample ttftS, tpotS, e2eS;
    for (const ScheduleRecord::Turn& one : turns) {
        const TurnRecord turn = recordOf(one, endS);
        ttftS.add(turn.ttftS);
        e2eS.add(turn.e2eS);
        if (one.tokens > 1) {
            tpotS.add(turn.tpotS);
        }
    }
    result.ttftS = thinnedQuantilesOf(std::move(ttftS));
    result.tpotS = thinnedQuantilesOf(std::move(tpotS));
    result.e2eS = thinnedQuantilesOf(std::move(e2eS));
}

/// Returns the bytes of a workload that grow with its turns.
std::size_t bytesOf(const Workload& workload) {
    std::size_t bytes = sizeof(Workload);
    for (const WorkloadSession& session : workload.sessions) {
        bytes += sizeof(session) + session.turns.capacity() * sizeof(WorkloadTurn);
    }
    for (const TraceRequest& request : workload.requests) {
        bytes += sizeof(request) + request.blocks.capacity() * sizeof(request.blocks.front());
    }
    return bytes;
}

} // namespace

bool ignoresClock(const SimulationInputs& inputs) {
    return inputs.arrivals.kind == ArrivalKind::Closed && inputs.arrivals.think == ThinkTime::None;
}

std::size_t ScheduleRecord::bytes() const {
    return sizeof(ScheduleRecord) + forwards.capacity() * sizeof(Forward) +
           attentionUs.capacity() * sizeof(double) + turns.capacity() * sizeof(Turn);
}

std::vector<SimulationResult> ScheduleRecord::priced(const SimulationInputs& inputs,
                                                     const GemmRates& rates) const {
    std::vector<SimulationResult> results = sums;
    for (SimulationResult& result : results) {
        result.users = inputs.arrivals.users;
        result.rows.steps.resize(1);
        result.rows.decodeOnly.resize(1);
    }
    const CostTable& table = rates.table();
    const bool whole = inputs.scope == StepScope::WholeStep;
    const bool hidesHost = specOf(inputs.policy.policy).isVllm && inputs.policy.async;
    std::vector<double> endS = {0}; // by steps that have ended
    const std::int64_t from = plan ? plan->warmUpSteps : 0;
    std::size_t part = 0;
    std::int64_t to = plan ? plan->endOf(0) : std::numeric_limits<std::int64_t>::max();
    double us = 0;
    double fp16Us = 0;
    for (std::size_t i = 0; i < forwards.size(); ++i) {
        const Forward& forward = forwards[i];
        const std::int64_t step = std::ssize(endS) - 1;
        while (step >= to && part < results.size()) {
            ++part;
            to = plan->endOf(static_cast<std::int64_t>(part));
        }
        SimulationResult* const measured = step >= from && part < results.size() ? &results[part] : nullptr;
        if (forward.rowsM > 0) {
            const ForwardRows rows(forward.rowsM, forward.headRows);
            if (measured != nullptr) {
                measured->rows.add(rows, forward.decodeOnly, table.hasHead());
            }
            const double attention = whole ? attentionUs[i] : 0;
            us += table.us(rows) + attention;
            fp16Us += table.fp16Us(rows) + attention;
        }
        if (!forward.endsStep) {
            continue;
        }
        if (whole && us > 0) {
            us = hidesHost ? std::max(us, inputs.hostUs) : us + inputs.hostUs;
            fp16Us = hidesHost ? std::max(fp16Us, inputs.hostUs) : fp16Us + inputs.hostUs;
        }
        if (measured != nullptr) {
            measured->wholeUs += us;
            measured->wholeFp16Us += fp16Us;
        }
        endS.push_back(endS.back() + us * usToS);
        us = 0;
        fp16Us = 0;
    }
    for (SimulationResult& result : results) {
        result.gemm = rates.timeOf(countsOf(result.rows));
        if (!whole) {
            result.wholeUs = result.gemm.us;
            result.wholeFp16Us = result.gemm.fp16Us;
        }
    }
    if (!plan) {
        results.front().simulatedS = endS.back();
        putLatencies(results.front(), turns, endS);
        return results;
    }
    std::vector<TurnRecord> begun;
    for (const Turn& turn : turns) {
        begun.push_back(recordOf(turn, endS));
    }
    const auto timeAt = [&](std::int64_t step) {
        return endS[static_cast<std::size_t>(std::min(step, std::ssize(endS) - 1))];
    };
    double fromS = timeAt(from);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const double toS = timeAt(plan->endOf(static_cast<std::int64_t>(i)));
        results[i].simulatedS = toS - fromS;
        putTurns(results[i], arrivedIn(begun, fromS, toS));
        fromS = toS;
    }
    return results;
}

bool ScheduleMemo::Entry::answers(const Entry& asked) const {
    const bool sameMemory = blocks == asked.blocks && longest == asked.longest;
    const bool enoughMemory = !record->isBound && blocks <= asked.blocks && longest <= asked.longest;
    return question.seed == asked.question.seed && beside == asked.beside && (sameMemory || enoughMemory) &&
           (!asked.attention || attention == asked.attention) && question == asked.question;
}

ScheduleMemo::Entry ScheduleMemo::asked(const SimulationInputs& inputs, std::uint64_t seed) {
    Entry entry{
        .question = {inputs.workload, inputs.policy, inputs.arrivals, inputs.length, inputs.plan, seed},
        .attention = {},
        .blocks = blocksInForce(inputs),
        .beside = blocksBesideOf(inputs),
        .longest = longestRequestOf(inputs),
        .record = {}};
    entry.question.policy.kvBlocks.reset();
    entry.question.policy.memoryShare.reset();
    entry.question.policy.maxModelLen = PolicySetup{}.maxModelLen; // Entry::longest says where requests end
    if (inputs.scope == StepScope::WholeStep && inputs.cost.model.attention) {
        entry.attention = {*inputs.cost.model.attention,
                           inputs.attention,
                           inputs.profile,
                           hardwareOf(inputs),
                           inputs.engine,
                           inputs.cost.format.kv,
                           inputs.cost.model.mla ? inputs.cost.format.weights : Storage::Fp16};
    }
    return entry;
}

std::shared_ptr<const ScheduleRecord> ScheduleMemo::find(const Entry& asked) {
    const std::lock_guard lock(mutex_);
    for (Entry& entry : entries_) {
        if (entry.answers(asked)) {
            entry.used = ++asked_;
            return entry.record;
        }
    }
    ++recorded_;
    return nullptr;
}

/// Each workload once.
std::size_t ScheduleMemo::bytesBeside(const Workload* present) const {
    std::size_t bytes = 0;
    std::vector<const Workload*> seen = {present};
    const auto add = [&](const Workload* workload, std::size_t size) {
        if (std::ranges::find(seen, workload) == seen.end()) {
            seen.push_back(workload);
            bytes += size;
        }
    };
    for (const Entry& entry : entries_) {
        bytes += entry.record->bytes();
        add(entry.question.workload.get(), entry.workloadBytes);
    }
    for (const Resampled& one : resampled_) {
        add(one.workload.get(), one.bytes);
    }
    return bytes;
}

void ScheduleMemo::forgetBeside(const Workload* present) {
    while (bytesBeside(present) > mostBytes_) {
        const auto entry = std::ranges::min_element(entries_, {}, &Entry::used);
        const auto workload = std::ranges::min_element(resampled_, {}, &Resampled::used);
        if (entry != entries_.end() && (workload == resampled_.end() || entry->used < workload->used)) {
            *entry = std::move(entries_.back());
            entries_.pop_back();
        } else {
            resampled_.erase(workload);
        }
    }
}

void ScheduleMemo::keep(Entry entry) {
    entry.workloadBytes = bytesOf(*entry.question.workload);
    const std::lock_guard lock(mutex_);
    entry.used = ++asked_;
    const Workload* const present = entry.question.workload.get();
    entries_.push_back(std::move(entry));
    forgetBeside(present);
}

Result<std::shared_ptr<const ScheduleRecord>>
ScheduleMemo::of(const SimulationInputs& inputs, std::uint64_t seed, const std::stop_token& stop) {
    Entry entry = asked(inputs, seed);
    if (auto record = find(entry)) {
        return record;
    }
    auto recorded = recordExact(inputs, seed, stop);
    if (!recorded) {
        return recorded.error();
    }
    entry.record = std::make_shared<const ScheduleRecord>(std::move(*recorded));
    const std::shared_ptr<const ScheduleRecord> record = entry.record;
    if (!stop.stop_requested()) {
        keep(std::move(entry));
    }
    return record;
}

std::shared_ptr<const Workload> ScheduleMemo::resampledOf(const std::shared_ptr<const Workload>& workload,
                                                          std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    for (Resampled& one : resampled_) {
        if (one.from == workload && one.seed == seed) {
            one.used = ++asked_;
            return one.workload;
        }
    }
    auto made = std::make_shared<const Workload>(resampled(*workload, seed));
    resampled_.push_back({workload, seed, made, bytesOf(*made), ++asked_});
    forgetBeside(made.get());
    return made;
}

std::size_t ScheduleMemo::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytesBeside(nullptr);
}

std::uint64_t ScheduleMemo::recorded() const {
    const std::lock_guard lock(mutex_);
    return recorded_;
}

} // namespace loadline
