// Runs a setting in two formats on the turns that both serve.
#include "core/simulate/study/format_pair.h"

#include "core/simulate/fit/run_fit.h"
#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/run/settle_judge.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace loadline {
namespace {

SimulationInputs inFormat(const SimulationInputs& inputs, const Format& format) {
    SimulationInputs one = inputs;
    one.cost.format = format;
    return one;
}

/// Its weights leave room for a sequence, and the longest request takes some turn.
bool canServe(const SimulationInputs& inputs) {
    return !memoryFitOf(inputs).isTooLarge() && !leavesNoRoom(inputs) &&
           (!inputs.workload || refusedShareOf(inputs, longestRequestOf(inputs)) < 1);
}

ServedFormat servedOf(const SimulationInputs& inputs, bool fits) {
    ServedFormat served;
    served.format = inputs.cost.format;
    served.memory = memoryFitOf(inputs);
    served.fits = fits;
    served.kvBlocks = specOf(inputs.policy.policy).paged ? kvBlocksOf(inputs).value_or(0) : 0;
    served.longestRequest = longestRequestOf(inputs);
    served.refusedShare = refusedShareOf(inputs, served.longestRequest);
    served.servedOutputShare = servedOutputShareOf(inputs, served.longestRequest);
    return served;
}

/// Turns a second of a trace, from the first to the last.
double arrivingPerS(const Workload& trace) {
    const std::vector<TraceRequest>& requests = trace.requests;
    const double spanS = requests.empty() ? 0 : requests.back().arrivalS - requests.front().arrivalS;
    return spanS > 0 ? static_cast<double>(requests.size() - 1) / spanS : 0;
}

/// A policy without blocks lets the KV cache grow with the requests: a format whose first steps hold more
/// than the device has does not fit, as its server ends there.
Status boundByMemory(ServedFormat& served, const SimulationInputs& inputs, const std::stop_token& stop) {
    if (!served.fits) {
        return Done{};
    }
    auto need = unboundKvNeedOf(inputs, stop);
    if (!need) {
        return need.error();
    }
    served.kvNeed = std::move(*need);
    if (served.kvNeed) {
        served.memory = memoryFitOf(inputs, served.kvNeed->peakBytes);
        served.fits = served.memory.fits().value_or(true);
    }
    return Done{};
}

/// Its runs, where it fits.
Status run(ServedFormat& served, const SimulationInputs& inputs, unsigned threads,
           const std::stop_token& stop) {
    if (Status done = boundByMemory(served, inputs, stop); !done) {
        return done.error();
    }
    if (!served.fits) {
        return Done{};
    }
    auto runs = simulate(inputs, threads, stop);
    if (!runs) {
        return runs.error();
    }
    served.runs = std::move(*runs);
    served.all = pooled(served.runs.replicas);
    const MemoryFit filled = memoryFitOf(inputs, served.all);
    if (filled.fits() == false) { // of blocks that were given more filled up than the device has room for
        served.memory = filled;
        served.fits = false;
        served.runs = {};
    } else if (filled.kvBytes > 0) {
        served.memory.kvBytes = filled.kvBytes;
        served.memory.kvTurns = filled.kvTurns;
    }
    return Done{};
}

} // namespace

bool comparesFormats(const SimulationInputs& inputs) {
    return inputs.scope == StepScope::WholeStep;
}

PairedRatio pairedRatioOf(double value, std::span<const double> own, std::span<const double> against) {
    PairedRatio ratio{.value = value, .low = {}, .high = {}};
    std::vector<double> logs;
    for (std::size_t i = 0; i < std::min(own.size(), against.size()); ++i) {
        if (own[i] > 0 && against[i] > 0) {
            logs.push_back(std::log(own[i] / against[i]));
        }
    }
    if (logs.size() < 2 || !(value > 0)) {
        return ratio;
    }
    const auto n = static_cast<double>(logs.size());
    double mean = 0;
    for (const double one : logs) {
        mean += one / n;
    }
    double squares = 0;
    for (const double one : logs) {
        squares += (one - mean) * (one - mean);
    }
    const double half = studentT(logs.size() - 1) * std::sqrt(squares / (n - 1) / n);
    ratio.low = value * std::exp(-half);
    ratio.high = value * std::exp(half);
    return ratio;
}

