// Everything that a simulation depends on, and what follows from it without a run.
#pragma once

#include "core/base/result.h"
#include "core/cost/estimate/attention.h"
#include "core/cost/estimate/cost_model.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/serving/judged_servers.h"
#include "core/simulate/setup/served_engine.h"
#include "core/simulate/setup/setup.h"
#include "core/workload/source/workload.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

class CostTables;
class ScheduleMemo;

/// Everything a simulation depends on. The same inputs give the same result on any number of threads.
struct SimulationInputs {
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const Profile> profile; ///< null: rooflines of `hardware` alone
    const Hardware* hardware = nullptr;     ///< null: the profile's own
    CostSetup cost;                         ///< shapes, format, dispatch rule, scale of each kernel's time
    Format against = fp16Format;            ///< served for comparison (comparesFormats)
    std::shared_ptr<const AttentionTable> attention; ///< WholeStep: measured; null: rooflines
    ServedEngine
        engine; ///< with surfaces its kernels take the place of the profile's fp16 ones and attention
    /// Measured servers beside the errors of their predictions, told beside an engine's answers; null: none.
    std::shared_ptr<const JudgedServers> judged;
    StepScope scope = StepScope::GemmOnly;
    double hostUs = 0; ///< WholeStep: sampling and host overhead of a step
    PolicySetup policy;
    ArrivalSetup arrivals;
    RunLength length;
    /// The plan by which a run without a length is measured, rather than until it is settled.
    std::optional<RunPlan> plan;
    /// The goal of a run without a length or a plan; none: the one of the function that runs it (simulate:
    /// SettleGoal(), a sweep: curveGoal).
    std::optional<SettleGoal> goal;
    /// Users begin amid their turns instead of all at once, and the latencies of their first are not counted:
    /// for a preview's short runs in closed form (goesFast), else without effect.
    bool warmStart = false;
    bool modelMissing = false; ///< a kernel the profile lacks is modelled, not an Error
    std::int64_t replicas = 1;
    std::uint64_t seed = 1;
    /// Tables that are there already; used where they fit, so that a dragged slider does not make them anew.
    std::shared_ptr<const CostTables> tables;
    /// Remembers the steps of runs, of this and earlier questions; null: none are remembered. Changes nothing
    /// but the time that an answer takes.
    std::shared_ptr<ScheduleMemo> schedules;
};

/// True if a run begins amid its turns and is measured after a warm-up: neither a length nor a trace ends it.
bool isSettling(const SimulationInputs& inputs);

/// Returns the device; null if neither the inputs nor the profile name a known one.
const Hardware* hardwareOf(const SimulationInputs& inputs);

/// The attention of these shapes on their device, whatever scope is asked for; none where the shapes say
/// nothing of it, or the device is not known and its ceilings were not measured.
std::optional<AttentionModel> attentionOf(const SimulationInputs& inputs);

/// Names of the kernels for the shapes and the k that are simulated.
KernelNaming namingOf(const SimulationInputs& inputs);

/// Returns the ranges of the dispatch rule that are not followed, as far as these shapes meet them: cutsOf.
std::vector<std::string> dispatchCutsOf(const SimulationInputs& inputs);

/// True if tokens a second and latencies follow from the step times: not from the GEMMs of one layer.
bool tellsLatencies(const SimulationInputs& inputs);
/// Returns why tellsLatencies() is false; "" if it is true.
std::string whyNoLatencies(const SimulationInputs& inputs);
/// The Error: turns that arrive at times of their own, or users who think, where steps are not a whole
/// model's.
std::optional<Error> clockProblemOf(const SimulationInputs& inputs);

} // namespace loadline
