// Cells of a report's table.
#include "ui/table/report_table_model.h"

#include "ui/theme/format.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

namespace loadline::ui {
namespace {

std::string shownText(const ask::Column& column, std::size_t row) {
    return column.words ? column.words(row) : ask::wordsOf(column.at(row), column.form);
}

/// The order of two values: numbers by size, others by their text.
bool isLess(const ask::Value& a, const ask::Value& b) {
    const std::optional<double> left = ask::numberOf(a);
    const std::optional<double> right = ask::numberOf(b);
    return left && right ? *left < *right : ask::plainText(a) < ask::plainText(b);
}

} // namespace

bool isShown(const ask::Column& column) {
    return column.shown != ask::Shown::Document && !column.title.empty();
}

ReportTableModel::ReportTableModel(QObject* parent) : PlainModel(parent) {}

void ReportTableModel::setTable(std::shared_ptr<const ask::Report> report, const ask::Table& table) {
    beginResetModel();
    report_ = std::move(report);
    table_ = &table;
    columns_.clear();
    for (const ask::Column& column : table.columns) {
        if (isShown(column)) {
            columns_.push_back(&column);
        }
    }
    computeOrder();
    endResetModel();
}

int ReportTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int ReportTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

void ReportTableModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sortColumn_ = column;
    sortOrder_ = order;
    computeOrder();
    endResetModel();
}

void ReportTableModel::computeOrder() {
    order_.resize(table_ ? table_->rows : 0);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (sortColumn_ < 0 || sortColumn_ >= static_cast<int>(columns_.size())) {
        return;
    }
    std::vector<ask::Cell> cells;
    cells.reserve(order_.size());
    for (std::size_t row = 0; row < order_.size(); ++row) {
        cells.push_back(columns_[static_cast<std::size_t>(sortColumn_)]->at(row));
    }
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
        if (cells[a].isEmpty() || cells[b].isEmpty()) {
            return !cells[a].isEmpty() && cells[b].isEmpty();
        }
        return sortOrder_ == Qt::AscendingOrder ? isLess(cells[a].value, cells[b].value)
                                                : isLess(cells[b].value, cells[a].value);
    });
}

QVariant ReportTableModel::cell(const QModelIndex& index, int role) const {
    const ask::Column& column = *columns_[static_cast<std::size_t>(index.column())];
    const std::size_t row = order_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return fromUtf8(shownText(column, row));
    case ExactRole:
        return fromUtf8(ask::plainText(column.at(row).value));
    case Qt::TextAlignmentRole: {
        const bool isNumber = ask::numberOf(column.at(row).value).has_value();
        return QVariant::fromValue(
            Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    default:
        return {};
    }
}

QVariant ReportTableModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= static_cast<int>(columns_.size())) {
        return {};
    }
    const ask::Column& column = *columns_[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) {
        return fromUtf8(column.title);
    }
    return role == Qt::ToolTipRole && !column.help.empty() ? QVariant(fromUtf8(column.help)) : QVariant();
}

} // namespace loadline::ui
