// The Composition figure as numbers to draw: stacked parts of a row, the rows that fit, the read-out.
#pragma once

#include "core/cache/composition/composition.h"
#include "ui/chart/drawings.h"
#include "ui/theme/theme.h"

#include <QDate>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <vector>

namespace loadline::ui {

/// Token classes as they are stacked. Shares per request know new input only as a whole.
enum class TokenPart { CacheRead, CacheWrite, UncachedInput, NewInput, Output };

QColor colorOf(TokenPart part, const Theme& theme);
QString nameOf(TokenPart part);

struct StackedPart {
    TokenPart part = TokenPart::CacheRead;
    double from = 0, to = 0; ///< tokens, or shares from 0 to 1
    bool lowerBound = false; ///< output of calls whose count is only a lower bound
    [[nodiscard]] double amount() const { return to - from; }
};

/// In stacking order, without empty parts. Per request only with shares; empty where it is not known.
std::vector<StackedPart> partsOf(const CompositionRow& row, const CompositionView& view);
/// The classes that a view stacks, for the key.
std::vector<TokenPart> partsShown(const CompositionView& view);

/// Context and output.
Tokens tokensOf(const CompositionRow& row);

/// The first rows, and what was left out as one row (label "12 other sessions", without per-request means).
struct FittedRows {
    std::vector<CompositionRow> rows;
    std::size_t others = 0; ///< number of rows in the last one; 0: all rows are there
};

FittedRows fitRows(const Composition& composition, std::size_t most);
/// Whether what was left out holds more tokens than any row, so that drawn in tokens it would hide them.
bool othersDwarf(const FittedRows& fitted, const CompositionView& view);

/// Largest number of tokens of a row, at least 1.
double largestRow(const std::vector<CompositionRow>& rows);

/// "1 session", "12 models".
QString groupText(CompositionGroup group, std::size_t n);

QString ratioText(double readWriteRatio); ///< "34.2", "no writes", "–"
/// First line: the label; then the exact numbers.
QStringList readOut(const CompositionRow& row);
QString describeRow(const CompositionRow& row);

/// Returns the place of a box of this height that hides no row of the table: below all rows, else above
/// `row`, else below `row`. If none has room, returns the part of `bounds` on the side of `row` that has
/// more.
QRectF roomBeside(double height, const QRectF& row, double endOfRows, const QRectF& bounds);

/// The calendar days of a by-day composition. A row without a date comes after the last day.
struct DayAxis {
    QDate first;
    std::vector<int> slotOf; ///< by row
    int count = 0;           ///< slots from the first day to the last, plus one for a row without a date
};

DayAxis dayAxisOf(const Composition& composition);

} // namespace loadline::ui
