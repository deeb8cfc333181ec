// Made-up figures of simulations, and what is painted of them, for tests of drawings.
#pragma once

#include "core/simulate/plot/simulation_plots.h"
#include "core/simulate/request/simulation_fields.h"
#include "ui/plot/report_drawing.h"

#include <QImage>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadline::ui::made_up {

inline SweepPoint pointOf(std::int64_t users, Tokens chunk, double ratio) {
    SweepPoint point;
    point.users = users;
    point.chunkTokens = chunk;
    point.weights = Storage::K4;
    point.timeVsFp16 = {ratio, ratio * 0.9, ratio * 1.1};
    point.averageM = {static_cast<double>(users), 1, 2};
    point.decodeOnlyFraction = {1.0 / static_cast<double>(users), 0, 1};
    point.throughputTokensPerS = {1000.0 * static_cast<double>(users), 900, 300'000};
    point.ttftP50S = point.ttftP90S = {0.1, 0.05, 0.2};
    point.tpotP50S = point.tpotP90S = {0.01, 0.005, 0.02};
    return point;
}

inline SweepResult sweepOf(std::vector<Tokens> chunks, double scale = 1) {
    SweepResult sweep;
    sweep.users = {1, 4, 16, 64, 256};
    sweep.chunks = std::move(chunks);
    sweep.weights = {Storage::K4};
    for (const Tokens chunk : sweep.chunks) {
        for (const std::int64_t users : sweep.users) {
            sweep.points.push_back(
                pointOf(users, chunk, scale * std::pow(static_cast<double>(users), 0.2) / 2));
        }
    }
    return sweep;
}

inline SimulatorFigure figureOf() {
    SimulatorFigure figure;
    figure.inputs.arrivals.users = 16;
    figure.inputs.cost.model.attention = AttentionFacts{}; // of a whole model: it has latencies
    figure.inputs.policy.policy = Policy::SinglePrefill;
    figure.inputs.policy.chunkTokens = 512;
    figure.overUsers = sweepOf({512});
    figure.map = sweepOf({64, 512, 4096});
    figure.timeVsFp16 = {0.9, 0.85, 0.95};
    figure.kernels = {Kernel::Scalar, Kernel::DequantCublas};
    figure.present.rows.steps = {0, 10, 5};
    figure.present.gemm.us = 100;
    figure.present.gemm.fp16Us = 120;
    figure.present.gemm.kernelUs[static_cast<std::size_t>(Kernel::Scalar)] = 40;
    figure.present.gemm.kernelUs[static_cast<std::size_t>(Kernel::DequantCublas)] = 60;
    RowsBin bin;
    bin.low = bin.high = 1;
    bin.stepShare = bin.decodeOnlyShare = 0.7;
    bin.timeShare = 0.2;
    bin.stepShareBy[static_cast<std::size_t>(Kernel::Scalar)] = 0.7;
    figure.rows.push_back(bin);
    bin.low = 2;
    bin.high = 600;
    bin.stepShare = 0.3;
    bin.timeShare = 0.8;
    bin.stepShareBy = {};
    bin.stepShareBy[static_cast<std::size_t>(Kernel::DequantCublas)] = 0.3;
    figure.rows.push_back(bin);
    figure.sentence = "With 16 users it is so.";
    return figure;
}

inline std::shared_ptr<const SimulatorFigure> shared(SimulatorFigure figure) {
    return std::make_shared<const SimulatorFigure>(std::move(figure));
}

using ReportOf = ask::Report (*)(const SettingShown&);
inline constexpr std::array<ReportOf, 6> settingReports = {usersReport,  rowsReport,    kernelShareReport,
                                                           decodeReport, latencyReport, mapReport};

inline QString titleOf(ReportOf chart) {
    return chart == usersReport         ? QStringLiteral("Against fp16")
           : chart == rowsReport        ? QStringLiteral("Rows M of a step")
           : chart == kernelShareReport ? QStringLiteral("Where the time goes")
           : chart == decodeReport      ? QStringLiteral("Steps that only decode")
           : chart == latencyReport     ? QStringLiteral("Throughput and latencies")
                                        : QStringLiteral("Users or rate, and chunk size");
}

/// A figure, and the names of both in the legend.
struct Pinned {
    std::shared_ptr<const SimulatorFigure> figure;
    std::string now, name;
};

/// Returns what the window draws. `hand`: the setting as it is since that was computed.
inline std::unique_ptr<PlotDrawing> drawn(ReportOf reportOf, std::shared_ptr<const SimulatorFigure> figure,
                                          const PlotExtents& held = {}, const Pinned& pinned = {},
                                          const std::optional<SimulationRequest>& hand = {}) {
    SettingShown shown(std::move(figure), pinned.figure);
    shown.nowName = pinned.now;
    shown.pinnedName = pinned.name;
    shown.hand = hand;
    return drawingOf(reportOf(shown), simulationFields(), {}, held);
}

/// The value that a change gives a field; nothing: it does not.
inline std::optional<double> valueIn(const std::optional<PlotChange>& change, const std::string& field) {
    for (const PlotFieldChange& one : change ? change->fields : std::vector<PlotFieldChange>()) {
        if (one.field == field) {
            return one.value;
        }
    }
    return std::nullopt;
}

inline QImage painted(const Drawing& drawing, QSize size, ThemeKind theme) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::of(theme).panel);
    QPainter painter(&image);
    drawing.paint(painter, QRectF(QPointF(0, 0), QSizeF(size)), Theme::of(theme));
    return image;
}

inline CrossoverCurves curvesOf(std::shared_ptr<const SweepResult> sweep, std::vector<Crossover> crossovers) {
    CrossoverCurves curves;
    curves.sweep = std::move(sweep);
    curves.crossovers = std::move(crossovers);
    curves.users = 16;
    return curves;
}

inline bool hasInk(const QImage& image) {
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixel(x, y) != image.pixel(0, 0)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace loadline::ui::made_up
