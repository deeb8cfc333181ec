// Figures of each study: compositions of core's functions.
#include "app/kernels/use_profile.h"
#include "app/simulation/simulation_bench.h"
#include "core/simulate/answer/served_facts.h"
#include "core/simulate/run/rows.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/compared_turns.h"
#include "core/simulate/study/preview_runs.h"
#include "core/simulate/study/sweep_misfits.h"
#include "core/simulate/study/users_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace loadline::app {
namespace {

constexpr std::int64_t usersLooked = 256;
constexpr std::int64_t previewReplicas = 2;
constexpr std::int64_t exactPreviewSteps = 1000;
constexpr std::int64_t previewSteps = 1000;
constexpr std::int64_t recordedSteps = 20'000;
constexpr std::int64_t studySeeds = 16; // as the comparison in the published study's section 7 took
constexpr std::int64_t studyIterations = 10'000;

template <typename T>
std::shared_ptr<const T> shared(T value) {
    return std::make_shared<const T>(std::move(value));
}

/// Every k that can be told, and the chosen weights whether or not; an engine's formats stand alone.
std::vector<Storage> weightsOf(const SimulationInputs& inputs) {
    if (specOf(inputs.cost.format.weights).kernels == WeightKernels::Library) {
        return {inputs.cost.format.weights};
    }
    const Profile* const profile = inputs.modelMissing ? nullptr : inputs.profile.get();
    std::vector<Storage> weights;
    for (const int k : kBitsServed(profile, inputs.cost.rule, inputs.cost.model)) {
        weights.push_back(storageOfBits(k));
    }
    if (std::ranges::find(weights, inputs.cost.format.weights) == weights.end()) {
        weights.push_back(inputs.cost.format.weights);
        std::ranges::sort(weights);
    }
    return weights;
}

/// Puts a figure, and what it counts, into `shown`.
void putSimulator(SimulationShown& shown, SimulatorFigure figure) {
    if (figure.pair) {
        shown.counts = servedFactsOf(*figure.pair);
    }
    const FormatPair* const pair = figure.pair ? &*figure.pair : nullptr;
    for (CountedFact& fact : whatCounts(figure.inputs, figure.memory, &figure.present, pair)) {
        shown.counts.push_back(std::move(fact));
    }
    shown.simulator = shared(std::move(figure));
}

/// StudyRun::partial: shows the present setting before its curves; null: nobody asks.
void simulateAt(SimulationShown& shown, SimulationInputs inputs, std::vector<Tokens> chunks,
                const StudyRun& run) {
    PartialAnswers* const partial = run.partial;
    SimulatorFigureInputs wanted;
    wanted.base = std::move(inputs);
    wanted.users = userGrid(std::max(usersLooked, wanted.base.arrivals.users));
    wanted.chunks = std::move(chunks);
    wanted.weights = weightsOf(wanted.base);
    wanted.stage = shown.stage;
    wanted.progress = run.progress;
    const bool isInstant = shown.stage == FigureStage::Preview && goesFast(wanted.base); // with its curves
    if (partial != nullptr && !isInstant) {
        wanted.presentCame = [&shown, partial](const SimulatorFigure& figure) {
            SimulationShown partly = shown;
            partly.stage = FigureStage::Preview;
            partly.isPartly = true;
            putSimulator(partly, figure);
            partial->putNow(shared(std::move(partly)));
        };
    }
    Result<SimulatorFigure> figure = simulatorFigure(wanted, run.stop);
    if (figure) {
        putSimulator(shown, std::move(*figure));
    } else {
        shown.error = figure.error();
    }
}

void simulateOne(SimulationShown& shown, const SimulationInputs& inputs, const StudyRun& run) {
    simulateAt(shown, inputs, chunkGrid(), run);
}

struct Curves {
    SweepResult sweep;
    std::vector<Crossover> crossovers;
};

using CurvesCame = std::function<void(Curves)>;

/// Returns the users at which the preview of a curve, or its points so far, pass 1: refining begins near
/// them.
std::vector<double> crossingUsers(const std::vector<Crossover>& crossovers) {
    std::vector<double> users;
    for (const Crossover& crossover : crossovers) {
        for (const Crossing& crossing : crossover.crossings) {
            users.push_back(crossing.users);
        }
    }
    return users;
}

/// Puts what the Simulator's page says of the present setting into its place in a refined curve.
Status putPresentRuns(SweepResult& curve, const SimulationInputs& inputs, const std::stop_token& stop) {
    if (!isSettling(inputs) || goesFast(inputs) || curve.points.empty()) { // in closed form it keeps its own
        return Done{};
    }
    if (!comparesFormats(inputs)) {
        const auto runs = simulate(inputs, 0, stop);
        if (!runs) {
            return runs.error();
        }
        putPresent(curve, inputs, *runs, nullptr);
        return Done{};
    }
    const auto pair = serveFormats(inputs, 0, stop);
    if (!pair) {
        return pair.error();
    }
    if (pair->own.fits && !pair->own.runs.replicas.empty()) {
        putPresent(curve, inputs, pair->own.runs, pair->against.fits ? &pair->against.runs : nullptr);
    }
    return Done{};
}

/// `before` and `came`: the curves of a preview, and who wants them point by point; null: nobody.
Result<Curves> curvesOf(SimulationInputs inputs, FigureStage stage, const StudyRun& run,
                        const SimulationShown* before = nullptr, const CurvesCame& came = nullptr) {
    const std::stop_token& stop = run.stop;
    const bool preview = stage == FigureStage::Preview;
    const std::vector<std::int64_t> users = userGrid(std::max(usersLooked, inputs.arrivals.users));
    SweepInputs wanted;
    if (preview) {
        wanted = previewCurveOf(inputs, users);
    } else {
        wanted.users = firstUsers(inputs, users);
        wanted.base = std::move(inputs);
        wanted.kernelErrors = true;
    }
    wanted.weights = weightsOf(wanted.base);
    wanted.progress = run.progress;
    std::optional<CurveUnderWay> underWay;
    if (before != nullptr && before->sweep && came) {
        underWay.emplace(*before->sweep, wanted.users);
        wanted.nearFirst = crossingUsers(before->crossovers);
        wanted.arrived = [&underWay, &came, scope = wanted.base.scope](std::span<const SweepPoint> points) {
            underWay->take(points);
            came({underWay->sweep(), crossoversOf(underWay->sweep(), scope, true)});
        };
    }
    Result<SweepResult> swept = preview ? sweep(wanted, stop) : usersCurve(wanted, {}, stop);
    if (!swept) {
        return swept.error();
    }
    *swept = withoutMisfits(std::move(*swept));
    wanted.users = swept->users;
    if (!preview && !stop.stop_requested()) {
        if (Status done = putPresentRuns(*swept, wanted.base, stop); !done) {
            return done.error();
        }
    }
    Curves curves{std::move(*swept), {}};
    if (preview) {
        markPreview(curves.sweep, wanted.base);
        curves.crossovers = crossoversOf(curves.sweep, wanted.base.scope, true);
        return curves;
    }
    if (underWay && !curves.sweep.points.empty()) { // intervals take longer than the curve
        came({curves.sweep, crossoversOf(curves.sweep, wanted.base.scope)});
    }
    CrossoverOptions options;
    options.progress = run.progress;
    Result<std::vector<Crossover>> found = crossoversOf(wanted, curves.sweep, options, stop);
    if (!found) {
        return found.error();
    }
    curves.crossovers = std::move(*found);
    return curves;
}

void findCrossovers(SimulationShown& shown, const SimulationInputs& inputs, const StudyRun& run) {
    if (inputs.arrivals.kind != ArrivalKind::Closed) {
        shown.error = Error{
            "a crossover runs over users who wait for their answers, and turns arrive at " +
                describe(inputs.arrivals),
            "", "users who wait (closed arrivals), or the Simulator, which draws the time over the rate"};
        return;
    }
    const SimulationShown* const before = run.partial != nullptr ? run.partial->preview().get() : nullptr;
    const auto came = [&](Curves curves) {
        SimulationShown partly = *before;
        partly.isPartly = true;
        partly.sweep = shared(std::move(curves.sweep));
        partly.crossovers = std::move(curves.crossovers);
        run.partial->put(shared(std::move(partly)));
    };
    Result<Curves> curves = curvesOf(inputs, shown.stage, run, before, came);
    if (!curves) {
        shown.error = curves.error();
        return;
    }
    shown.sweep = shared(std::move(curves->sweep));
    shown.crossovers = std::move(curves->crossovers);
}

/// With the kernels' times at the present setting and the curve over users, which follow a drag at once. It
/// is of the runs behind these: one setting has one answer on every page. What becomes of a crossing is
/// looked for when refined.
void findWhatPays(SimulationShown& shown, const SimulationInputs& inputs, const StudyRun& run) {
    constexpr std::uint64_t ownSteps = 60; // about as long as the curve over users
    if (run.progress != nullptr) {
        run.progress->planned += ownSteps;
    }
    simulateAt(shown, inputs, {}, {run.stop, run.progress, nullptr}); // its own figure is not there yet
    if (shown.error) {
        return;
    }
    const std::optional<FormatPair>& pair = shown.simulator->pair;
    if (pair && !pair->own.fits && !pair->own.memory.isTooLarge()) { // its runs are of no device
        shown.error = Error{fmt::format("{} at {} {}", pair->own.memory.model, nameOf(pair->own.format),
                                        needWordsOf(pair->own.memory)),
                            "", "fewer users, fewer bits, or another device"};
        return;
    }
    const bool refined = shown.stage == FigureStage::Refined;
    Result<WhatPays> pays = refined
                                ? whatPays(inputs, shown.simulator->overUsers.users, run.stop, PayLook::All)
                                : whatPays(previewOf(inputs), {}, run.stop, PayLook::Kernels);
    if (run.progress != nullptr) {
        run.progress->done += ownSteps;
    }
    if (pays) {
        shown.figure = AnyFigure::of(std::move(*pays));
    } else {
        shown.error = pays.error();
    }
}

void record(SimulationShown& shown, const SimulationInputs& inputs, const StudyRun& run) {
    const bool preview = shown.stage == FigureStage::Preview;
    Result<BatchRecording> recording =
        recordBatch(onComparedTurns(inputs), preview ? previewSteps : recordedSteps, run.stop);
    if (recording) {
        shown.figure = AnyFigure::of(std::move(*recording));
    } else {
        shown.error = recording.error();
    }
}

void reproduce(SimulationShown& shown, const SimulationInputs& inputs, const StudyRun& run) {
    const bool preview = shown.stage == FigureStage::Preview;
    Result<StudyTables> tables = studyTables(inputs, preview ? previewReplicas : studySeeds,
                                             preview ? exactPreviewSteps : studyIterations, 0, run.stop);
    if (tables) {
        tables->isPreview = preview;
        shown.figure = AnyFigure::of(std::move(*tables));
    } else {
        shown.error = tables.error();
    }
}

std::vector<Quantity> quantitiesOfSetting(const SimulationShown& shown) {
    return shown.simulator ? quantitiesOf(*shown.simulator) : std::vector<Quantity>();
}

std::vector<Quantity> quantitiesOfCrossovers(const SimulationShown& shown) {
    std::vector<Crossover> all = shown.crossovers;
    all.insert(all.end(), shown.otherCrossovers.begin(), shown.otherCrossovers.end());
    return quantitiesOf(all);
}

} // namespace

