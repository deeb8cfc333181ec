// Panels of latencies over users: which curves, on which axes.
#include "ui/chart/simulation/latency_panels.h"

#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace loadline::ui {
namespace {

using ServedFigure = Banded ServedFigures::*;

struct PanelFigure {
    std::string_view name;
    ServedFigure figure;
    LatencyInk ink;
};

struct PanelSpec {
    const char* title;
    bool isTime;
    std::vector<PanelFigure> figures;
};

const std::array<PanelSpec, latencyPanelCount>& panelSpecs() {
    static const std::array<PanelSpec, latencyPanelCount> specs = {
        {{"tokens/s", false, {{"mean", &ServedFigures::throughputTokensPerS, LatencyInk::Median}}},
         {"TTFT",
          true,
          {{"p50", &ServedFigures::ttftP50S, LatencyInk::Median},
           {"p99", &ServedFigures::ttftP99S, LatencyInk::Tail}}},
         {"TPOT",
          true,
          {{"p50", &ServedFigures::tpotP50S, LatencyInk::Median},
           {"p99", &ServedFigures::tpotP99S, LatencyInk::Tail}}},
         {"end to end, mean", true, {{"mean", &ServedFigures::e2eMeanS, LatencyInk::Median}}}}};
    return specs;
}

/// No turn was answered, or none had a second token: there is no latency.
Banded knownOrNone(const Banded& value) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return value.value > 0 ? value : Banded{none, none, none};
}

bool compares(std::span<const SweepPoint> points) {
    return std::ranges::any_of(points, [](const SweepPoint& point) { return point.against.has_value(); });
}

std::vector<LatencyCurve> curvesOf(const PanelSpec& panel, std::span<const SweepPoint> points) {
    std::vector<LatencyCurve> curves;
    for (const PanelFigure& one : panel.figures) {
        curves.push_back({one.name, false, one.ink,
                          [figure = one.figure](const SweepPoint& p) { return knownOrNone(p.*figure); }});
    }
    for (const PanelFigure& one : panel.figures) {
        if (compares(points)) {
            curves.push_back({one.name, true, one.ink, [figure = one.figure](const SweepPoint& p) {
                                  return knownOrNone(p.against ? p.against->figures.*figure : Banded());
                              }});
        }
    }
    return curves;
}

struct Reach {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;

    void take(double value) {
        if (value > 0 && std::isfinite(value)) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
};

Reach reachOf(const PanelSpec& panel, std::span<const SweepPoint> points,
              std::span<const SweepPoint> pinned) {
    Reach reach;
    for (const LatencyCurve& curve : curvesOf(panel, points)) {
        for (const SweepPoint& point : points) {
            const Banded value = curve.value(point);
            reach.take(value.value);
            if (!curve.other && curve.ink == LatencyInk::Median) { // its band is drawn
                reach.most = std::max(reach.most, std::isfinite(value.high) ? value.high : 0);
            }
        }
    }
    for (const SweepPoint& point : pinned) {
        reach.take((point.*panel.figures.front().figure).value);
    }
    return reach.most > 0 ? reach : Reach{1, 1};
}

} // namespace

PlotExtents latencyExtentsOf(std::span<const SweepPoint> points, std::span<const SweepPoint> pinned,
                             const PlotExtents& held) {
    PlotExtents extents;
    for (const PanelSpec& panel : panelSpecs()) {
        const Reach reach = reachOf(panel, points, pinned);
        extents.push_back(reach.most);
        extents.push_back(1 / reach.least);
    }
    return atLeast(std::move(extents), held);
}

std::vector<LatencyPanel> latencyPanelsOf(std::span<const SweepPoint> points,
                                          std::span<const SweepPoint> pinned, const PlotExtents& held) {
    const PlotExtents extents = latencyExtentsOf(points, pinned, held);
    std::vector<LatencyPanel> panels;
    for (std::size_t i = 0; i < latencyPanelCount; ++i) {
        const PanelSpec& panel = panelSpecs()[i];
        const QString title = QString::fromUtf8(panel.title);
        const double most = extents[2 * i];
        const XyAxis axis = panel.isTime ? latencyAxis(title, 1 / extents[2 * i + 1], most)
                                         : XyAxis{title, 0, niceAbove(most)};
        panels.push_back({axis, curvesOf(panel, points)});
    }
    return panels;
}

QStringList latencyWords(const QString& format, const ServedFigures& figures) {
    const auto time = [](const Banded& s) {
        return s.value > 0 ? secondsText(s.value) : QStringLiteral("none");
    };
    return {QStringLiteral("%1: %2 tokens/s; end to end %3 on average")
                .arg(format, countText(figures.throughputTokensPerS.value), time(figures.e2eMeanS)),
            QStringLiteral("TTFT p50 %1, p99 %2; TPOT p50 %3, p99 %4")
                .arg(time(figures.ttftP50S), time(figures.ttftP99S), time(figures.tpotP50S),
                     time(figures.tpotP99S))};
}

} // namespace loadline::ui
