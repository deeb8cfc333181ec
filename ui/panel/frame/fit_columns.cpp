// Columns that share what room there is.
#include "ui/panel/frame/fit_columns.h"

#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int cellPadding = spacing + spacing / 2;
constexpr int headPadding = 2 * spacing + spacing / 2; // the style's and the style sheet's
constexpr int mostRows = 500;                          // that are measured

int textWidth(const QTableView& view, int column) {
    const QAbstractItemModel& model = *view.model();
    const QFontMetrics head(view.horizontalHeader()->font());
    int width = head.horizontalAdvance(model.headerData(column, Qt::Horizontal).toString()) + headPadding;
    const int rows = std::min(model.rowCount(), mostRows);
    for (int row = 0; row < rows; ++row) {
        const QString text = model.index(row, column).data().toString();
        width = std::max(width, view.fontMetrics().horizontalAdvance(text) + cellPadding);
    }
    return width;
}

} // namespace

int widthNeeded(const QTableView& view) {
    int width = 0;
    for (int i = 0; i < view.horizontalHeader()->count(); ++i) {
        width += view.isColumnHidden(i) ? 0 : textWidth(view, i);
    }
    return width;
}

void fitColumns(QTableView& view) {
    QHeaderView& header = *view.horizontalHeader();
    const int last = header.count() - 1;
    const int fixed = header.stretchLastSection() ? last : last + 1;
    const int room = view.viewport()->width() - widthNeeded(view);
    const int each = std::clamp(room / std::max(1, header.count() - header.hiddenSectionCount()), 0, spacing);
    for (int i = 0; i < fixed; ++i) {
        if (!view.isColumnHidden(i)) {
            header.resizeSection(i, textWidth(view, i) + each);
        }
    }
}

bool growColumns(QTableView& view) {
    QHeaderView& header = *view.horizontalHeader();
    const int last = header.count() - (header.stretchLastSection() ? 1 : 0);
    bool grown = false;
    for (int i = 0; i < last; ++i) {
        const int width = view.isColumnHidden(i) ? 0 : textWidth(view, i);
        if (header.sectionSize(i) < width) {
            header.resizeSection(i, width);
            grown = true;
        }
    }
    return grown;
}

} // namespace loadline::ui
