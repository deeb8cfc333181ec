// The columns of the Sessions list in words, as settings keep them.
#pragma once

#include <QString>
#include <Qt>

#include <optional>
#include <vector>

namespace loadline::ui {

struct SessionColumns {
    /// The user's choice for a column; AsFits: it is shown if there is room for it.
    enum class Wish { AsFits, Kept, Hidden };

    struct Column {
        int column = 0;           ///< a SessionColumn
        int width = 0;            ///< pixels
        Wish wish = Wish::AsFits; ///< Kept: always shown; of the name, its width is
        bool operator==(const Column&) const = default;
    };

    int sortColumn = 0; ///< a SessionColumn
    Qt::SortOrder order = Qt::DescendingOrder;
    std::vector<Column> shown; ///< each column once, from left to right
    bool operator==(const SessionColumns&) const = default;
};

int usualWidth(int column); ///< pixels

/// "tokens down; session 220; calls 64 kept; model 150 hidden; ..."
QString columnsText(const SessionColumns& columns);
/// Nothing where the text does not name each column once, with a width that a screen may have.
std::optional<SessionColumns> sessionColumnsFrom(const QString& text);

} // namespace loadline::ui
