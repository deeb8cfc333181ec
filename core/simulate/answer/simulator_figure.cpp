// One simulated setting in detail, its neighbourhood over users and chunk sizes.
#include "core/simulate/answer/simulator_figure.h"

#include "core/base/parallel_for.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/provenance.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/format_pair.h"
#include "core/simulate/study/preview_runs.h"
#include "core/simulate/study/sweep_misfits.h"
#include "core/simulate/study/sweep_sums.h"
#include "core/simulate/study/users_curve.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// The setting itself; refined as many runs as asked for: then every page and command has the same answer.
Result<SimulationReplicas> presentRuns(const SimulatorFigureInputs& inputs,
                                       std::shared_ptr<const CostTables> tables,
                                       std::shared_ptr<ScheduleMemo> schedules,
                                       std::optional<FormatPair>& both, const std::stop_token& stop) {
    SimulationInputs one =
        inputs.stage == FigureStage::Preview ? previewOf(inputs.base) : SimulationInputs(inputs.base);
    one.schedules = std::move(schedules);
    one.tables = std::move(tables);
    if (!comparesFormats(one)) {
        return simulate(one, inputs.threads, stop);
    }
    auto pair = serveFormats(one, inputs.threads, stop);
    if (!pair) {
        return pair.error();
    }
    both = std::move(*pair);
    return both->own.runs;
}

/// Logarithmic bins, four an octave from 8 on, whole numbers below.
std::vector<RowsBin> binsUpTo(std::int64_t most) {
    std::vector<RowsBin> bins;
    double edge = 8;
    for (std::int64_t low = 1; low <= most;) {
        std::int64_t next = low + 1;
        if (low >= 8) {
            edge = std::max(edge, static_cast<double>(low));
            next = std::max(low + 1, static_cast<std::int64_t>(std::llround(edge * std::pow(2.0, 0.25))));
            edge *= std::pow(2.0, 0.25);
        }
        RowsBin bin;
        bin.low = low;
        bin.high = next - 1;
        bins.push_back(bin);
        low = next;
    }
    return bins;
}

/// The serving kernel that takes most of the layers' time at M.
Kernel dominantAt(const CostTable& table, std::int64_t m, const std::vector<Kernel>& kernels) {
    Kernel best = kernels.empty() ? Kernel::CublasFp16 : kernels.front();
    for (const Kernel kernel : kernels) {
        if (table.kernelUs({m, 0}, kernel) > table.kernelUs({m, 0}, best)) {
            best = kernel;
        }
    }
    return best;
}

std::vector<RowsBin> rowsOf(const RowsHistogram& rows, const GemmRates& rates) {
    const auto counts = countsOf(rows);
    if (counts.empty()) {
        return {};
    }
    const auto steps = static_cast<double>(rows.iterations());
    const CostTable& table = rates.table();
    const auto usOf =
        [&](const RowsCount& count) { // the layers': how many rows meet the head, M does not tell
            return static_cast<double>(count.steps) * table.us({count.rows, 0});
        };
    double us = 0;
    for (const RowsCount& count : counts) {
        us += usOf(count);
    }
    std::vector<RowsBin> bins = binsUpTo(counts.back().rows);
    std::size_t place = 0;
    for (const RowsCount& count : counts) {
        if (count.steps == 0) {
            continue;
        }
        while (bins[place].high < count.rows) {
            ++place;
        }
        RowsBin& bin = bins[place];
        const double share = static_cast<double>(count.steps) / steps;
        bin.stepShare += share;
        bin.decodeOnlyShare += static_cast<double>(count.decodeOnly) / steps;
        const Kernel kernel = dominantAt(table, count.rows, rates.kernels());
        bin.stepShareBy[static_cast<std::size_t>(kernel)] += share;
        bin.timeShare += us > 0 ? usOf(count) / us : 0;
    }
    const auto used = [](const RowsBin& bin) { return bin.stepShare > 0; };
    bins.erase(bins.begin(), std::find_if(bins.begin(), bins.end(), used));
    return bins;
}

