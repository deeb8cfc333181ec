// One run through the exact scheduler with a clock: for everything the fast way cannot do.
#pragma once

#include "core/schedule/step.h"
#include "core/simulate/run/cost_tables.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/run/step_account.h"
#include "core/simulate/run/turn_source.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

namespace loadline {

/// One step as it passes by; valid during the call.
struct ExactMoment {
    const Step& step;
    double startS = 0;
    double us = 0; ///< k-bit, in the scope that is simulated
    double fp16Us = 0;
    std::span<const ExactTurn> turns; ///< by RequestIndex
    std::span<const ForwardWork> forwards;
    const StepAccount& account;   ///< after the step
    std::int64_t usedBlocks = -1; ///< after scheduling; -1: not counted
};

/// Sees every step; false ends the run.
using ExactObserver = std::function<bool(const ExactMoment&)>;

/// One replica. `rates`: of inputs.cost's k. When stopped, what there is so far. It ends with its length, or
/// when the trace's last turn is answered.
///
/// A step takes the time of its GEMMs, at M rows each forward and its head at one row of each sequence; in
/// WholeStep and of its attention (by table, else by rooflines) and of the host. Tokens are there when their
/// forward ends (MLX: its step, as a caller of next() sees them). Synchronous: a step is scheduled when the
/// one before has ended. vLLM's async scheduling: while the one before begins, so it sees turns that arrived
/// until then, and the host's share hides behind the device's.
///
/// With an observer every turn has a RequestIndex of its own and vLLM's and single prefill's queues are
/// listed. The Error: a turn that no cache of this size can hold, one that waits for ever, more waiting turns
/// than make sense, forwards of absurd size.
Result<SimulationResult> runExact(const SimulationInputs& inputs, const GemmRates& rates, std::uint64_t seed,
                                  const std::stop_token& stop = {}, const ExactObserver& observer = {});

/// Records a run as runExact() does, without a clock; its Errors but that of turns that come too fast.
/// Precondition: ignoresClock(inputs).
Result<ScheduleRecord> recordExact(const SimulationInputs& inputs, std::uint64_t seed,
                                   const std::stop_token& stop = {});

/// KV blocks of a run, the null block among them: kvBlocksOf, or more than are ever needed; 0 where the
/// policy has none.
std::int64_t blocksInForce(const SimulationInputs& inputs);

} // namespace loadline
