// A table of a report as a picture: words in columns, with bars under them.
#pragma once

#include "core/ask/report.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QStringList>

namespace loadline::ui {

/// Columns that text shows. The second line of a cell and bars are left out where a row has no room for them,
/// rows where the area has none: their number is written.
void paintTable(QPainter& painter, const QRectF& area, const ask::Table& table, const Theme& theme);
/// The row under the cursor by its columns with an ask::Column::readOut.
QStringList tableReadOut(const QPointF& at, const QRectF& area, const ask::Table& table);

} // namespace loadline::ui
