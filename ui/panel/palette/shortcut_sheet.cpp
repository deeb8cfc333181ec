// `?`: all keys on one sheet.
#include "ui/panel/palette/shortcut_sheet.h"

#include "ui/panel/palette/key_caps.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace loadline::ui {

namespace {

/// The keys of one line, drawn as caps; a screen reader hears the text.
class KeyCaps : public QWidget {
public:
    KeyCaps(const QString& keys, QWidget* parent) : QWidget(parent), keys_(keys) {
        setAccessibleName(keys);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

    [[nodiscard]] QSize sizeHint() const override {
        return {keyCapsWidth(keys_, font()), QFontMetrics(font()).height() + 8};
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        drawKeyCaps(painter, keys_, rect(), themeOf(*this), font());
    }

private:
    QString keys_;
};

QWidget* groupWidget(const ShortcutGroup& group, QWidget* parent) {
    auto* widget = new QWidget(parent);
    widget->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 0, 0, spacing);
    grid->setHorizontalSpacing(2 * spacing);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    auto* title = new QLabel(group.title, widget);
    title->setFont(fontOf(1.05, true));
    title->setTextFormat(Qt::PlainText);
    grid->addWidget(title, 0, 0, 1, 2);
    int row = 1;
    for (const ShortcutGroup::Line& line : group.lines) {
        auto* text = new QLabel(line.text, widget);
        text->setTextFormat(Qt::PlainText);
        grid->addWidget(text, row, 0);
        grid->addWidget(new KeyCaps(line.keys, widget), row++, 1, Qt::AlignRight);
    }
    return widget;
}

} // namespace

ShortcutSheet::ShortcutSheet(const std::vector<ShortcutGroup>& groups, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keys"));
    std::size_t lines = 0;
    for (const ShortcutGroup& group : groups) {
        lines += group.lines.size() + 2;
    }

    // Two columns of about the same length, groups whole and in order.
    auto* sheet = new QWidget(this);
    auto* columns = new QHBoxLayout(sheet);
    columns->setContentsMargins(3 * spacing, 2 * spacing, 3 * spacing, spacing);
    columns->setSpacing(5 * spacing);
    const auto addColumn = [columns] {
        auto* column = new QVBoxLayout;
        column->setSpacing(spacing); // else it takes the columns' own
        columns->addLayout(column, 1);
        return column;
    };
    QVBoxLayout* column = addColumn();
    std::size_t placed = 0;
    bool second = false;
    for (const ShortcutGroup& group : groups) {
        const std::size_t size = group.lines.size() + 2;
        if (!second && placed > 0 && placed + size / 2 > lines / 2) {
            column->addStretch(1);
            column = addColumn();
            second = true;
        }
        column->addWidget(groupWidget(group, sheet));
        placed += size;
    }
    column->addStretch(1);

    auto* scroll = new QScrollArea(this);
    scroll->setWidget(sheet);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* page = columnOf({{scroll, 1}}, -1, this, {0, 0, 0, spacing});
    auto* foot = rowOf({buttons}, -1, nullptr, {0, 0, 3 * spacing, 0});
    page->addLayout(foot);
    const QSize wanted = sheet->sizeHint();
    resize(std::max(wanted.width(), 560), std::min(wanted.height() + 64, 760));
}

} // namespace loadline::ui
