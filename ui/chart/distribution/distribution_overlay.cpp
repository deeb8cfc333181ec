// Texts, hatching, marks, brush and read-out of a histogram plot.
#include "ui/chart/distribution/distribution_overlay.h"

#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

QFont titleFont() {
    return fontOf(1.08, true);
}

QFont overlayFont() {
    return fontOf(0.92);
}

QFont smallBold() {
    return fontOf(0.92, true);
}

struct Flag {
    QRectF text; ///< top is relative to the flags' zone
    double x = 0;
    int row = 0; ///< 0 is next to the plot
};

double flagWidth(const DistributionMark& mark) {
    return widthOf(overlayFont(), mark.name + QStringLiteral(" ")) + widthOf(smallBold(), mark.value) + 3;
}

bool covers(const Flag& flag, double x) {
    return flag.text.left() < x && x < flag.text.right();
}

bool overlap(const Flag& a, const Flag& b) {
    return a.text.left() < b.text.right() + 6 && b.text.left() < a.text.right() + 6;
}

/// Texts stand right of their lines; the leftmost one, one that would leave the plot, and those under such a
/// one stand left. Rows rise until no two texts meet and no line goes up through a text.
std::vector<Flag> flagsOf(const DistributionPlot& plot, double left, double plotWidth, double right) {
    const DistributionGeometry& geometry = plot.geometryNumbers();
    std::vector<Flag> flags(geometry.marks.size());
    for (std::size_t i = flags.size(); i-- > 0;) {
        const DistributionMark& mark = geometry.marks[i];
        const double width = flagWidth(mark);
        Flag& flag = flags[i];
        flag.x = left + (mark.at - geometry.xMin) / (geometry.xMax - geometry.xMin) * plotWidth;
        bool leftward = (i == 0 && flag.x - width >= 0) || flag.x + width > right;
        for (std::size_t j = i + 1; j < flags.size(); ++j) {
            leftward = leftward || covers(flags[j], flag.x);
        }
        const double start = std::max(0.0, leftward ? flag.x - width : flag.x + 3);
        flag.text = QRectF(start, 0, width, heightOf(overlayFont()));
    }
    bool changed = true;
    for (int round = 0; changed && round < 8; ++round) {
        changed = false;
        for (std::size_t i = flags.size(); i-- > 0;) {
            for (std::size_t j = flags.size(); j-- > 0;) {
                const bool under = covers(flags[i], flags[j].x) && flags[i].row <= flags[j].row;
                const bool same = i < j && overlap(flags[i], flags[j]) && flags[i].row == flags[j].row;
                if (i != j && (under || same)) {
                    flags[i].row = flags[j].row + 1;
                    changed = true;
                }
            }
        }
    }
    return flags;
}

bool hasKey(const DistributionPlot& plot) {
    return plot.geometryNumbers().inexact > 0 || !plot.geometryNumbers().referenceOutline.empty();
}

QString measureText(Measure measure) {
    switch (measure) {
    case Measure::Count:
        return QStringLiteral("Turns per bin");
    case Measure::Share:
        return QStringLiteral("Share of turns");
    case Measure::Cumulative:
        break;
    }
    return QStringLiteral("Share of turns up to this size");
}

QString subtitle(const DistributionPlot& plot) {
    const Histogram& histogram = plot.histogram();
    const bool input = plot.quantity() == TurnQuantity::Input;
    QString text = measureText(plot.geometryNumbers().measure) + QStringLiteral("  ·  ") +
                   exactText(static_cast<std::int64_t>(histogram.summary.n)) + QStringLiteral(" turns");
    if (histogram.zeros > 0) {
        text += QStringLiteral(" (%1 more without %2)")
                    .arg(exactText(static_cast<std::int64_t>(histogram.zeros)),
                         input ? QStringLiteral("input") : QStringLiteral("output"));
    }
    return text;
}

} // namespace

DistributionRows rowsOf(const DistributionPlot& plot, QSizeF size) {
    const DistributionGeometry& geometry = plot.geometryNumbers();
    DistributionRows rows;
    const double line = heightOf(overlayFont());
    rows.title = heightOf(titleFont()) + line + 2;
    rows.key = hasKey(plot) ? line + 2 : 0;
    double labels = 0;
    for (const AxisTick& tick : geometry.yTicks) {
        labels = std::max(labels, widthOf(overlayFont(), tick.label));
    }
    rows.left = std::ceil(labels) + spacing;
    rows.right = spacing;
    int flagRows = 0;
    for (const Flag& flag : flagsOf(plot, rows.left, size.width() - rows.left - rows.right, size.width())) {
        flagRows = std::max(flagRows, flag.row + 1);
    }
    rows.flags = flagRows * line + spacing / 2.0;
    rows.ticks = line + spacing;
    rows.caption = size.height() > 200 ? line : 0;
    return rows;
}

