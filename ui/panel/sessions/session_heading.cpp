// Name, choice and steps of the session that a page shows.
#include "ui/panel/sessions/session_heading.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QEnterEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int arrowSide = 8;

void drawArrow(QPainter& painter, const QRect& room) {
    const QPointF middle(room.center());
    painter.drawPolyline(
        QPolygonF{{middle + QPointF(-4, -2), middle + QPointF(0, 2), middle + QPointF(4, -2)}});
}

QString positionText(int number, int count) {
    return count == 1 ? SessionHeading::tr("The only session in scope")
                      : SessionHeading::tr("Session %1 of %2 in scope, by tokens").arg(number).arg(count);
}

} // namespace

void SessionName::setWords(const QString& title, const QString& about) {
    title_ = lineText(title);
    about_ = lineText(about);
    setAccessibleName(title_);
    setAccessibleDescription(about_);
    update();
}

QSize SessionName::sizeHint() const {
    return {60 * spacing, QFontMetrics(fontOf(1.1, true)).height() + spacing / 4};
}

QSize SessionName::minimumSizeHint() const {
    return {12 * spacing, sizeHint().height()};
}

void SessionName::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(*this);
    if (isEnabled() && (underMouse() || hasFocus())) {
        painter.setPen(hasFocus() ? QPen(theme.accent) : QPen(Qt::NoPen));
        painter.setBrush(theme.accentSoft);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    const QFont large = fontOf(1.1, true);
    const QFont small = fontOf(0.9);
    const QRect room = rect().adjusted(spacing / 2, 0, -spacing / 2, 0);
    const int arrow = arrowSide + spacing;
    const int about = std::min(QFontMetrics(small).horizontalAdvance(about_) + 2, room.width() / 2);
    const QFontMetrics metrics(large);
    const int title = std::min(metrics.horizontalAdvance(title_) + 2, room.width() - about - arrow - spacing);
    painter.setFont(large);
    painter.setPen(theme.text);
    painter.drawText(QRect(room.left(), room.top(), title, room.height()), Qt::AlignVCenter,
                     metrics.elidedText(title_, Qt::ElideRight, title));
    if (isEnabled()) {
        painter.setPen(QPen(theme.text, 1.5));
        drawArrow(painter, QRect(room.left() + title + spacing / 2, room.top(), arrowSide, room.height()));
    }
    painter.setFont(small);
    painter.setPen(theme.textMuted);
    painter.drawText(QRect(room.right() - about + 1, room.top(), about, room.height()),
                     Qt::AlignVCenter | Qt::AlignRight,
                     QFontMetrics(small).elidedText(about_, Qt::ElideMiddle, about));
}

void SessionName::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void SessionName::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

SessionHeading::SessionHeading(QWidget* parent)
    : QWidget(parent), previous_(toolButton({}, tr("Previous session"))),
      next_(toolButton({}, tr("Next session"))), name_(new SessionName(this)) {
    name_->setFocusPolicy(Qt::StrongFocus);
    name_->setCursor(Qt::PointingHandCursor);
    name_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    rowOf({previous_, next_, {name_, 1}}, spacing / 2, this, {2 * spacing, 0, 2 * spacing, 0});
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(previous_, &QToolButton::clicked, this, &SessionHeading::previousRequested);
    connect(next_, &QToolButton::clicked, this, &SessionHeading::nextRequested);
    connect(name_, &SessionName::clicked, this, &SessionHeading::choiceRequested);
    followTheme(this, [this](const Theme& theme) {
        previous_->setIcon(icon(QStringLiteral("previous"), theme));
        next_->setIcon(icon(QStringLiteral("next"), theme));
        name_->update();
    });
    clear();
}

void SessionHeading::setSession(const QString& title, const QString& about, int number, int count) {
    name_->setWords(title, about);
    name_->setEnabled(true);
    const QString position = positionText(number, count);
    setTip(name_, Tip::table(title, {{tr("Session"), about},
                                     {tr("Place"), position},
                                     {tr("Click"), tr("choose another session in scope")}}));
    previous_->setEnabled(number > 1);
    next_->setEnabled(number < count);
    setTip(previous_, number > 1 ? tr("Previous session in scope: it used more tokens") : position);
    setTip(next_, number < count ? tr("Next session in scope: it used fewer tokens") : position);
}

void SessionHeading::clear() {
    name_->setWords(tr("No session in scope"), {});
    setTip(name_, {});
    for (QAbstractButton* button : std::initializer_list<QAbstractButton*>{name_, previous_, next_}) {
        button->setEnabled(false);
    }
}

} // namespace loadline::ui
