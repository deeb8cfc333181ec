// Ranges of a dispatch rule, with their buttons.
#include "ui/panel/kernels/range_table.h"

#include "ui/model/kernel_range_model.h"
#include "ui/panel/kernels/cell_delegate.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int rangesShown = 4;
constexpr int boundWidth = 12 * spacing;

} // namespace

RangeTable::RangeTable(const QString& heading, bool grouped, QWidget* parent)
    : QWidget(parent), model_(new KernelRangeModel(grouped, this)), view_(new QTableView),
      divide_(new QPushButton(grouped ? tr("Di&vide") : tr("&Divide"))),
      remove_(new QPushButton(grouped ? tr("Re&move") : tr("&Remove"))) {
    auto* label = new QLabel(heading);
    label->setFont(fontOf(1, true));
    label->setBuddy(view_);
    view_->setModel(model_);
    view_->setAccessibleName(grouped ? tr("Kernels for experts by M") : tr("Kernels by M"));
    makeEditable(*view_);
    QHeaderView* header = view_->horizontalHeader();
    header->setSectionResizeMode(KernelRangeModel::KernelColumn, QHeaderView::Stretch);
    header->resizeSection(KernelRangeModel::FromColumn, boundWidth);
    header->resizeSection(KernelRangeModel::ToColumn, boundWidth);
    view_->setMinimumHeight(header->sizeHint().height() +
                            rangesShown * view_->verticalHeader()->defaultSectionSize() + 2);
    setTip(divide_, tr("Makes two ranges of the chosen one (Insert)"));
    divide_->setAccessibleName(grouped ? tr("Divide the experts' range") : tr("Divide the range"));
    setTip(remove_, tr("Its neighbour serves what the chosen range served (Delete)"));
    remove_->setAccessibleName(grouped ? tr("Remove the experts' range") : tr("Remove the range"));
    for (QPushButton* button : {divide_, remove_}) {
        button->setAutoDefault(false);
    }
    clickOnKey(*view_, Qt::Key_Insert, *divide_);
    clickOnKey(*view_, Qt::Key_Delete, *remove_);

    auto* buttons = columnOf({divide_, remove_, Stretch{}}, spacing);
    auto* row = rowOf({{view_, 1}, buttons}, spacing);
    columnOf({label, {row, 1}}, spacing / 2, this);

    connect(model_, &KernelRangeModel::edited, this, [this] {
        showButtons();
        emit edited();
    });
    connect(model_, &KernelRangeModel::refused, this, &RangeTable::refused);
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == KernelRangeModel::KernelColumn) {
            view_->edit(index); // a list needs one click
        }
    });
    connect(divide_, &QPushButton::clicked, this, &RangeTable::divide);
    connect(remove_, &QPushButton::clicked, this, &RangeTable::remove);
    showButtons();
}

void RangeTable::setRanges(const std::vector<KernelRange>& ranges) {
    const int row = view_->currentIndex().row();
    model_->setRanges(ranges);
    if (model_->rowCount() > 0 && !view_->currentIndex().isValid()) {
        view_->setCurrentIndex(
            model_->index(std::clamp(row, 0, model_->rowCount() - 1), KernelRangeModel::KernelColumn));
    }
    showButtons();
}

const std::vector<KernelRange>& RangeTable::ranges() const {
    return model_->ranges();
}

void RangeTable::divide() {
    const int row = model_->divide(std::max(view_->currentIndex().row(), 0));
    if (row >= 0) {
        view_->setCurrentIndex(model_->index(row, KernelRangeModel::KernelColumn));
    }
}

void RangeTable::remove() {
    const QModelIndex current = view_->currentIndex();
    if (model_->remove(current.row())) {
        view_->setCurrentIndex(
            model_->index(std::min(current.row(), model_->rowCount() - 1), current.column()));
    }
}

void RangeTable::showButtons() {
    divide_->setEnabled(model_->rowCount() > 0);
    remove_->setEnabled(model_->rowCount() > 1);
}

} // namespace loadline::ui