void DistributionGrid::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/,
                             QWidget* /*widget*/) {
    const QRectF area = plot_->plotArea();
    painter->setPen(QPen(plot_->theme().grid, 1));
    for (const AxisTick& tick : plot_->geometryNumbers().yTicks) {
        const double y = plot_->pixelY(tick.at);
        painter->drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
}

DistributionOverlay::DistributionOverlay(DistributionPlot* plot) : DistributionLayer(plot) {
    setAcceptedMouseButtons(Qt::NoButton);
}

void DistributionOverlay::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/,
                                QWidget* /*widget*/) {
    painter->setRenderHint(QPainter::Antialiasing);
    paintBrush(*painter);
    paintHatching(*painter);
    paintTicks(*painter);
    paintMarks(*painter);
    paintTexts(*painter);
    paintReadOut(*painter);
}

void DistributionOverlay::paintTexts(QPainter& painter) const {
    const Theme& theme = plot_->theme();
    const QRectF area = plot_->plotArea();
    const double width = plot_->size().width();
    const QRectF title(0, 0, width, heightOf(titleFont()));
    const bool input = plot_->quantity() == TurnQuantity::Input;
    drawText(painter, title, leftMiddle, titleFont(), theme.text,
             input ? QStringLiteral("Input per turn") : QStringLiteral("Output per turn"));
    const QRectF below(0, title.bottom(), width, heightOf(overlayFont()));
    drawText(painter, below, leftMiddle, overlayFont(), theme.textMuted, subtitle(*plot_));
    if (hasKey(*plot_)) {
        paintKey(painter, below.bottom() + 2);
    }
    if (plot_->histogram().bins.empty()) {
        drawText(painter, area, Qt::AlignCenter, overlayFont(), theme.textMuted,
                 input ? QStringLiteral("No turn with input in scope")
                       : QStringLiteral("No turn with output in scope"));
    }
}

void DistributionOverlay::paintKey(QPainter& painter, double top) const {
    const bool reference = !plot_->geometryNumbers().referenceOutline.empty();
    const bool bounds = plot_->geometryNumbers().inexact > 0;
    const QString study = QStringLiteral("published study");
    const QString below = QStringLiteral("≥ lower bounds");
    const QString longStudy =
        study + QStringLiteral(", %1 sessions")
                    .arg(exactText(static_cast<std::int64_t>(publishedReference().sessions)));
    const QString longBelow =
        below + QStringLiteral(", %1 turns")
                    .arg(exactText(static_cast<std::int64_t>(plot_->geometryNumbers().inexact)));
    const double line = heightOf(overlayFont());
    const double swatch = 16;
    const double gap = 16;
    const double wanted = (reference ? swatch + 5 + gap + widthOf(overlayFont(), longStudy) : 0) +
                          (bounds ? swatch + 5 + widthOf(overlayFont(), longBelow) : 0);
    const bool fits = wanted <= plot_->size().width();
    double x = 0;
    const auto label = [&](const QString& text) {
        const QRectF rest(x + swatch + 5, top, plot_->size().width() - x - swatch - 5, line);
        x += swatch + 5 + gap +
             drawText(painter, rest, leftMiddle, overlayFont(), plot_->theme().textMuted, text);
    };
    if (reference) {
        painter.setPen(plot_->reference_->pen());
        painter.drawLine(QPointF(x, top + line / 2), QPointF(x + swatch, top + line / 2));
        label(fits ? longStudy : study);
    }
    if (bounds) {
        hatch(painter, QRectF(x, top + 3, swatch, line - 6), plot_->solid_->brush().color(), 4);
        label(fits ? longBelow : below);
    }
}

void DistributionOverlay::paintTicks(QPainter& painter) const {
    const Theme& theme = plot_->theme();
    const DistributionGeometry& geometry = plot_->geometryNumbers();
    const QRectF area = plot_->plotArea();
    const double line = heightOf(overlayFont());
    painter.setPen(QPen(theme.textMuted, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    for (const AxisTick& tick : geometry.yTicks) {
        const double y = plot_->pixelY(tick.at);
        drawText(painter, QRectF(0, y - line / 2, area.left() - 6, line), rightMiddle, overlayFont(),
                 theme.textMuted, tick.label);
    }
    double widest = 0;
    for (const AxisTick& tick : geometry.xTicks) {
        widest = std::max(widest, widthOf(overlayFont(), tick.label));
    }
    const double octave = area.width() / (geometry.xMax - geometry.xMin);
    const int step = std::max(1, static_cast<int>(std::ceil((widest + 12) / octave)));
    for (const AxisTick& tick : geometry.xTicks) {
        const double x = plot_->pixelX(tick.at);
        const bool labelled = static_cast<int>(tick.at) % step == 0;
        painter.setPen(QPen(theme.textMuted, 1));
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + (labelled ? 5 : 3)));
        if (labelled) {
            drawText(painter, QRectF(x - 40, area.bottom() + 5, 80, line), Qt::AlignHCenter | Qt::AlignTop,
                     overlayFont(), theme.textMuted, tick.label);
        }
    }
    if (plot_->size().height() > 200) {
        drawText(painter, QRectF(area.left(), area.bottom() + 5 + line, area.width(), line),
                 Qt::AlignRight | Qt::AlignTop, overlayFont(), theme.textMuted,
                 QStringLiteral("tokens, log scale"));
    }
}

