// Item model over prefix breaks: which calls paid again, for how much, and why.
#pragma once

#include "core/cache/figure/cache_figure.h"
#include "ui/model/plain_model.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace loadline::ui {

enum class BreakColumn : int { Time, Session, PaidAgain, Cause, Evidence };
inline constexpr int breakColumnCount = 5;

/// Rows follow a permutation; the first order is by tokens paid again, most first.
class BreakModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    explicit BreakModel(QObject* parent = nullptr) : PlainModel(parent) {}

    void setFigure(std::shared_ptr<const CacheFigure> figure); ///< null, or of no sessions: no rows

    /// The break shown at `row`; -1 or beyond: null.
    [[nodiscard]] const PrefixBreak* at(int row) const;
    /// Returns the row of this break; -1: the figure does not hold it.
    [[nodiscard]] int rowOf(const PrefixBreak* one) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const PrefixBreak& one, BreakColumn column) const;
    [[nodiscard]] QVariant exact(const PrefixBreak& one, BreakColumn column) const;
    void computeOrder();

    std::shared_ptr<const CacheFigure> figure_;
    std::vector<std::uint32_t> order_;
    BreakColumn sortColumn_ = BreakColumn::PaidAgain;
    Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
};

} // namespace loadline::ui
