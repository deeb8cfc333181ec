// The matrix products of a model, as a table one can edit.
#pragma once

#include "core/cost/shapes/shapes.h"
#include "ui/model/plain_model.h"

#include <QAbstractTableModel>

#include <vector>

namespace loadline::ui {

/// Numbers outside of the limits are refused in words and change nothing.
class GemmModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { Name, K, N, PerLayer, Layers, Experts, PerRow, Quantised, ColumnCount };

    using PlainModel::PlainModel;

    void setGemms(std::vector<LayerGemm> gemms); ///< emits nothing but a reset

    [[nodiscard]] const std::vector<LayerGemm>& gemms() const { return gemms_; }

    /// A copy of the row under a name of its own, after it (without rows: one to begin with); returns its
    /// row, -1 where there are too many.
    int add(int row);
    bool remove(int row);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited(); ///< by the user
    /// Emitted with the reason when an edit is refused.
    void refused(const QString& why);

private:
    bool setName(int row, const QString& name);
    bool setNumber(const QModelIndex& index, const QString& text);
    bool setQuantised(const QModelIndex& index, bool quantised);

    std::vector<LayerGemm> gemms_;
};

} // namespace loadline::ui
