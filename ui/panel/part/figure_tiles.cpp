// Painting of headline numbers.
#include "ui/panel/part/figure_tiles.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr double valueSize = 1.35, labelSize = 0.85;
constexpr int swatchHeight = 3;

int textHeight(double size) {
    return QFontMetrics(fontOf(size)).height();
}

} // namespace

FigureTiles::FigureTiles(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Headline numbers"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FigureTiles::setTiles(std::vector<FigureTile> tiles) {
    if (tiles == tiles_) {
        return;
    }
    tiles_ = std::move(tiles);
    QStringList words;
    for (const FigureTile& tile : tiles_) {
        words << tile.label + ": " + tile.value;
    }
    setAccessibleDescription(words.join(", "));
    update();
}

QSize FigureTiles::sizeHint() const {
    return {static_cast<int>(tiles_.size()) * 110, minimumSizeHint().height()};
}

QSize FigureTiles::minimumSizeHint() const {
    return {200, textHeight(valueSize) + textHeight(labelSize) + swatchHeight + spacing};
}

QRect FigureTiles::tileRect(int index) const {
    const int n = std::max(1, static_cast<int>(tiles_.size()));
    const int left = width() * index / n;
    return {left, 0, width() * (index + 1) / n - left, height()};
}

void FigureTiles::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    for (int i = 0; i < static_cast<int>(tiles_.size()); ++i) {
        const FigureTile& tile = tiles_[static_cast<std::size_t>(i)];
        const QRect area = tileRect(i).adjusted(0, 0, -spacing, -spacing / 2);
        QFont big = fontOf(valueSize);
        while (QFontMetrics(big).horizontalAdvance(tile.value) > area.width() && big.pixelSize() > 10) {
            big.setPixelSize(big.pixelSize() - 1);
        }
        painter.setFont(big);
        painter.setPen(palette().color(QPalette::Text));
        const QRect upper(area.left(), area.top(), area.width(), textHeight(valueSize));
        painter.drawText(upper, Qt::AlignLeft | Qt::AlignBottom, tile.value);
        painter.setFont(fontOf(labelSize));
        painter.setPen(palette().color(QPalette::PlaceholderText));
        const QRect lower(area.left(), upper.bottom() + 1, area.width(), textHeight(labelSize));
        painter.drawText(lower, Qt::AlignLeft | Qt::AlignTop,
                         painter.fontMetrics().elidedText(tile.label, Qt::ElideRight, lower.width()));
        if (tile.colour.isValid()) {
            painter.fillRect(area.left(), lower.bottom() + spacing / 2, std::min(area.width(), 4 * spacing),
                             swatchHeight, tile.colour);
        }
    }
}

bool FigureTiles::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (int i = 0; i < static_cast<int>(tiles_.size()); ++i) {
            if (tileRect(i).contains(help->pos())) {
                showTip(help->globalPos(), tiles_[static_cast<std::size_t>(i)].exact, this);
                return true;
            }
        }
    }
    return QWidget::event(event);
}

} // namespace loadline::ui
