// A table of a report as a picture.
#include "ui/plot/plot_table.h"

#include "ui/chart/paint_help.h"
#include "ui/plot/plot_marks.h"
#include "ui/plot/plot_read_out.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace loadline::ui {
namespace {

constexpr double barHeight = 3, barRoom = 6, inkWidth = 10;

QStringList linesOfCell(const ask::Column& column, std::size_t row) {
    const std::string words = column.words ? column.words(row) : std::string();
    const ask::Cell cell = column.words ? ask::Cell() : column.at(row);
    return QString::fromStdString(cell.isEmpty() ? words : ask::wordsOf(cell, column.form)).split(u'\n');
}

double inkRoom(const ask::Column& column) {
    return column.ink && !column.bar ? inkWidth + 6 : 0;
}

/// Columns as wide as their words; where the area is too narrow, those that want more share what is left.
std::vector<double> widthsOf(const std::vector<const ask::Column*>& columns, std::size_t rows, double room) {
    std::vector<double> wanted;
    for (const ask::Column* column : columns) {
        double most = widthOf(fontOf(0.9), QString::fromStdString(column->title));
        for (std::size_t row = 0; row < rows; ++row) {
            for (const QString& line : linesOfCell(*column, row)) {
                most = std::max(most, widthOf(fontOf(0.9), line) + inkRoom(*column));
            }
        }
        wanted.push_back(most + 2 * spacing);
    }
    std::vector<double> widths(wanted.size(), 0);
    double left = room;
    for (std::size_t given = 0; given < wanted.size();) {
        const double fair = left / static_cast<double>(wanted.size() - given);
        bool isShort = false;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (widths[i] == 0 && wanted[i] <= fair) {
                widths[i] = wanted[i];
                left -= wanted[i];
                ++given;
                isShort = true;
            }
        }
        for (std::size_t i = 0; i < wanted.size() && !isShort; ++i) {
            if (widths[i] == 0) {
                widths[i] = fair;
                ++given;
            }
        }
    }
    const double more = std::max(0.0, room - std::accumulate(widths.begin(), widths.end(), 0.0)) /
                        static_cast<double>(std::max<std::size_t>(widths.size(), 1));
    for (double& width : widths) {
        width += more;
    }
    return widths;
}

/// True if cells have second lines or bars.
bool isRich(const ask::Table& table) {
    return std::ranges::any_of(table.columns, [&](const ask::Column& column) {
        bool isTall = column.bar != nullptr;
        for (std::size_t row = 0; row < table.rows && column.shown != ask::Shown::Document; ++row) {
            isTall = isTall || linesOfCell(column, row).size() > 1;
        }
        return isTall;
    });
}

/// Places of the rows of a drawn table.
struct TablePlaces {
    std::vector<const ask::Column*> columns;
    double top = 0, height = 0;
    std::size_t rows = 0; ///< that have room
};

TablePlaces placesOf(const ask::Table& table, const QRectF& area) {
    TablePlaces places;
    bool hasTitles = false;
    for (const ask::Column& column : table.columns) {
        if (column.shown != ask::Shown::Document) {
            places.columns.push_back(&column);
            hasTitles = hasTitles || !column.title.empty();
        }
    }
    const double line = heightOf(fontOf(0.9)) + 2;
    places.top = area.top() + (hasTitles ? line : 0);
    const double room = std::max(area.bottom() - places.top, line);
    const double each = room / static_cast<double>(std::max<std::size_t>(table.rows, 1));
    places.height = std::clamp(each, line, (isRich(table) ? 3.2 : 1.5) * line);
    places.rows = std::min(table.rows, static_cast<std::size_t>(room / places.height + 1e-6));
    return places;
}

void paintCell(QPainter& painter, const QRectF& cell, const ask::Column& column, std::size_t row,
               const Theme& theme) {
    const QStringList lines = linesOfCell(column, row);
    const double line = heightOf(fontOf(0.9));
    const QColor color = column.ink ? colourOf(column.ink(row), theme) : theme.good;
    const double bar = column.bar ? column.bar(row) : std::nan("");
    QRectF text = cell;
    if (!std::isnan(bar) && cell.height() >= line + barRoom) {
        text.setBottom(cell.bottom() - barRoom);
        painter.fillRect(
            QRectF(cell.left(), text.bottom() + 1, cell.width() * std::clamp(bar, 0.0, 1.0), barHeight),
            color);
    }
    if (inkRoom(column) > 0 && !lines.front().isEmpty()) {
        painter.fillRect(QRectF(text.left(), text.center().y() - 4, inkWidth, 8), color);
        text.setLeft(text.left() + inkRoom(column));
    }
    const bool isTwo = lines.size() > 1 && text.height() >= 2 * line;
    const QRectF first = isTwo ? QRectF(text.left(), text.center().y() - line, text.width(), line) : text;
    drawText(painter, first, leftMiddle, fontOf(0.9), theme.text, lines.front());
    if (isTwo) {
        drawText(painter, first.translated(0, line), leftMiddle, fontOf(0.82), theme.textMuted, lines[1]);
    }
}

} // namespace

void paintTable(QPainter& painter, const QRectF& area, const ask::Table& table, const Theme& theme) {
    const TablePlaces places = placesOf(table, area);
    const std::vector<double> widths = widthsOf(places.columns, table.rows, area.width());
    const bool isCut = places.rows < table.rows;
    double left = area.left();
    for (std::size_t i = 0; i < widths.size(); ++i) {
        drawText(painter, QRectF(left, area.top(), widths[i] - spacing, places.top - area.top()), leftMiddle,
                 fontOf(0.9), theme.textMuted, QString::fromStdString(places.columns[i]->title));
        left += widths[i];
    }
    for (std::size_t row = 0; row < places.rows; ++row) {
        const QRectF line(area.left(), places.top + static_cast<double>(row) * places.height, area.width(),
                          places.height);
        if (isCut && row + 1 == places.rows) {
            drawText(painter, line, leftMiddle, fontOf(0.9), theme.textMuted,
                     QStringLiteral("and %1 more: see the table")
                         .arg(exactText(static_cast<std::int64_t>(table.rows - row))));
            return;
        }
        left = area.left();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            paintCell(painter, QRectF(left, line.top(), widths[i] - spacing, line.height()),
                      *places.columns[i], row, theme);
            left += widths[i];
        }
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(line.bottomLeft(), line.bottomRight());
    }
}

QStringList tableReadOut(const QPointF& at, const QRectF& area, const ask::Table& table) {
    const TablePlaces places = placesOf(table, area);
    const double row = std::floor((at.y() - places.top) / places.height);
    return area.contains(at) && row >= 0 && row < static_cast<double>(places.rows)
               ? wordsOfRow(table, static_cast<std::size_t>(row))
               : QStringList();
}

} // namespace loadline::ui
