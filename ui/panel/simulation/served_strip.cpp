// Blocks of rows beside each other, a column for each format.
#include "ui/panel/simulation/served_strip.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <array>
#include <utility>

namespace loadline::ui {
namespace {

constexpr int mostBlocks = 4;
constexpr int rowsOfTable = 8;
constexpr int gap = spacing;

QFont servedFont(bool bold = false) {
    return fontOf(0.9, bold);
}

int textWidth(const QString& text, bool bold = false) {
    constexpr int rounded = 2; // an advance is cut to whole pixels
    return text.isEmpty() ? 0 : QFontMetrics(servedFont(bold)).horizontalAdvance(text) + rounded;
}

QString cellWord(const std::string& text) {
    return lineText(std::string_view(text), 60);
}

/// A block of usual names and values, with or without intervals; no answer changes it.
int usualBlockWidth(bool withOff) {
    const int off = withOff ? gap / 2 + textWidth(QStringLiteral("\u00b199 %")) : 0;
    return textWidth(QStringLiteral("TTFT p50")) + 2 * (gap + textWidth(QStringLiteral("99.9 ms")) + off);
}

/// Blocks that have room for intervals; two also without them, since one would be high.
int blocksIn(int width) {
    const int whole = usualBlockWidth(true) + 2 * gap;
    const int least = width >= 2 * usualBlockWidth(false) + 2 * gap ? 2 : 1;
    return std::clamp((width + 2 * gap) / whole, least, mostBlocks);
}

int rowsPerBlock(int blocks) {
    return (rowsOfTable + blocks - 1) / blocks;
}

/// Widths of a block's columns, in pixels.
struct BlockWidths {
    int name = 0;
    std::array<int, 2> value{}, off{};

    [[nodiscard]] int all(bool withOff) const {
        int sum = name;
        for (std::size_t i = 0; i < value.size(); ++i) {
            sum += gap + value[i] + (withOff && off[i] > 0 ? gap / 2 + off[i] : 0);
        }
        return sum;
    }
};

BlockWidths widthsOf(const ServedTable& table, std::size_t first, std::size_t end) {
    BlockWidths widths;
    for (std::size_t row = first; row < end; ++row) {
        widths.name = std::max(widths.name, textWidth(cellWord(table.rows[row].name)));
        for (std::size_t i = 0; i < std::min(widths.value.size(), table.rows[row].cells.size()); ++i) {
            widths.value[i] = std::max(widths.value[i], textWidth(cellWord(table.rows[row].cells[i].value)));
            widths.off[i] = std::max(widths.off[i], textWidth(cellWord(table.rows[row].cells[i].off)));
        }
    }
    return widths;
}

QString tipLine(const ServedTable& table, const ServedRow& row) {
    QStringList parts;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const ServedCell& cell = row.cells[i];
        parts << cellWord(table.formats[i]) + QStringLiteral(" ") + cellWord(cell.value) +
                     (cell.interval.empty() ? QString()
                                            : QStringLiteral(" (%1)").arg(cellWord(cell.interval)));
    }
    if (!row.ratio.empty()) {
        parts << ServedStrip::tr("ratio %1").arg(cellWord(row.ratio));
    }
    return parts.join(QStringLiteral("; "));
}

} // namespace

ServedStrip::ServedStrip(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("What each format serves"));
    setFocusPolicy(Qt::TabFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide();
}

void ServedStrip::setTable(ServedTable table) {
    setVisible(!table.rows.empty());
    if (table == table_) {
        return;
    }
    table_ = std::move(table);
    Tip::Rows rows;
    QStringList said;
    for (const ServedRow& row : table_.rows) {
        const QString line = tipLine(table_, row);
        rows.emplace_back(QStringLiteral("%1 (%2)").arg(cellWord(row.name), cellWord(row.help)), line);
        said << cellWord(row.name) + QStringLiteral(": ") + line;
    }
    setTip(this, rows.empty() ? Tip() : Tip::table(tr("Values, 95 % intervals and ratios of both"), rows));
    setAccessibleDescription(said.join(QStringLiteral(". ")));
    update();
}

int ServedStrip::lines() const {
    return 1 + rowsPerBlock(blocks_);
}

int ServedStrip::heightForWidth(int width) const {
    return (1 + rowsPerBlock(blocksIn(width))) * QFontMetrics(servedFont()).lineSpacing();
}

QSize ServedStrip::sizeHint() const {
    return {2 * usualBlockWidth(true), heightForWidth(width())};
}

QSize ServedStrip::minimumSizeHint() const {
    return {usualBlockWidth(false) / 2, heightForWidth(width())};
}

void ServedStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (const int blocks = blocksIn(width()); blocks != blocks_) {
        blocks_ = blocks;
        updateGeometry();
    }
}

void ServedStrip::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(*this);
    QPainter painter(this);
    const int line = QFontMetrics(servedFont()).lineSpacing();
    const int blocks = blocksIn(width());
    const int blockWidth = (width() - (blocks - 1) * 2 * gap) / blocks;
    const auto perBlock = static_cast<std::size_t>(rowsPerBlock(blocks));
    const auto put = [&](int x, int y, int width, const QString& text, const QColor& color, bool bold = false,
                         Qt::Alignment side = Qt::AlignLeft) {
        painter.setFont(servedFont(bold));
        painter.setPen(color);
        painter.drawText(QRect(x, y, width, line),
                         static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                         QFontMetrics(servedFont(bold)).elidedText(text, Qt::ElideRight, width));
    };
    for (int block = 0; block < blocks; ++block) {
        const std::size_t first = static_cast<std::size_t>(block) * perBlock;
        const std::size_t end = std::min(first + perBlock, table_.rows.size());
        if (first >= end) {
            break;
        }
        const int left = block * (blockWidth + 2 * gap);
        BlockWidths widths = widthsOf(table_, first, end);
        const bool withOff = widths.all(true) <= blockWidth;
        // The columns share what is left, so that formats have room for their names.
        const int spare = std::max(0, blockWidth - widths.all(withOff)) / 2;
        int x = left + widths.name;
        for (std::size_t i = 0; i < std::min<std::size_t>(2, table_.formats.size()); ++i) {
            const int column = gap + widths.value[i] +
                               (withOff && widths.off[i] > 0 ? gap / 2 + widths.off[i] : 0) +
                               std::min(spare, 4 * gap);
            const int valueRight = x + column - (withOff && widths.off[i] > 0 ? gap / 2 + widths.off[i] : 0);
            put(x + gap / 2, 0, column - gap / 2, cellWord(table_.formats[i]), theme.text, true,
                Qt::AlignRight);
            for (std::size_t row = first; row < end; ++row) {
                const int y = line * (1 + static_cast<int>(row - first));
                const ServedCell& cell = table_.rows[row].cells[i];
                put(x, y, valueRight - x, cellWord(cell.value), theme.text, false, Qt::AlignRight);
                if (withOff) {
                    put(valueRight + gap / 2, y, widths.off[i], cellWord(cell.off), theme.textMuted);
                }
            }
            x += column;
        }
        for (std::size_t row = first; row < end; ++row) {
            put(left, line * (1 + static_cast<int>(row - first)), widths.name,
                cellWord(table_.rows[row].name), theme.textMuted);
        }
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void ServedStrip::copy() const {
    QApplication::clipboard()->setText(QString::fromStdString(tabbedTextOf(table_)));
}

void ServedStrip::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ServedStrip::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy as a table"), this, &ServedStrip::copy);
    menu.exec(event->globalPos());
}

} // namespace loadline::ui