void DistributionOverlay::paintHatching(QPainter& painter) const {
    const DistributionGeometry& geometry = plot_->geometryNumbers();
    if (geometry.inexact == 0) {
        return;
    }
    const QColor full = plot_->solid_->brush().color();
    const QColor dim = plot_->dim_->brush().color();
    const double gap = geometry.measure == Measure::Cumulative ? 0 : 0.06;
    const QFont signFont = fontOf(1.3); // smaller or bold, the sign reads as letters
    const double tall = heightOf(signFont);
    for (const DistributionBar& bar : geometry.bars) {
        if (bar.total <= bar.exact) {
            continue;
        }
        const double inset = gap * std::min(1.0, bar.right - bar.left);
        const double left = plot_->pixelX(bar.left + inset);
        const double right = plot_->pixelX(bar.right - inset);
        const auto part = [&](double from, double to, const QColor& color) {
            const QRectF rect(QPointF(left, plot_->pixelY(to)), QPointF(right, plot_->pixelY(from)));
            if (rect.height() <= 0) {
                return;
            }
            hatch(painter, rect, color, 5, 1.5);
            // Sides without a top: open towards larger counts.
            if (geometry.measure != Measure::Cumulative) {
                painter.setPen(QPen(color, 1));
                painter.drawLine(QPointF(left + 0.5, rect.top()), QPointF(left + 0.5, rect.bottom()));
                painter.drawLine(QPointF(right - 0.5, rect.top()), QPointF(right - 0.5, rect.bottom()));
            }
        };
        const double hit = std::clamp(bar.hit, bar.exact, bar.total);
        part(bar.exact, hit, full);
        part(hit, bar.total, dim);
        const double top = plot_->pixelY(bar.total);
        if (plot_->histogram().kind == BinKind::PowerOfTwo && right - left > 14 &&
            top - tall > plot_->plotArea().top() && geometry.measure != Measure::Cumulative &&
            plot_->pixelY(bar.exact) - top > 1) {
            drawText(painter, QRectF(left, top - tall, right - left, tall),
                     Qt::AlignHCenter | Qt::AlignBottom, signFont, plot_->theme().text, QStringLiteral("≥"));
        }
    }
}

void DistributionOverlay::paintMarks(QPainter& painter) const {
    const Theme& theme = plot_->theme();
    const DistributionGeometry& geometry = plot_->geometryNumbers();
    const QRectF area = plot_->plotArea();
    const double line = heightOf(overlayFont());
    const std::vector<Flag> flags = flagsOf(*plot_, area.left(), area.width(), plot_->size().width());
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const Flag& flag = flags[i];
        const DistributionMark& mark = geometry.marks[i];
        const double top = area.top() - spacing / 4.0 - (flag.row + 1) * line;
        const QColor thin = faded(theme.text, 0.55);
        painter.setPen(QPen(thin, 1));
        painter.drawLine(QPointF(flag.x, top + 2), QPointF(flag.x, area.bottom()));
        QRectF text = flag.text.translated(0, top);
        const double used = drawText(painter, text, leftMiddle, overlayFont(), theme.textMuted,
                                     mark.name + QStringLiteral(" "));
        text.setLeft(text.left() + used);
        text.setWidth(text.width() + 20);
        drawText(painter, text, leftMiddle, smallBold(), theme.text, mark.value);
    }
}

void DistributionOverlay::paintBrush(QPainter& painter) const {
    if (!plot_->state().brush) {
        return;
    }
    const auto [first, last] = *plot_->state().brush;
    const QRectF band = plot_->columnRect(first).united(plot_->columnRect(last));
    const QColor soft = faded(plot_->theme().accent, 0.10);
    painter.fillRect(band, soft);
    painter.fillRect(QRectF(band.left(), band.bottom() - 1, band.width(), 3), plot_->theme().accent);
}

void DistributionOverlay::paintReadOut(QPainter& painter) const {
    const DistributionPlotState& state = plot_->state();
    const Theme& theme = plot_->theme();
    if (state.focusBin >= 0) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(plot_->columnRect(state.focusBin).adjusted(0, 1, 0, 1), 3, 3);
    }
    if (state.readOutBin < 0) {
        return;
    }
    const DistributionBar& bar = plot_->geometryNumbers().bars[static_cast<std::size_t>(state.readOutBin)];
    const QRectF column(QPointF(plot_->pixelX(bar.left), plot_->pixelY(bar.total)),
                        QPointF(plot_->pixelX(bar.right), plot_->plotArea().bottom()));
    if (state.focusBin != state.readOutBin) {
        painter.setPen(QPen(theme.text, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(column);
    }
    drawReadOut(painter, QPointF(column.right(), column.top()), plot_->plotArea(),
                readOut(plot_->histogram(), plot_->quantity(), state.readOutBin), theme);
}

} // namespace loadline::ui