PairedRatio withKernelError(const PairedRatio& runs, double deviation) {
    if (!runs.low || !runs.high) {
        return runs;
    }
    const Banded band = withKernelError(Banded{runs.value, *runs.low, *runs.high}, deviation);
    return {
        .value = runs.value, .low = band.low, .high = band.high, .runsLow = runs.low, .runsHigh = runs.high};
}

std::optional<KernelError> ratioErrorOf(const KernelError& own, const KernelError& against,
                                        const KernelError& both) {
    if (own.atGivenRate && against.atGivenRate) {
        return std::nullopt;
    }
    return own.atGivenRate ? against : against.atGivenRate ? own : both;
}

KernelErrors kernelErrorsOf(const KernelDraws& draws, const SimulationInputs& inputs,
                            const SimulationResult& own, const SimulationResult* against) {
    const Format& format = inputs.cost.format;
    KernelErrors errors;
    errors.timeVsFp16 = draws.errorOf(format, rowsOf(own));
    constexpr double usPerS = 1e6;
    const bool isClosed = inputs.arrivals.kind == ArrivalKind::Closed;
    const auto clockOf = [&](const Format& one, const SimulationResult& run) {
        return isClosed || run.queueGrows()
                   ? draws.clockErrorOf(one, {countsOf(run.rows), run.simulatedS * usPerS - run.gemm.us, 0})
                   : KernelError{.atGivenRate = true};
    };
    errors.clock = clockOf(format, own);
    if (against != nullptr) {
        errors.againstClock = clockOf(inputs.against, *against);
        errors.vsAgainst = ratioErrorOf(errors.clock, errors.againstClock,
                                        draws.errorOf(format, pairedRowsOf(own, *against)));
    }
    return errors;
}

Result<KernelErrors> kernelErrorsOf(const SimulationInputs& inputs, const SimulationResult& own,
                                    const SimulationResult* against, unsigned threads,
                                    const std::stop_token& stop) {
    std::vector<Format> formats = {inputs.cost.format};
    if (against != nullptr) {
        formats.push_back(inputs.against);
    }
    const auto tables = CostTables::make(
        inputs, formats, rowsReached(inputs.policy, inputs.arrivals.users, chunkOf(inputs.policy)));
    if (!tables) {
        return tables.error();
    }
    const KernelDraws draws(*tables, {inputs.cost.format},
                            against != nullptr ? std::optional(inputs.against) : std::nullopt, inputs.seed,
                            threads, stop);
    return kernelErrorsOf(draws, inputs, own, against);
}

void FormatPair::setKernelErrors(const KernelErrors& errors) {
    kernelErrors = errors;
    turnsPerS = ratioOf(ServedFigure::TurnsPerS);
}

std::optional<PairedRatio> FormatPair::ratioOf(ServedFigure figure) const {
    const ServedFigureSpec& spec = specOf(figure);
    const auto ofRuns = [&](const ServedFormat& served) {
        std::vector<double> values;
        for (const SimulationResult& one : served.runs.replicas) {
            values.push_back(spec.of(one));
        }
        return values;
    };
    if (!own.fits || !against.fits || own.runs.replicas.empty() || against.runs.replicas.empty() ||
        (spec.isWait && waitsGrow())) {
        return std::nullopt;
    }
    const double ours = spec.of(own.all);
    const double theirs = spec.of(against.all);
    if (!(ours > 0) || !(theirs > 0)) {
        return std::nullopt;
    }
    if (isOneCourse) {
        return PairedRatio{.value = ours / theirs, .low = {}, .high = {}};
    }
    const PairedRatio ratio = pairedRatioOf(ours / theirs, ofRuns(own), ofRuns(against));
    return !spec.isTime && kernelErrors && kernelErrors->vsAgainst
               ? withKernelError(ratio, kernelErrors->vsAgainst->deviation)
               : ratio;
}

