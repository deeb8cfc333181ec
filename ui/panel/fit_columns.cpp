// Columns that share what room there is.
#include "ui/panel/fit_columns.h"

#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int mostTaken = 2 * spacing;      // of the padding that a style gives each column
constexpr int stretchedLeast = 8 * spacing; // a text that is cut shows its whole in the tool tip

} // namespace

void fitColumns(QTableView& view) {
    QHeaderView& header = *view.horizontalHeader();
    const bool stretches = header.stretchLastSection();
    header.setStretchLastSection(false);
    view.resizeColumnsToContents();
    const int columns = header.count() - (stretches ? 1 : 0);
    int wanted = stretches ? std::min(stretchedLeast, header.sectionSize(columns)) : 0;
    for (int i = 0; i < columns; ++i) {
        wanted += header.sectionSize(i);
    }
    const int excess = wanted - view.viewport()->width();
    if (excess > 0 && columns > 0) {
        const int each = std::min(mostTaken, (excess + columns - 1) / columns);
        for (int i = 0; i < columns; ++i) {
            header.resizeSection(i, header.sectionSize(i) - each);
        }
    }
    if (stretches && columns >= 0 && header.count() > 0) {
        header.resizeSection(columns, std::min(stretchedLeast, header.sectionSize(columns)));
        header.setStretchLastSection(true);
    }
}

} // namespace loadline::ui
