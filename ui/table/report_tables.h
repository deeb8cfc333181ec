// The tables of a report that have a title, each on a tab.
#pragma once

#include "core/ask/report.h"

#include <QTabWidget>

#include <memory>

class QTableView;

namespace loadline::ui {

class ReportTables : public QTabWidget {
    Q_OBJECT

public:
    explicit ReportTables(QWidget* parent = nullptr);

    /// The tab, the sorting and the widths of columns stay where the same titles come again. Hidden where
    /// there is no such table.
    void setReport(const std::shared_ptr<const ask::Report>& report);

    [[nodiscard]] QTableView* table(int tab) const;
};

} // namespace loadline::ui
