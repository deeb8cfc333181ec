// A table view for each table.
#include "ui/table/report_tables.h"

#include "ui/table/report_table_model.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <variant>
#include <vector>

namespace loadline::ui {
namespace {

std::vector<const ask::Table*> titledTables(const ask::Report& report) {
    std::vector<const ask::Table*> found;
    for (const auto& part : report.parts) {
        const auto* const table = std::get_if<ask::Table>(&part);
        if (table != nullptr && !table->title.empty() && std::ranges::any_of(table->columns, isShown)) {
            found.push_back(table);
        }
    }
    return found;
}

QTableView* makeTable(QWidget* parent) {
    auto* view = new QTableView(parent);
    view->setModel(new ReportTableModel(view));
    view->setSortingEnabled(true);
    view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view->verticalHeader()->hide();
    view->setAlternatingRowColors(true);
    view->setShowGrid(false);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    return view;
}

} // namespace

ReportTables::ReportTables(QWidget* parent) : QTabWidget(parent) {
    setDocumentMode(true);
    hide();
}

void ReportTables::setReport(const std::shared_ptr<const ask::Report>& report) {
    const std::vector<const ask::Table*> tables = titledTables(*report);
    while (count() > static_cast<int>(tables.size())) {
        QWidget* last = widget(count() - 1);
        removeTab(count() - 1);
        delete last;
    }
    for (int i = 0; i < static_cast<int>(tables.size()); ++i) {
        const ask::Table& table = *tables[static_cast<std::size_t>(i)];
        const QString title = lineText(fromUtf8(table.title));
        const bool isNew = i == count();
        if (isNew) {
            addTab(makeTable(this), buttonText(title));
        }
        QTableView* view = this->table(i);
        const bool isAnother = isNew || view->accessibleName() != title;
        setTabText(i, buttonText(title));
        view->setAccessibleName(title);
        if (isAnother) { // its columns have no order yet
            view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        }
        static_cast<ReportTableModel*>(view->model())->setTable(report, table);
        if (isAnother) {
            view->resizeColumnsToContents();
        }
    }
    setVisible(!tables.empty());
}

QTableView* ReportTables::table(int tab) const {
    return static_cast<QTableView*>(widget(tab));
}

} // namespace loadline::ui
