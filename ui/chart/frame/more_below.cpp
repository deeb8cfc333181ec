// Follows a scroll area.
#include "ui/chart/frame/more_below.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>

namespace loadline::ui {
namespace {

constexpr int leastBelow = 3 * spacing; ///< less is the edge of what is seen already

} // namespace

MoreBelow::MoreBelow(QScrollArea* area) : QToolButton(area), area_(area) {
    setObjectName(QStringLiteral("moreBelow"));
    setText(tr("\u2193 more below"));
    setFont(fontOf(0.9));
    setFocusPolicy(Qt::NoFocus); // the wheel and the keys of the charts scroll
    setCursor(Qt::PointingHandCursor);
    setTip(this, tr("Scrolls to what does not fit into the window"));
    connect(this, &QToolButton::clicked, this, [this] {
        QScrollBar* bar = area_->verticalScrollBar();
        bar->setValue(bar->value() + bar->pageStep());
    });
    const QScrollBar* bar = area->verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this, &MoreBelow::follow);
    connect(bar, &QScrollBar::rangeChanged, this, &MoreBelow::follow);
    area->viewport()->installEventFilter(this);
    follow();
}

bool MoreBelow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        follow();
    }
    return QToolButton::eventFilter(watched, event);
}

/// Over charts: its own ground sets it off from them.
void MoreBelow::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = Theme::of(Theme::systemKind(palette()));
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.border);
    painter.setBrush(underMouse() ? theme.accentSoft : theme.panel);
    const QRectF ground = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(ground, ground.height() / 2, ground.height() / 2);
    painter.setPen(theme.text);
    painter.drawText(rect(), Qt::AlignCenter, text());
}

void MoreBelow::follow() {
    const QScrollBar* bar = area_->verticalScrollBar();
    setVisible(bar->maximum() - bar->value() >= leastBelow);
    const QRect seen = area_->viewport()->geometry();
    const QFontMetrics metrics(font());
    const QSize size(metrics.horizontalAdvance(text()) + 3 * spacing, metrics.height() + spacing / 2);
    setGeometry(QRect(QPoint(seen.center().x() - size.width() / 2, seen.bottom() - size.height() - 1), size));
    raise();
}

} // namespace loadline::ui
