// The answers of simulations as plots: what each chart shows, for whoever paints it.
#pragma once

#include "core/ask/report.h"
#include "core/simulate/answer/batch.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/study/sensitivity.h"
#include "core/simulate/study/study_tables.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// A figure, and what it is drawn against.
struct SettingShown {
    std::shared_ptr<const SimulatorFigure> figure;
    std::shared_ptr<const SimulatorFigure> pinned; ///< null: nothing
    std::string nowName = "now", pinnedName;       ///< in the legend
    /// The request while a hand drags: its load, chunk and kernel times may be newer than the figure's.
    std::optional<SimulationRequest> hand = {};

    SettingShown() = default;
    /// Nothing is drawn against what does not fit.
    explicit SettingShown(std::shared_ptr<const SimulatorFigure> now,
                          std::shared_ptr<const SimulatorFigure> against = nullptr)
        : figure(std::move(now)),
          pinned(against && against->memory.isTooLarge() ? nullptr : std::move(against)) {}
};

// A plot each, with the table of its CSV. Where the weights do not fit, they are a plot of the weights.
ask::Report usersReport(const SettingShown& shown);       ///< against fp16 over users
ask::Report decodeReport(const SettingShown& shown);      ///< steps that only decode, over users
ask::Report latencyReport(const SettingShown& shown);     ///< throughput and latencies: panels
ask::Report rowsReport(const SettingShown& shown);        ///< how often a step has M rows, by kernel
ask::Report kernelShareReport(const SettingShown& shown); ///< where the time goes, beside fp16
ask::Report mapReport(const SettingShown& shown);         ///< against fp16 over users and chunk sizes
ask::Report kernelTimesReport(const SettingShown& shown); ///< each timed kernel over M, to be dragged

/// Curves of every k, and where they cross 1.
struct CrossoverCurves {
    std::shared_ptr<const SweepResult> sweep;
    std::vector<Crossover> crossovers;
    /// In the other scope (whole steps beside GEMMs alone); null and empty while there is none.
    std::shared_ptr<const SweepResult> otherSweep;
    std::vector<Crossover> otherCrossovers;
    std::string otherWhyNot;       ///< why not, in words
    Storage weights = Storage::K4; ///< the chosen ones
    std::int64_t users = 1;
    std::string name;    ///< of pinned curves, in the legend
    std::string remarks; ///< sentences behind the answer
};

/// With intervals; of `pinned` the curve of its chosen k, if it has a sweep.
ask::Report crossoverReport(const CrossoverCurves& curves, const CrossoverCurves& pinned = {});

/// Returns the time share of each kernel and the gain of making it faster.
ask::Report whatPaysReport(const std::shared_ptr<const WhatPays>& pays);
/// The published study over users: what was printed, and what each reading gives with its spread.
ask::Report studyUsersReport(const std::shared_ptr<const StudyTables>& tables);
/// The single user's turn.
ask::Report studyTurnReport(const std::shared_ptr<const StudyTables>& tables);
/// The requests of one step with their tokens, and its kernels. `step` is held within the recording.
ask::Report batchStepReport(const std::shared_ptr<const BatchRecording>& recording, std::int64_t step);

} // namespace loadline
