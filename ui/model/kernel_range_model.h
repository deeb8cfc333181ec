// Which kernel serves which M, as a table one can edit: the end of a range is where the next begins.
#pragma once

#include "core/cost/kernel/kernel.h"
#include "core/cost/kernel/kernel_naming.h"
#include "ui/model/plain_model.h"

#include <QAbstractTableModel>

#include <vector>

namespace loadline::ui {

/// Rows are ranges, ascending and without gaps whatever is edited; what is left to be wrong is a range that
/// ends before it starts (problemOf says so).
class KernelRangeModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { KernelColumn, FromColumn, ToColumn, ColumnCount };

    /// `grouped`: kernels that serve experts.
    explicit KernelRangeModel(bool grouped, QObject* parent = nullptr);

    void setRanges(std::vector<KernelRange> ranges); ///< emits nothing but a reset

    void setNaming(const KernelNaming& naming);

    [[nodiscard]] const std::vector<KernelRange>& ranges() const { return ranges_; }

    /// Divides the range at `row` in two of the same kernel; returns the row of the second, -1 where it
    /// cannot be divided (refused says why).
    int divide(int row);
    /// Its neighbour serves what it served. The last range left stays.
    bool remove(int row);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// A kernel by its place in servingKernels, an M as people write it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited(); ///< by the user
    /// Emitted with the reason when an edit is refused.
    void refused(const QString& why);

private:
    bool setBound(int row, const QString& text, std::int64_t before);

    std::vector<Kernel> kernels_; ///< to choose from
    std::vector<KernelRange> ranges_;
    KernelNaming naming_;
};

} // namespace loadline::ui
