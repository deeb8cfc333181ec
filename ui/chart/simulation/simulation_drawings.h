// The drawings of the simulation pages.
#pragma once

#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/sensitivity.h"
#include "ui/chart/plot_drawing.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace loadline::ui {

enum class SimulationChart {
    Users,   ///< time against fp16 over users, with the marker of the present users
    Rows,    ///< how often a step has M rows, by serving kernel
    Kernels, ///< where the time goes, beside fp16
    Decode,  ///< share of steps that only decode, over users
    Latency, ///< throughput, TTFT and TPOT over users
    Map,     ///< time against fp16 over users and chunk sizes
};
inline constexpr std::array simulationCharts = {SimulationChart::Users,   SimulationChart::Rows,
                                                SimulationChart::Kernels, SimulationChart::Decode,
                                                SimulationChart::Latency, SimulationChart::Map};
/// "Against fp16"
QString titleOf(SimulationChart chart);

/// What the hand has set since the figure was computed: it is drawn at once, what follows from it later.
struct SetByHand {
    std::optional<double> load; ///< users, or turns a second
    std::optional<Tokens> chunkTokens;
    std::optional<std::array<double, kernelCount>> timeScale; ///< by Kernel
};

/// The figure that another is drawn against; dashed, in its own colour. Null: none is.
struct PinnedFigure {
    std::shared_ptr<const SimulatorFigure> figure;
    QString now = QStringLiteral("now"); ///< what the legend calls the figure itself
    QString name;                        ///< and the pinned one
};

std::unique_ptr<PlotDrawing> drawingOf(SimulationChart chart, std::shared_ptr<const SimulatorFigure> figure,
                                       const PlotExtents& held = {}, const PinnedFigure& pinned = {},
                                       const SetByHand& hand = {});

/// Curves of every k, and where they cross 1.
struct CrossoverCurves {
    std::shared_ptr<const SweepResult> sweep;
    std::vector<Crossover> crossovers;
    /// In the other scope (whole steps beside GEMMs alone); null and empty while there is none.
    std::shared_ptr<const SweepResult> otherSweep;
    std::vector<Crossover> otherCrossovers;
    QString otherWhyNot; ///< why not, in words
    int kBits = 4;       ///< the chosen k
    std::int64_t users = 1;
    QString name;    ///< of pinned curves, in the legend
    QString remarks; ///< sentences behind the answer
};

/// With intervals; of `pinned` the curve of its chosen k, if it has a sweep.
std::unique_ptr<PlotDrawing> drawingOf(CrossoverCurves curves, const PlotExtents& held = {},
                                       const CrossoverCurves& pinned = {});

/// What each kernel takes and what a faster one would buy.
std::unique_ptr<PlotDrawing> drawingOf(std::shared_ptr<const WhatPays> pays);

/// Time of each timed kernel over M; curves are dragged up and down.
std::unique_ptr<PlotDrawing> kernelCurvesOf(std::shared_ptr<const SimulatorFigure> figure,
                                            const PlotExtents& held = {}, const SetByHand& hand = {});

/// A kernel's colour in every chart.
QColor colourOf(Kernel kernel, const Theme& theme);
/// Of everything pinned.
QColor pinnedColour(const Theme& theme);
/// Whether it is drawn hatched: another kind than its colour's plain one.
bool isHatched(Kernel kernel);

} // namespace loadline::ui