const Study settingStudy{simulateOne, quantitiesOfSetting, &settingStudy, false};
const Study crossoverStudy{findCrossovers, quantitiesOfCrossovers, &crossoverStudy, true};
const Study paysStudy{findWhatPays, quantitiesOfSetting, &settingStudy, false};
const Study batchStudy{record, nullptr, nullptr, false};
const Study publishedStudy{reproduce, nullptr, nullptr, false};

SimulationShown simulated(const SimulationQuestion& question, FigureStage stage, Reused reused,
                          std::stop_token stop, WorkProgress* progress, PartialAnswers* partial) {
    SimulationShown shown;
    shown.question = question;
    shown.stage = stage;
    if (question.sources->error) {
        shown.error = question.sources->error;
        return shown;
    }
    SimulationInputs inputs = inputsOf(question.request, question.sources->sources);
    shown.error = clockProblemOf(inputs);
    if (shown.error) {
        return shown;
    }
    inputs.tables = std::move(reused.tables);
    inputs.schedules = std::move(reused.schedules);
    question.study->compute(shown, inputs, {stop, progress, partial});
    if (!shown.simulator) {
        shown.counts = whatCounts(inputs, shown.sweep ? shown.sweep->memoryWithKv(question.request.weights)
                                                      : memoryFitOf(inputs));
        if (shown.sweep) {
            addModelledShares(shown.counts, modelledSharesOf(*shown.sweep));
        }
    }
    return shown;
}

SimulationShown withOtherScope(SimulationShown shown, Reused reused, std::stop_token stop,
                               WorkProgress* progress) {
    SimulationInputs inputs = inputsOf(shown.question.request, shown.question.sources->sources);
    inputs.tables = std::move(reused.tables);
    inputs.schedules = std::move(reused.schedules);
    if (inputs.arrivals.kind != ArrivalKind::Closed) {
        return shown; // there are no curves over users in either scope
    }
    const bool whole = inputs.scope == StepScope::GemmOnly;
    inputs.scope = whole ? StepScope::WholeStep : StepScope::GemmOnly;
    if (whole && !inputs.cost.model.attention) {
        shown.otherWhyNot = "whole steps: these shapes say nothing of attention; choose those of a model";
        return shown;
    }
    Result<Curves> curves = curvesOf(std::move(inputs), FigureStage::Refined, {stop, progress, nullptr});
    if (curves) {
        shown.otherSweep = shared(std::move(curves->sweep));
        shown.otherCrossovers = std::move(curves->crossovers);
    } else {
        shown.otherWhyNot = curves.error().sentence();
    }
    return shown;
}

} // namespace loadline::app
