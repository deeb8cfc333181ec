// Columns to words and back.
#include "ui/panel/sessions/session_columns.h"

#include "ui/model/session_cells.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace loadline::ui {
namespace {

constexpr int allColumns = static_cast<int>(sessionColumnCount);
/// In pixels, by SessionColumn.
constexpr std::array<int, sessionColumnCount> usualWidths = {220, 72,  84,  128, 92, 60, 64,
                                                             76,  104, 100, 84,  74, 150};
constexpr int narrowest = 20;
constexpr int widest = 4000;

QString wordOf(int column) {
    return titleOf(static_cast<SessionColumn>(column)).toLower().replace(u' ', u'-');
}

/// -1: none is called so.
int columnCalled(const QString& word) {
    int column = allColumns - 1;
    while (column >= 0 && wordOf(column) != word) {
        --column;
    }
    return column;
}

std::optional<SessionColumns::Column> columnFrom(const QStringList& words) {
    using Wish = SessionColumns::Wish;
    const Wish wish = words.size() != 3                     ? Wish::AsFits
                      : words[2] == QLatin1String("hidden") ? Wish::Hidden
                                                            : Wish::Kept;
    if (words.size() != (wish == Wish::AsFits ? 2 : 3) ||
        (wish == Wish::Kept && words[2] != QLatin1String("kept"))) {
        return std::nullopt;
    }
    bool isNumber = false;
    const SessionColumns::Column column{columnCalled(words[0]), words[1].toInt(&isNumber), wish};
    const bool sane = isNumber && column.column >= 0 && column.width >= narrowest && column.width <= widest;
    return sane ? std::optional(column) : std::nullopt;
}

} // namespace

int usualWidth(int column) {
    return usualWidths[static_cast<std::size_t>(column)];
}

QString columnsText(const SessionColumns& columns) {
    const bool descending = columns.order == Qt::DescendingOrder;
    QStringList parts{wordOf(columns.sortColumn) + (descending ? " down" : " up")};
    for (const auto& [column, width, wish] : columns.shown) {
        parts << wordOf(column) + u' ' + QString::number(width) +
                     (wish == SessionColumns::Wish::Hidden ? " hidden"
                      : wish == SessionColumns::Wish::Kept ? " kept"
                                                           : "");
    }
    return parts.join(QStringLiteral("; "));
}

std::optional<SessionColumns> sessionColumnsFrom(const QString& text) {
    const QStringList parts = text.split(QStringLiteral("; "));
    const QStringList sorting = parts.front().split(u' ');
    const bool descending = sorting.back() == QLatin1String("down");
    SessionColumns columns{
        columnCalled(sorting.front()), descending ? Qt::DescendingOrder : Qt::AscendingOrder, {}};
    if (parts.size() > 1 + allColumns || sorting.size() != 2 || columns.sortColumn < 0 ||
        (!descending && sorting.back() != QLatin1String("up"))) {
        return std::nullopt;
    }
    std::array<bool, sessionColumnCount> seen{};
    for (const QString& part : parts.mid(1)) {
        const auto column = columnFrom(part.split(u' '));
        if (!column || std::exchange(seen[static_cast<std::size_t>(column->column)], true)) {
            return std::nullopt;
        }
        columns.shown.push_back(*column);
    }
    for (int column = 0; column < allColumns; ++column) { // what came after these words were kept
        if (!seen[static_cast<std::size_t>(column)]) {
            const auto place = std::min<qsizetype>(column, std::ssize(columns.shown));
            columns.shown.insert(columns.shown.begin() + place,
                                 {column, usualWidth(column), SessionColumns::Wish::AsFits});
        }
    }
    return columns;
}

} // namespace loadline::ui
