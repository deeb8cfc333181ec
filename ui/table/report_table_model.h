// A table of a report as an item model: its columns are read as they are looked at.
#pragma once

#include "core/ask/report.h"
#include "ui/model/plain_model.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace loadline::ui {

/// The columns that are shown to people, under their titles; a column's help is the tip of its head. Cells as
/// ask::wordsOf, ExactRole as ask::plainText.
class ReportTableModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    explicit ReportTableModel(QObject* parent = nullptr);

    /// `report` holds the table.
    void setTable(std::shared_ptr<const ask::Report> report, const ask::Table& table);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Column -1: the table's own order. Stable; empty cells come last in both directions.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

private:
    void computeOrder();

    std::shared_ptr<const ask::Report> report_;
    const ask::Table* table_ = nullptr; ///< null: empty
    std::vector<const ask::Column*> columns_;
    std::vector<std::size_t> order_; ///< row of the table at each row shown
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

/// Whether people see the column.
bool isShown(const ask::Column& column);

} // namespace loadline::ui
