// Ctrl K: find a page, session, setting or command by a few letters.
#include "ui/panel/palette/command_palette.h"

#include "ui/model/palette_model.h"
#include "ui/model/roles.h"
#include "ui/panel/palette/key_caps.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"

#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace loadline::ui {

namespace {

/// Draws `text` from x on, matched letters in bold, and returns where it ends. Cut at `right`.
int drawMatched(QPainter& painter, const QString& text, const std::vector<int>& matched, int x, int right,
                const QRect& row, const QFont& plain) {
    QFont bold = plain;
    bold.setBold(true);
    for (qsizetype at = 0; at < text.size() && x < right;) {
        const bool isMatched = std::ranges::binary_search(matched, static_cast<int>(at));
        qsizetype end = at + 1;
        while (end < text.size() && std::ranges::binary_search(matched, static_cast<int>(end)) == isMatched) {
            ++end;
        }
        painter.setFont(isMatched ? bold : plain);
        const QFontMetrics metrics = painter.fontMetrics();
        QString part = text.mid(at, end - at);
        const bool fits = x + metrics.horizontalAdvance(part) <= right;
        if (!fits) {
            part = metrics.elidedText(part, Qt::ElideRight, right - x);
        }
        painter.drawText(QRect(x, row.top(), right - x, row.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         part);
        x += metrics.horizontalAdvance(part);
        if (!fits) {
            return right;
        }
        at = end;
    }
    return x;
}

/// Draws a row of the command palette: title with the matched letters in bold, hint, keys.
class PaletteDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const auto* model = qobject_cast<const PaletteModel*>(index.model());
    if (!model || !option.widget) {
        return;
    }
    const Theme& theme = themeOf(*option.widget);
    const PaletteMatch& match = model->match(index.row());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(option.state & QStyle::State_Selected ? theme.accentSoft : theme.grid);
        painter->drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 5, 5);
    }
    const QRect row = option.rect.adjusted(spacing + 6, 0, -spacing - 6, 0);
    int right = row.right();
    if (!match.entry->shortcut.isEmpty()) {
        right = drawKeyCaps(*painter, match.entry->shortcut, row, theme, option.font) - spacing;
    }
    painter->setPen(theme.text);
    const int end =
        drawMatched(*painter, match.entry->title, match.inTitle, row.left(), right, row, option.font);
    painter->setPen(theme.textMuted);
    if (end + 2 * spacing < right) {
        drawMatched(*painter, match.entry->hint, match.inHint, end + 2 * spacing, right, row, option.font);
    }
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
    return {100, QFontMetrics(option.font).height() + 14};
}

constexpr int paletteWidth = 620;
constexpr int commandsShown = 10;

} // namespace

CommandPalette::CommandPalette(QWidget* parent, const QString& purpose)
    : QFrame(parent), model_(new PaletteModel(this)), field_(new QLineEdit(this)), list_(new QListView(this)),
      nothing_(mutedLabel(tr("Nothing fits. Fewer letters find more."), this)) {
    setAccessibleName(purpose.isEmpty() ? tr("Command palette") : purpose);
    field_->setPlaceholderText(purpose.isEmpty() ? tr("Find a page, session, setting or command") : purpose);
    field_->setAccessibleName(field_->placeholderText());
    field_->setFont(fontOf(1.15));
    field_->setFrame(false);
    field_->setMinimumHeight(40);
    field_->installEventFilter(this);
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFocusPolicy(Qt::NoFocus); // the field keeps the keys
    list_->setMouseTracking(true);
    list_->setAccessibleName(tr("What was found"));
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setMinimumHeight(48);
    columnOf({field_, list_, nothing_}, 4, this, {6, 6, 6, 6});
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(list_, &QListView::clicked, this, &CommandPalette::choose);
    followTheme(this, [this](const Theme& theme) {
        // A floating thing has a shadow, as only it may.
        auto* shadow = new QGraphicsDropShadowEffect(this);
        shadow->setBlurRadius(32);
        shadow->setOffset(0, 6);
        shadow->setColor(QColor(0, 0, 0, theme.kind == ThemeKind::Dark ? 160 : 70));
        setGraphicsEffect(shadow);
        field_->setStyleSheet(
            QStringLiteral(
                "QLineEdit { border: none; background: transparent; padding: 4px 10px; color: %1; }")
                .arg(theme.text.name()));
    });
    hide();
}

void CommandPalette::setEntries(std::vector<PaletteEntry> entries) {
    model_->setEntries(std::move(entries));
    search(field_->text());
}

void CommandPalette::popUp() {
    if (QWidget* focus = window()->focusWidget(); focus != field_) {
        before_ = focus;
    }
    field_->clear();
    search({});
    place();
    show();
    raise();
    field_->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != field_) {
        return QFrame::eventFilter(watched, event);
    }
    if (event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        // The field's own context menu and a switch to another window are no reason to leave.
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) {
            hide();
        }
        return false;
    }
    if (event->type() != QEvent::KeyPress) {
        return false;
    }
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
        leave();
        return true;
    case Qt::Key_Up:
        moveBy(-1);
        return true;
    case Qt::Key_Down:
        moveBy(1);
        return true;
    case Qt::Key_PageUp:
        moveBy(-commandsShown);
        return true;
    case Qt::Key_PageDown:
        moveBy(commandsShown);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(list_->currentIndex());
        return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return true; // there is nowhere else to go
    default:
        return false;
    }
}

void CommandPalette::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.plotGround);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
    painter.setPen(theme.grid);
    const int y = field_->geometry().bottom() + 2;
    painter.drawLine(8, y, width() - 8, y);
}

void CommandPalette::search(const QString& text) {
    model_->setQuery(text);
    const bool any = model_->rowCount() > 0;
    if (any) {
        list_->setCurrentIndex(model_->index(0));
    }
    list_->setVisible(any);
    nothing_->setVisible(!any);
    place();
}

void CommandPalette::choose(const QModelIndex& index) {
    if (!index.isValid()) {
        return;
    }
    const QString id = index.data(KeyRole).toString();
    leave();
    emit activated(id);
}

/// The keys go where they went before.
void CommandPalette::leave() {
    if (before_) {
        before_->setFocus(Qt::OtherFocusReason);
    }
    hide();
}

void CommandPalette::moveBy(int rows) {
    const int count = model_->rowCount();
    if (count == 0) {
        return;
    }
    const int row = list_->currentIndex().row() + rows;
    // Single steps wrap around; pages stop at the ends.
    const int target = std::abs(rows) == 1 ? (row + count) % count : std::clamp(row, 0, count - 1);
    list_->setCurrentIndex(model_->index(target));
}

void CommandPalette::place() {
    if (!parentWidget()) {
        return;
    }
    const int rows = std::min(model_->rowCount(), commandsShown);
    const int rowHeight = rows > 0 ? list_->sizeHintForRow(0) : 0;
    list_->setFixedHeight(rows * rowHeight);
    const QSize room = parentWidget()->size();
    const int width = std::min(paletteWidth, room.width() - 4 * spacing);
    layout()->activate();
    const int height =
        6 + field_->minimumHeight() + 4 + (rows > 0 ? list_->height() : nothing_->minimumHeight()) + 10;
    setGeometry((room.width() - width) / 2, std::max(2 * spacing, room.height() / 8), width,
                std::min(height, room.height() - 4 * spacing));
}

} // namespace loadline::ui
