// Facts beside each other; those that have no room are counted.
#include "ui/panel/simulation/fact_strip.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QScrollArea>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>
#include <utility>

namespace loadline::ui {
namespace {

constexpr int listWidth = 60 * spacing;

QFont stripFont() {
    return fontOf(0.9);
}

QString shownWords(const CountedFact& fact) {
    return lineText(std::string_view(fact.words), 200);
}

QString between() {
    return QStringLiteral("  \u00b7  ");
}

/// True if the text has room in one line.
bool fitsInLine(const QString& text, double width) {
    QTextLayout layout(text, stripFont());
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(width);
    layout.endLayout();
    return line.textLength() >= text.size();
}

/// All that is said, one below the other.
QWidget* listOf(const std::vector<CountedFact>& facts) {
    auto* list = new QWidget;
    auto* column = new QVBoxLayout(list);
    const auto add = [&](QLabel* label) {
        label->setWordWrap(true);
        column->addWidget(label);
    };
    for (const CountedFact& fact : facts) {
        add(new QLabel(linesText(QString::fromStdString(fact.words))));
        if (!fact.more.empty()) {
            add(mutedLabel(linesText(QString::fromStdString(fact.more)), list));
        }
    }
    column->addStretch(1);
    return list;
}

int heightAt(const QWidget& list, int width) {
    for (QLabel* label : list.findChildren<QLabel*>()) {
        label->ensurePolished(); // its font counts
    }
    return list.heightForWidth(width);
}

QPoint movedInto(const QRect& room, const QRect& box) {
    return {std::max(room.left(), std::min(box.left(), room.left() + room.width() - box.width())),
            std::max(room.top(), std::min(box.top(), room.top() + room.height() - box.height()))};
}

} // namespace

FactStrip::FactStrip(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("What this counts"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QString FactStrip::text(std::size_t count) const {
    QStringList words;
    for (std::size_t i = 0; i < count; ++i) {
        words << shownWords(facts_[i]);
    }
    if (count < facts_.size()) {
        words << tr("+%1 more").arg(facts_.size() - count);
    }
    return words.join(between());
}

bool FactStrip::fits(const QString& text) const {
    return fitsInLine(text, width());
}

std::size_t FactStrip::shownCount() const {
    std::size_t count = facts_.size();
    while (count > 1 && !fits(text(count))) {
        --count;
    }
    return count;
}

void FactStrip::setFacts(std::vector<CountedFact> facts) {
    if (facts == facts_) {
        return;
    }
    facts_ = std::move(facts);
    Tip::Rows rows;
    for (const CountedFact& fact : facts_) {
        rows.emplace_back(lineText(std::string_view(fact.key)), shownWords(fact));
    }
    const bool none = facts_.empty();
    setTip(this, none ? Tip() : Tip::table(tr("What this counts (a click tells more)"), rows));
    setCursor(none ? Qt::ArrowCursor : Qt::PointingHandCursor);
    setAccessibleDescription(text(facts_.size()));
    update();
}

bool FactStrip::isWhole() const {
    return fits(text(shownCount()));
}

QSize FactStrip::sizeHint() const {
    return {listWidth, QFontMetrics(stripFont()).lineSpacing()};
}

QSize FactStrip::minimumSizeHint() const {
    return {20 * spacing, sizeHint().height()};
}

void FactStrip::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(*this);
    const QString all = text(shownCount());
    QPainter painter(this);
    painter.setPen(theme.textMuted);
    QTextLayout layout(fits(all) ? all : QFontMetrics(stripFont()).elidedText(all, Qt::ElideRight, width()),
                       stripFont());
    layout.beginLayout();
    layout.createLine().setLineWidth(width() + spacing);
    layout.endLayout();
    layout.draw(&painter, QPointF(0, 0));
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void FactStrip::openList() {
    if (facts_.empty()) {
        return;
    }
    auto* list = new QFrame(this, Qt::Popup);
    list->setAttribute(Qt::WA_DeleteOnClose);
    list->setFrameShape(QFrame::StyledPanel);
    list->setAccessibleName(accessibleName());
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(area);
    QWidget* words = listOf(facts_);
    area->setWidget(words);
    const int edges = 2 * list->frameWidth();
    const QRect room = screen()->availableGeometry();
    const int wide = std::min(listWidth, room.width());
    list->setFixedSize(wide, std::min(heightAt(*words, wide - edges) + edges, room.height()));
    list->move(movedInto(room, QRect(mapToGlobal(QPoint(0, height())), list->size())));
    list->show();
}

void FactStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) {
        openList();
    }
}

void FactStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
        openList();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace loadline::ui
