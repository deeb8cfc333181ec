// The kernels of a file of timings as a table: which are taken, what they are called and stand for.
#pragma once

#include "core/cost/import/kernel_import.h"
#include "ui/model/plain_model.h"

#include <QAbstractTableModel>

#include <vector>

namespace loadline::ui {

/// A row a kernel; the first three columns are edited.
class KernelImportModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        StandsForColumn,
        KBitsColumn,
        ShapesColumn,
        RowsColumn,
        PointsColumn,
        ColumnCount
    };

    explicit KernelImportModel(KernelImport offer, QObject* parent = nullptr);

    [[nodiscard]] const KernelImport& offer() const { return offer_; }

    /// The file read anew: what was edited is gone.
    void setOffer(KernelImport offer);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// A name, a kernel by its place in ImportedKernel::fits, a check mark.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited(); ///< by the user

private:
    KernelImport offer_;
    std::vector<ImportedReach> reaches_; ///< of its kernels: counted once, not at each repaint
};

} // namespace loadline::ui