/// Eight or so of a list that is too long to be simulated step by step; its ends and `kept` are among them.
template <typename T>
std::vector<T> thinned(const std::vector<T>& list, std::size_t most, T kept) {
    std::vector<T> few;
    if (list.size() <= most) {
        few = list;
    } else {
        for (std::size_t i = 0; i < most; ++i) {
            few.push_back(list[i * (list.size() - 1) / (most - 1)]);
        }
    }
    if (std::find(few.begin(), few.end(), kept) == few.end()) {
        few.push_back(kept);
    }
    std::sort(few.begin(), few.end());
    few.erase(std::unique(few.begin(), few.end()), few.end());
    return few;
}

/// Users, or rates, by chunk sizes, where there is anything to lay out; step by step a few of each. What the
/// curve simulated too is the curve's, which has more replicas.
Result<SweepResult> mapOf(const SimulatorFigureInputs& inputs, const SweepInputs& curves,
                          const SweepResult& curve, const std::stop_token& stop) {
    constexpr std::int64_t fastReplicas = 4;
    constexpr std::size_t fewUsers = 9;
    constexpr std::size_t fewChunks = 4;
    const bool fast = goesFast(curves.base);
    const Tokens chunk = chunkOf(curves.base.policy);
    SweepInputs refined = curves;
    if (fast || !isSettling(refined.base)) {
        refined.base.replicas = fast ? fastReplicas : 1;
    } else {
        refined.base.goal = roughGoal();
    }
    refined.users = fast ? inputs.users : thinned(inputs.users, fewUsers, inputs.base.arrivals.users);
    refined.chunks =
        fast ? inputs.chunks : thinned(inputs.chunks, fewChunks, chunk > 0 ? chunk : inputs.chunks.back());
    auto map = inputs.stage == FigureStage::Preview ? previewMapOf(curves.base, inputs.users, inputs.chunks)
                                                    : std::optional(std::move(refined));
    if (!map) {
        return SweepResult();
    }
    map->threads = inputs.threads;
    map->progress = inputs.progress;
    map->latencies = false;
    map->ratesPerS = curves.ratesPerS;
    if (!map->ratesPerS.empty()) {
        map->users.clear();
    }
    auto swept = sweep(*map, stop);
    if (!swept) {
        return swept;
    }
    *swept = withoutMisfits(std::move(*swept));
    for (SweepPoint& point : swept->points) {
        const auto same = std::ranges::find_if(curve.points, [&](const SweepPoint& other) {
            return other.weights == point.weights && other.chunkTokens == point.chunkTokens &&
                   other.load() == point.load();
        });
        if (same != curve.points.end()) {
            point = *same;
        }
    }
    return swept;
}

SimulatorFigure finished(SimulatorFigure figure) {
    if (figure.pair) {
        figure.inputs.policy.maxModelLen = figure.pair->longestRequest;
    }
    figure.sentence = simulatorSentence(figure);
    figure.inputs.schedules.reset(); // an answer keeps no records
    return figure;
}

} // namespace

std::vector<std::int64_t> userGrid(std::int64_t most) {
    std::vector<std::int64_t> grid;
    for (double users = 1; std::llround(users) <= most;
         users = std::max(users + 1, users * std::pow(2.0, 0.1))) {
        grid.push_back(std::llround(users));
    }
    if (grid.empty() || grid.back() != most) {
        grid.push_back(most);
    }
    return grid;
}

std::vector<double> rateGrid(double ratePerS) {
    std::vector<double> grid;
    for (const double part : {0.125, 0.25, 0.5, 0.7, 1.0, 1.4, 2.0, 4.0}) {
        grid.push_back(part * ratePerS);
    }
    return grid;
}

std::vector<Tokens> chunkGrid() {
    return {64, 128, 256, 512, 1024, 2048, 4096, 8192};
}

void SimulatorFigure::setKernelErrors(const KernelDraws& draws) {
    const bool bothRan = pair && pair->own.fits && pair->against.fits && !pair->against.runs.replicas.empty();
    kernelErrors = kernelErrorsOf(draws, inputs, present, bothRan ? &pair->against.all : nullptr);
    timeVsFp16 = withKernelError(timeVsFp16, kernelErrors.timeVsFp16.deviation, z90);
    if (pair) {
        pair->setKernelErrors(kernelErrors);
    }
}

