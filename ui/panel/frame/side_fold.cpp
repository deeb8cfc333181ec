// A thin handle and the panel.
#include "ui/panel/frame/side_fold.h"

#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QResizeEvent>
#include <QToolButton>

#include <utility>

namespace loadline::ui {
namespace {

constexpr int handleWidth = 2 * spacing;
constexpr int leastBeside = 64 * spacing; ///< what the charts keep

} // namespace

SideFold::SideFold(QWidget* side, QString name, QWidget* parent)
    : QWidget(parent), side_(side), name_(std::move(name)), handle_(new QToolButton(this)) {
    handle_->setFixedWidth(handleWidth);
    handle_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    handle_->setAutoRaise(true);
    handle_->setFocusPolicy(Qt::StrongFocus);
    rowOf({handle_, side_}, 0, this);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    connect(handle_, &QToolButton::clicked, this, [this] {
        byHand_ = true;
        setFolded(!isFolded());
    });
    setFolded(false);
    parent->installEventFilter(this);
}

void SideFold::setFolded(bool folded) {
    side_->setVisible(!folded);
    handle_->setArrowType(folded ? Qt::LeftArrow : Qt::RightArrow);
    const QString what = folded ? tr("Show the %1").arg(name_) : tr("Hide the %1").arg(name_);
    setTip(handle_, what);
    handle_->setAccessibleName(what);
}

bool SideFold::isFolded() const {
    return side_->isHidden();
}

QList<int> SideFold::chosen() const {
    return byHand_ ? QList<int>{isFolded() ? 1 : 0, 1} : QList<int>();
}

void SideFold::setChosen(const QList<int>& chosen) {
    if (chosen.size() == 2) {
        byHand_ = true;
        setFolded(chosen.front() == 1);
    }
}

bool SideFold::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        follow(static_cast<QResizeEvent*>(event)->size().width());
    }
    return QWidget::eventFilter(watched, event);
}

void SideFold::follow(int width) {
    const bool narrow = width < side_->minimumWidth() + handleWidth + leastBeside;
    if (!byHand_ && narrow != isFolded()) {
        setFolded(narrow);
    }
}

} // namespace loadline::ui
