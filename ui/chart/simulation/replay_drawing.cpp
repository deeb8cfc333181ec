// A replayed trace: throughput and latency of the log's own server and of the simulated ones, as bars.
#include "core/simulate/answer/replayed.h"
#include "core/simulate/answer/what_counts.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/latency_panels.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace loadline::ui {
namespace {

struct ReplayBar {
    QString server;
    double value = 0; ///< 0: not known
};

/// One figure of every server, on its own scale.
struct ReplayGroup {
    QString name; ///< with its unit or quantile
    bool isTime = false;
    std::vector<ReplayBar> bars;
};

std::vector<ReplayGroup> groupsOf(const std::vector<ReplayedServer>& servers) {
    const auto group = [&](const QString& name, bool isTime, const auto& valueOf) {
        ReplayGroup made{name, isTime, {}};
        for (const ReplayedServer& server : servers) {
            made.bars.push_back({QString::fromStdString(server.name), valueOf(server)});
        }
        return made;
    };
    return {group(QStringLiteral("output tokens/s"), false,
                  [](const ReplayedServer& server) { return server.tokensPerS; }),
            group(QStringLiteral("latency, p50"), true,
                  [](const ReplayedServer& server) { return server.e2eS.p50; }),
            group(QStringLiteral("latency, p90"), true,
                  [](const ReplayedServer& server) { return server.e2eS.p90; }),
            group(QStringLiteral("latency, p99"), true,
                  [](const ReplayedServer& server) { return server.e2eS.p99; })};
}

QString valueText(const ReplayGroup& group, const ReplayBar& bar) {
    return !(bar.value > 0) ? QStringLiteral("not known")
           : group.isTime   ? secondsText(bar.value)
                            : realText(bar.value, 3);
}

class ReplayDrawing : public SimulatorDrawing {
public:
    using SimulatorDrawing::SimulatorDrawing;

    [[nodiscard]] QString title() const override { return titleOf(SimulationChart::Latency); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const std::vector<ReplayGroup> groups = groupsOf(replayedServersOf(figure()));
        if (groups.front().bars.empty()) {
            paintNothing(painter, area, theme, QString::fromStdString(whyNoLatencies(figure().inputs)));
            return;
        }
        const double most = mostS(groups);
        double top = area.top();
        const double height = area.height() / static_cast<double>(groups.size());
        for (const ReplayGroup& group : groups) {
            paintGroup(painter, QRectF(area.left(), top, area.width(), height), group, most, theme);
            top += height;
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!area.contains(at)) {
            return {};
        }
        const std::vector<ReplayGroup> groups = groupsOf(replayedServersOf(figure()));
        const auto count = static_cast<double>(groups.size());
        const auto place = static_cast<std::size_t>((at.y() - area.top()) / area.height() * count);
        const ReplayGroup& group = groups[std::min(place, groups.size() - 1)];
        QStringList lines{group.name};
        for (const ReplayBar& bar : group.bars) {
            lines << QStringLiteral("%1: %2").arg(bar.server, valueText(group, bar));
        }
        return lines;
    }

protected:
    [[nodiscard]] Table tableOf(const SimulatorFigure& figure) const override { return replayTable(figure); }

private:
    /// All latencies share a scale.
    static double mostS(const std::vector<ReplayGroup>& groups) {
        double most = 0;
        for (const ReplayGroup& group : groups) {
            for (const ReplayBar& bar : group.bars) {
                most = group.isTime ? std::max(most, bar.value) : most;
            }
        }
        return most;
    }

    [[nodiscard]] QColor colourOfServer(const QString& server, std::size_t place, const Theme& theme) const {
        const bool isLog = place == 0 && server == QStringLiteral("log");
        const bool isAgainst = server == QString::fromStdString(nameOf(figure().inputs.against));
        return isLog ? theme.accent : isAgainst ? theme.cublas : theme.text;
    }

    void paintGroup(QPainter& painter, const QRectF& place, const ReplayGroup& group, double most,
                    const Theme& theme) const {
        const QFont font = fontOf(0.82);
        const double line = heightOf(font);
        const auto rows = static_cast<double>(group.bars.size());
        const double title = place.height() > line * (rows + 1) ? line : 0; // else the read-out names it
        drawText(painter, QRectF(place.left(), place.top(), place.width(), title), leftMiddle, font,
                 theme.textMuted, group.name);
        double head = 0;
        double tail = 0;
        double scale = group.isTime ? most : 0;
        for (const ReplayBar& bar : group.bars) {
            head = std::max(head, widthOf(font, bar.server) + spacing);
            tail = std::max(tail, widthOf(font, valueText(group, bar)) + spacing);
            scale = group.isTime ? scale : std::max(scale, bar.value);
        }
        const double full = std::max(place.width() - head - tail, 1.0);
        const double row = std::min((place.height() - title) / rows, 1.4 * line);
        for (std::size_t i = 0; i < group.bars.size(); ++i) {
            const ReplayBar& bar = group.bars[i];
            const double top = place.top() + title + row * static_cast<double>(i);
            drawText(painter, QRectF(place.left(), top, head, row), leftMiddle, font, theme.text, bar.server);
            const double length = scale > 0 ? full * bar.value / scale : 0;
            const QRectF box(place.left() + head, top + 0.15 * row, length, 0.7 * row);
            painter.fillRect(box, faded(colourOfServer(bar.server, i, theme), preview() ? 0.5 : 0.85));
            drawText(painter, QRectF(box.right() + 4, top, tail, row), leftMiddle, font, theme.text,
                     valueText(group, bar));
        }
    }
};

} // namespace

std::unique_ptr<PlotDrawing> replayDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned) {
    return std::make_unique<ReplayDrawing>(std::move(figure), std::move(held), std::move(pinned));
}

} // namespace loadline::ui
