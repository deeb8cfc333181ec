// One point of a profile.
#include "ui/panel/kernels/point_panel.h"

#include "core/cost/profile/unsteady.h"
#include "ui/chart/kernels/kernel_paint.h"
#include "ui/chart/paint_help.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

/// Samples as dots from the shortest to the longest, in the order they were taken from top to bottom; the
/// quartiles as a band, the median as a line.
class SampleStrip : public QWidget {
public:
    explicit SampleStrip(QWidget* parent) : QWidget(parent) {
        setFixedHeight(104);
        setAccessibleName(tr("Samples"));
    }

    void setPoint(const std::optional<PointShown>& point) {
        point_ = point;
        const bool any = point_ && (point_->samples.size() > 1 || point_->point.p25Us);
        setVisible(any);
        update();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        if (!point_) {
            return;
        }
        const Theme& theme = themeOf(*this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const ProfilePoint& point = point_->point;
        double low = point.minUs.value_or(point.p25Us.value_or(point.timeUs));
        double high = point.p75Us.value_or(point.timeUs);
        for (const BenchSample& sample : point_->samples) {
            low = std::min(low, sample.us);
            high = std::max(high, sample.us);
        }
        const double room = std::max(high - low, 1e-3 * point.timeUs);
        const QFont font = fontOf(0.82);
        const QRectF plot = QRectF(rect()).adjusted(6, 2, -6, -heightOf(font) - 4);
        const auto x = [&](double us) { return plot.left() + (us - low) / room * plot.width(); };
        painter.fillRect(plot, theme.plotGround);
        if (point.p25Us && point.p75Us) {
            painter.fillRect(QRectF(QPointF(x(*point.p25Us), plot.top()),
                                    QPointF(std::max(x(*point.p75Us), x(*point.p25Us) + 1), plot.bottom())),
                             theme.grid);
        }
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawLine(QPointF(x(point.timeUs), plot.top()), QPointF(x(point.timeUs), plot.bottom()));
        const QColor color = colourOf(point.kernel, theme);
        const auto count = static_cast<double>(point_->samples.size());
        double most = 0;
        for (const BenchSample& sample : point_->samples) {
            most = std::max(most, sample.clockMhz);
        }
        for (std::size_t i = 0; i < point_->samples.size(); ++i) {
            const BenchSample& sample = point_->samples[i];
            const double y = plot.top() + (static_cast<double>(i) + 0.5) / count * plot.height();
            const bool slow = sample.clockMhz > 0 && sample.clockMhz < 0.95 * most;
            painter.setPen(QPen(slow ? theme.warning : color, 1.3));
            painter.setBrush(slow ? Qt::NoBrush : QBrush(color));
            painter.drawEllipse(QPointF(x(sample.us), y), 2.6, 2.6);
        }
        const QRectF below(plot.left(), plot.bottom() + 2, plot.width(), heightOf(font));
        drawText(painter, below, Qt::AlignLeft | Qt::AlignVCenter, font, theme.textMuted, usText(low));
        drawText(painter, below, Qt::AlignRight | Qt::AlignVCenter, font, theme.textMuted, usText(high));
    }

private:
    std::optional<PointShown> point_;
};

namespace {

QString timesText(const ProfilePoint& point) {
    QString text = usText(point.timeUs);
    if (point.p25Us && point.p75Us) {
        text += PointPanel::tr("\nmiddle half: %1 to %2").arg(usText(*point.p25Us), usText(*point.p75Us));
    }
    if (point.minUs) {
        text += PointPanel::tr("\nshortest: %1").arg(usText(*point.minUs));
    }
    if (point.repeatUs) {
        text += PointPanel::tr("\ntimed again later: %1").arg(usText(*point.repeatUs));
    }
    if (point.betweenRuns) {
        text += PointPanel::tr("\nanother run: %1 to %2")
                    .arg(usText(point.timeUs * std::exp(-*point.betweenRuns)),
                         usText(point.timeUs * std::exp(*point.betweenRuns)));
    }
    if (point.isolatedUs) {
        text += PointPanel::tr("\none call by itself, caches cold: %1").arg(usText(*point.isolatedUs));
    }
    if (point.driftedUs) {
        text += PointPanel::tr("\ntimed again; at first, while the device drifted: %1")
                    .arg(usText(*point.driftedUs));
    }
    return text;
}

QString samplesText(const PointShown& shown) {
    QString text = shown.point.samples > 0 ? PointPanel::tr("%1 samples").arg(shown.point.samples)
                                           : PointPanel::tr("number of samples not known");
    if (shown.dropped > 0) {
        text +=
            PointPanel::tr(", %1 dropped: the clock was too low, or other programs ran").arg(shown.dropped);
    }
    if (shown.samples.empty() && shown.point.samples > 1) {
        text += PointPanel::tr("; a profile keeps their summary only");
    }
    return text;
}

QString clockText(const PointShown& shown) {
    if (shown.point.clockMhz <= 0) {
        return PointPanel::tr("clock: the device does not tell");
    }
    double low = shown.point.clockMhz;
    double high = low;
    for (const BenchSample& sample : shown.samples) {
        if (sample.clockMhz > 0) {
            low = std::min(low, sample.clockMhz);
            high = std::max(high, sample.clockMhz);
        }
    }
    const QString median = PointPanel::tr("clock: %1 MHz").arg(exactText(std::llround(shown.point.clockMhz)));
    return low == high ? median
                       : median + PointPanel::tr(" (%1 to %2)")
                                      .arg(exactText(std::llround(low)), exactText(std::llround(high)));
}

} // namespace

QString flagText(const std::string& flag) {
    if (flag == "noisy") {
        return PointPanel::tr("noisy: the middle half of the samples spans more than 5 %");
    }
    if (flag == "bimodal") {
        return PointPanel::tr("bimodal: the samples fall into two groups more than 10 % apart");
    }
    if (flag == "throttled") {
        return PointPanel::tr("throttled: too many samples ran at a low clock, even when timed again");
    }
    if (flag == "drift") {
        return PointPanel::tr("drift: the anchor point moved by more than 3 % around it");
    }
    if (flag == "implausible") {
        return PointPanel::tr("implausible: one call by itself takes another time than calls in a row");
    }
    if (flag == warmFlag) {
        return PointPanel::tr("warm: faster than the datasheet's memory is read, so its weights came from a "
                              "cache; a serving step reads them from memory");
    }
    if (flag == unvalidatedFlag) {
        return PointPanel::tr(
            "unvalidated: calculated by a model that no measured GPU was compared with; there "
            "is no error bar");
    }
    return QString::fromStdString(flag);
}

PointPanel::PointPanel(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), strip_(new SampleStrip(this)), facts_(new QLabel(this)),
      close_(new QToolButton(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing, spacing, spacing, spacing);
    column->setSpacing(spacing);
    auto* head = new QHBoxLayout;
    title_->setFont(fontOf(1, true));
    title_->setWordWrap(true);
    head->addWidget(title_, 1);
    close_->setAutoRaise(true);
    close_->setAccessibleName(tr("Close the point"));
    setTip(close_, tr("Close (Esc in the chart)"));
    head->addWidget(close_, 0, Qt::AlignTop);
    column->addLayout(head);
    column->addWidget(strip_);
    facts_->setWordWrap(true);
    facts_->setTextFormat(Qt::RichText);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    facts_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(facts_);
    column->addStretch(1);
    setAccessibleName(tr("The point that was picked"));
    connect(close_, &QToolButton::clicked, this, &PointPanel::closeRequested);
    followTheme(this, [this](const Theme& theme) { close_->setIcon(icon("close", theme)); });
    setPoint(std::nullopt);
}

void PointPanel::setPoint(const std::optional<PointShown>& point) {
    point_ = point;
    strip_->setPoint(point);
    if (!point_) {
        title_->clear();
        facts_->clear();
        return;
    }
    const ProfilePoint& p = point_->point;
    QString what = nameText(p.kernel, point_->naming);
    what += p.rowsM > 0 ? tr(", M = %1 rows").arg(exactText(p.rowsM)) : tr(", whatever M is");
    title_->setText(lineText(what));
    QString shape = QString::fromStdString(textOf(p.size));
    if (p.experts > 1) {
        shape += tr(", %1 experts").arg(p.experts);
    }
    if (readsKBits(p.kernel)) {
        shape += tr(", k = %1").arg(p.kBits);
    }
    if (!point_->code.isEmpty() && point_->code != nameText(p.kernel, point_->naming)) {
        shape += QStringLiteral("\n") + point_->code;
    }
    QStringList parts{shape, timesText(p)};
    if (point_->boundUs > 0 && p.timeUs > 0) {
        parts << tr("%1 of the ceiling: %2 by %3 (%4)")
                     .arg(shareText(point_->boundUs / p.timeUs), usText(point_->boundUs),
                          point_->byArithmetic ? tr("arithmetic") : tr("memory"), point_->boundSource);
        if (point_->boundUs > p.timeUs) {
            parts << capitalised(aboveCeilingText(point_->byArithmetic).toStdString()) + QLatin1Char('.');
        }
    }
    if (point_->partsUs > 0) {
        parts << tr("%1 of what both take apart: %2. The line is the sum of both, corrected by such points.")
                     .arg(shareText(p.timeUs / point_->partsUs), usText(point_->partsUs));
    }
    parts << (point_->modelled.isEmpty() ? samplesText(*point_) + QLatin1Char('\n') + clockText(*point_)
                                         : capitalised(point_->modelled.toStdString()) + QLatin1Char('.'));
    for (const std::string& flag : p.flags) {
        parts << flagText(flag);
    }
    const auto origin = keyOf(p.origin);
    QString from = point_->origin.isEmpty()
                       ? QString::fromUtf8(origin.data(), static_cast<qsizetype>(origin.size()))
                       : point_->origin;
    from += point_->elsewhere.isEmpty() ? tr(" on this machine") : ": " + point_->elsewhere;
    parts << point_->profile + QStringLiteral(": ") + from;
    QString markup;
    for (const QString& part : parts) {
        markup += QStringLiteral("<p>") +
                  linesText(part).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")) +
                  QStringLiteral("</p>");
    }
    facts_->setText(markup);
}

QString PointPanel::text() const {
    return title_->text() + QLatin1Char('\n') + facts_->text();
}

} // namespace loadline::ui
