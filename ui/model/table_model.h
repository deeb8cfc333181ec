// Read-only item model over a core Table: the table twin of a chart.
#pragma once

#include "core/text/table.h"
#include "ui/model/plain_model.h"
#include "ui/model/roles.h"

#include <QAbstractTableModel>
#include <QModelIndexList>

#include <memory>
#include <vector>

namespace loadline::ui {

/// Rows are shown through an index permutation, so sorting moves no cells. Numbers are exact (grouped for
/// reading), right-aligned; ExactRole gives the text that a CSV would hold, SortRole the value.
class TableModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    explicit TableModel(QObject* parent = nullptr);

    void setTable(std::shared_ptr<const Table> table); ///< nullptr: empty; a sorting stays in force
    void setTable(Table table);

    /// From the next table on: in each column as many digits behind the point as its largest number needs.
    /// For rows that are compared.
    void setEvenDecimals() { evenDecimals_ = true; }

    [[nodiscard]] const Table& table() const { return *table_; }

    /// The table's row shown at `row`.
    [[nodiscard]] int tableRow(int row) const { return static_cast<int>(order_[static_cast<size_t>(row)]); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Column -1: the table's own order. Stable; empty cells last in both directions.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

private:
    void computeOrder();

    std::shared_ptr<const Table> table_;
    std::vector<std::uint32_t> order_;
    std::vector<bool> numeric_; ///< by column: holds numbers only (and empty cells)
    std::vector<int> decimals_; ///< by column; empty: as each number needs
    bool evenDecimals_ = false;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

/// The selected cells as tab-separated lines in view order, with a header line when asked for. Cells that
/// are not selected within the touched rows and columns stay empty. Works for every model with ExactRole.
QString tsvOf(const QAbstractItemModel& model, const QModelIndexList& cells, bool withHeader = true);

} // namespace loadline::ui
