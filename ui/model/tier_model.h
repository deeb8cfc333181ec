// Tiers of a machine as a table one can edit: how much each holds, and how fast it is.
#pragma once

#include "core/cache/tier/cache_tiers.h"
#include "ui/model/plain_model.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <vector>

namespace loadline::ui {

/// A row each tier from the memory of the GPUs on that holds anything.
class TierModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { NameColumn, CapacityColumn, BandwidthColumn, ColumnCount };

    explicit TierModel(QObject* parent = nullptr) : PlainModel(parent) {}

    void setTiers(CacheTiers tiers); ///< emits nothing but a reset

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// A number as people write it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited(const loadline::CacheTiers& tiers); ///< by the user; they can be used
    /// Emitted with the reason when a typed value is refused.
    void refused(const QString& why);

private:
    CacheTiers tiers_;
    std::vector<std::size_t> rows_; ///< indices of the tiers that are shown
};

} // namespace loadline::ui