PairedInputs pairedInputsOf(const SimulationInputs& inputs) {
    PairedInputs paired{.own = inputs, .against = inFormat(inputs, inputs.against)};
    paired.ownFits = canServe(paired.own);
    paired.againstFits = canServe(paired.against);
    const Tokens own = longestRequestOf(paired.own);
    const Tokens against = longestRequestOf(paired.against);
    paired.longestRequest = !paired.againstFits ? own : !paired.ownFits ? against : std::min(own, against);
    if (paired.ownFits && paired.againstFits) {
        paired.own.policy.maxModelLen = paired.against.policy.maxModelLen = paired.longestRequest;
    }
    return paired;
}

Result<FormatPair> serveFormats(const SimulationInputs& inputs, unsigned threads,
                                const std::stop_token& stop) {
    if (auto problem = problemBesidesRoomOf(inputs)) {
        return *problem;
    }
    if (inputs.workload && refusedShareOf(inputs, inputs.policy.maxModelLen) >= 1) {
        return Error{fmt::format("every prompt is refused: the longest request is {} tokens",
                                 formatExact(inputs.policy.maxModelLen)),
                     "", "raise max-model-len, or take a workload with shorter prompts"};
    }
    PairedInputs paired = pairedInputsOf(inputs);
    if (!paired.own.schedules) { // steps that no KV room binds are the same in both formats
        paired.own.schedules = paired.against.schedules = std::make_shared<ScheduleMemo>();
    }
    FormatPair pair;
    pair.own = servedOf(inputs, paired.ownFits);
    pair.against = servedOf(inFormat(inputs, inputs.against), paired.againstFits);
    pair.isOneCourse = inputs.arrivals.kind == ArrivalKind::Trace;
    pair.isAtRate = inputs.arrivals.kind == ArrivalKind::Poisson;
    pair.contextLeftOut = inputs.workload ? contextLeftOutOf(inputs) : 0;
    pair.arrivingPerS = pair.isOneCourse ? arrivingPerS(*inputs.workload) : 0;
    pair.longestRequest = paired.longestRequest;
    pair.refusedShare = refusedShareOf(inputs, paired.longestRequest);
    // The one with less room first: what it records holds for both where its room is enough.
    const bool ownFirst = pair.own.kvBlocks > 0 && pair.own.kvBlocks <= pair.against.kvBlocks;
    for (const bool ownNow : {ownFirst, !ownFirst}) {
        const Status done = ownNow ? run(pair.own, paired.own, threads, stop)
                                   : run(pair.against, paired.against, threads, stop);
        if (!done) {
            return done.error();
        }
    }
    pair.turnsPerS = pair.ratioOf(ServedFigure::TurnsPerS);
    return pair;
}

const ServedFormat* takesMoreOf(const FormatPair& pair) {
    if (!pair.own.fits || !pair.against.fits) {
        return nullptr;
    }
    const ServedFormat& more = pair.own.refusedShare < pair.against.refusedShare ? pair.own : pair.against;
    return pair.refusedShare - more.refusedShare > fewRefused ? &more : nullptr;
}

Status serveWhole(FormatPair& pair, const SimulationInputs& inputs, unsigned threads,
                  const std::stop_token& stop) {
    const ServedFormat* const more = takesMoreOf(pair);
    if (more == nullptr) {
        return Done{};
    }
    const SimulationInputs alone = inFormat(inputs, more->format);
    ServedFormat whole = servedOf(alone, true);
    if (auto done = run(whole, alone, threads, stop); !done) {
        return done;
    }
    if (!whole.runs.replicas.empty()) { // else stopped
        pair.whole = std::move(whole);
    }
    return Done{};
}

} // namespace loadline
