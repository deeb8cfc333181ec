// Which kernel serves which M, to be edited: a heading, the ranges, and how to divide and remove them.
#pragma once

#include "core/cost/kernel/kernel.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QTableView;

namespace loadline::ui {

class KernelRangeModel;

class RangeTable : public QWidget {
    Q_OBJECT

public:
    /// `grouped`: the ranges of experts.
    RangeTable(const QString& heading, bool grouped, QWidget* parent = nullptr);

    void setRanges(const std::vector<KernelRange>& ranges); ///< emits nothing
    [[nodiscard]] const std::vector<KernelRange>& ranges() const;

    [[nodiscard]] KernelRangeModel* model() const { return model_; }

    [[nodiscard]] QTableView* view() const { return view_; }

    [[nodiscard]] QPushButton* divideButton() const { return divide_; }

    [[nodiscard]] QPushButton* removeButton() const { return remove_; }

signals:
    void edited();
    void refused(const QString& why);

private:
    void divide();
    void remove();
    void showButtons();

    KernelRangeModel* model_ = nullptr;
    QTableView* view_ = nullptr;
    QPushButton* divide_ = nullptr;
    QPushButton* remove_ = nullptr;
};

} // namespace loadline::ui