void putPresentInto(SimulatorFigure& figure) {
    const std::optional<FormatPair>& pair = figure.pair;
    if (!pair || !pair->own.fits || !pair->against.fits || pair->against.runs.replicas.empty()) {
        return;
    }
    putPresent(figure.overUsers, figure.inputs, pair->own.runs, &pair->against.runs);
    for (SweepPoint& point : figure.overUsers.points) {
        if (!point.isPreview && point.against) {
            point.kernelError = figure.kernelErrors.timeVsFp16;
            point.against->kernelError = figure.kernelErrors.vsAgainst.value_or(KernelError());
            widenByKernelErrors(point);
        }
    }
    if (figure.inputs.arrivals.kind == ArrivalKind::Closed) { // a rate has no crossover in users
        figure.crossovers = crossoversOf(figure.overUsers, figure.inputs.scope, true);
    }
    figure.sentence = simulatorSentence(figure);
}

Result<SimulatorFigure> simulatorFigure(const SimulatorFigureInputs& inputs, const std::stop_token& stop) {
    const bool compares = comparesFormats(inputs.base);
    if (auto problem = compares ? problemBesidesRoomOf(inputs.base) : problemOf(inputs.base)) {
        return *problem;
    }
    const bool fast = goesFast(inputs.base);
    const bool preview = inputs.stage == FigureStage::Preview;
    const Tokens chunk = chunkOf(inputs.base.policy);
    const bool closed = inputs.base.arrivals.kind == ArrivalKind::Closed;
    const bool atRate = inputs.base.arrivals.kind == ArrivalKind::Poisson;

    // One set of tables for everything; a preview makes do with those of one k.
    std::int64_t rows = rowsReached(inputs.base.policy, inputs.base.arrivals.users, chunk);
    for (const Tokens one : inputs.chunks) {
        rows = std::max(rows,
                        rowsReached(inputs.base.policy, inputs.users.empty() ? 1 : inputs.users.back(), one));
    }
    std::vector<Storage> weights = {inputs.base.cost.format.weights};
    for (const Storage other : inputs.weights) {
        if (!preview && std::find(weights.begin(), weights.end(), other) == weights.end()) {
            weights.push_back(other);
        }
    }
    std::vector<Format> formats = formatsOf(inputs.base.cost.format, weights);
    if (compares) {
        formats.push_back(inputs.base.against);
    }
    const auto tables = CostTables::make(inputs.base, formats, rows);
    if (!tables) {
        return tables.error();
    }
    SimulatorFigure figure;
    figure.inputs = inputs.base;
    figure.inputs.tables = *tables;
    if (!figure.inputs.schedules) {
        figure.inputs.schedules = std::make_shared<ScheduleMemo>();
    }
    figure.stage = inputs.stage;
    const GemmRates& rates = (*tables)->at(inputs.base.cost.format);

    const auto runs = presentRuns(inputs, *tables, figure.inputs.schedules, figure.pair, stop);
    if (!runs) {
        return runs.error();
    }
    if (figure.pair && !figure.pair->own.fits) { // that is the answer
        figure.memory = figure.pair->own.memory;
        figure.provenance = provenanceOf(inputs.base);
        figure.inputs.schedules.reset();
        figure.sentence = simulatorSentence(figure);
        return figure;
    }
    std::vector<double> ratios;
    for (const SimulationResult& run : runs->replicas) {
        ratios.push_back(run.timeVsFp16());
    }
    figure.present = pooled(runs->replicas);
    figure.run = runs->run;
    const SimulationReplicas* const other =
        figure.pair && figure.pair->against.fits ? &figure.pair->against.runs : nullptr;
    figure.timeVsFp16 = bandedOf(figure.present.timeVsFp16(), ratios);
    figure.relativeError = relativeStandardError(ratios);
    std::shared_ptr<const KernelDraws> draws;
    if (!preview) {
        const auto compared = compares ? std::optional(inputs.base.against) : std::nullopt;
        draws = std::make_shared<const KernelDraws>(*tables, std::vector{inputs.base.cost.format}, compared,
                                                    inputs.base.seed, inputs.threads, stop);
        figure.setKernelErrors(*draws);
    }
    figure.modelled = modelledSharesOf(figure.present.gemm);
    figure.rows = rowsOf(figure.present.rows, rates);
    figure.kernels = rates.kernels();
    figure.provenance = provenanceOf(inputs.base);
    figure.memory = memoryFitOf(inputs.base, figure.present);
    if (figure.pair && !(figure.memory.kvBytes > 0)) { // of a policy that counts no blocks
        figure.memory.kvBytes = figure.pair->own.memory.kvBytes;
    }
    if (inputs.presentCame && !stop.stop_requested()) {
        inputs.presentCame(finished(figure));
    }

    SweepInputs curves;
    if (preview) {
        curves = previewCurveOf(figure.inputs, inputs.users);
    } else {
        curves.base = figure.inputs;
        curves.users = firstUsers(inputs.base, inputs.users);
        curves.kernelErrors = true;
        curves.kernelDraws = draws;
    }
    curves.latencies = true;
    curves.threads = inputs.threads;
    curves.progress = inputs.progress;
    if (closed && !stop.stop_requested()) {
        const auto overUsers = preview ? sweep(curves, stop) : usersCurve(curves, {}, stop);
        if (!overUsers) {
            return overUsers.error();
        }
        figure.overUsers = withoutMisfits(*overUsers);
        putPresent(figure.overUsers, inputs.base, *runs, other);
        if (preview) { // the present setting too: its runs are short
            markPreview(figure.overUsers, inputs.base);
        }
        figure.crossovers = crossoversOf(figure.overUsers, inputs.base.scope, preview);
        if (!preview && !fast && !figure.crossovers.empty()) { // else it comes with their intervals
            if (const auto jump = ruleJumpOf(curves.base, figure.overUsers.curve(0, 0), stop);
                jump && *jump) {
                Crossover& crossover = figure.crossovers.front();
                crossover.ruleJump = *jump;
                crossover.sentence = crossoverSentence(crossover);
            }
            Crossover& crossover = figure.crossovers.front();
            if (const auto left =
                    ruleLeftOutOf(curves.base, {crossover.bestUsers, crossover.worstUsers}, stop);
                left && *left) {
                crossover.leftOut = *left;
                crossover.sentence = crossoverSentence(crossover);
            }
        }
    }
    if (atRate && !stop.stop_requested()) {
        curves.users.clear();
        curves.ratesPerS = rateGrid(inputs.base.arrivals.ratePerS);
        const auto overRates = sweep(curves, stop);
        if (!overRates) {
            return overRates.error();
        }
        figure.overUsers = withoutMisfits(*overRates);
        putPresent(figure.overUsers, inputs.base, *runs, other);
    }
    if ((closed || atRate) && !inputs.chunks.empty() && !stop.stop_requested()) {
        auto map = mapOf(inputs, curves, figure.overUsers, stop);
        if (!map) {
            return map.error();
        }
        figure.map = std::move(*map);
    }
    if (!preview && fast && closed && !stop.stop_requested()) {
        SweepInputs all = curves;
        all.users = figure.overUsers.users;
        all.latencies = false;
        all.kernelDraws.reset(); // of one k
        all.weights = weights;
        std::sort(all.weights.begin(), all.weights.end());
        auto crossovers = crossoversOf(all, CrossoverOptions{64, inputs.threads, inputs.progress}, stop);
        if (!crossovers) {
            return crossovers.error();
        }
        figure.crossovers = std::move(*crossovers);
    }
    if (!preview && figure.pair) {
        SimulationInputs whole = inputs.base;
        whole.tables = *tables;
        if (const auto done = serveWhole(*figure.pair, whole, inputs.threads, stop); !done) {
            return done.error();
        }
    }
    return finished(std::move(figure));
}

} // namespace loadline
