// Ranges of a dispatch rule as rows.
#include "ui/model/kernel_range_model.h"

#include "core/cost/kernel/dispatch_text.h"
#include "ui/model/roles.h"
#include "ui/theme/format.h"
#include "ui/theme/typed_number.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace loadline::ui {
namespace {

constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t firstBound = 16;

QString calledText(Kernel kernel, const KernelNaming& naming) {
    return QString::fromStdString(nameOf(kernel, naming));
}

} // namespace

KernelRangeModel::KernelRangeModel(bool grouped, QObject* parent)
    : PlainModel(parent), kernels_(servingKernels(grouped)) {}

void KernelRangeModel::setRanges(std::vector<KernelRange> ranges) {
    if (ranges == ranges_) {
        return;
    }
    beginResetModel();
    ranges_ = std::move(ranges);
    endResetModel();
}

void KernelRangeModel::setNaming(const KernelNaming& naming) {
    beginResetModel();
    naming_ = naming;
    endResetModel();
}

int KernelRangeModel::divide(int row) {
    if (row < 0 || row >= rowCount()) {
        return -1;
    }
    if (ranges_.size() >= mostRanges) {
        emit refused(tr("There are %1 ranges already: remove one first").arg(ranges_.size()));
        return -1;
    }
    const KernelRange whole = ranges_[static_cast<std::size_t>(row)];
    const std::int64_t middle = whole.toM == unbounded ? std::max(firstBound, 2 * (whole.fromM - 1))
                                                       : whole.fromM + (whole.toM - whole.fromM) / 2;
    if (whole.toM <= whole.fromM || middle > mostBoundM) {
        emit refused(tr("The range from M = %1 is too short to be divided").arg(exactText(whole.fromM)));
        return -1;
    }
    beginInsertRows({}, row + 1, row + 1);
    ranges_[static_cast<std::size_t>(row)].toM = middle;
    ranges_.insert(ranges_.begin() + row + 1,
                   KernelRange{.kernel = whole.kernel, .fromM = middle + 1, .toM = whole.toM});
    endInsertRows();
    emit dataChanged(index(row, 0), index(rowCount() - 1, ToColumn));
    emit edited();
    return row + 1;
}

bool KernelRangeModel::remove(int row) {
    if (row < 0 || row >= rowCount() || rowCount() == 1) {
        return false;
    }
    beginRemoveRows({}, row, row);
    const auto at = ranges_.begin() + row;
    if (row > 0) {
        (at - 1)->toM = at->toM;
    } else {
        (at + 1)->fromM = at->fromM;
    }
    ranges_.erase(at);
    endRemoveRows();
    emit dataChanged(index(0, 0), index(rowCount() - 1, ToColumn));
    emit edited();
    return true;
}

int KernelRangeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ranges_.size());
}

int KernelRangeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant KernelRangeModel::cell(const QModelIndex& index, int role) const {
    const KernelRange& range = ranges_[static_cast<std::size_t>(index.row())];
    if (role == ChoicesRole && index.column() == KernelColumn) {
        QStringList names;
        for (const Kernel kernel : kernels_) {
            names << calledText(kernel, naming_);
        }
        return names;
    }
    if (role == Qt::TextAlignmentRole && index.column() != KernelColumn) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        if (index.column() == FromColumn) {
            return index.row() == 0 ? tr("The first range begins with one row")
                                    : tr("Begins where the range before ends");
        }
        return index.column() == ToColumn && range.toM == unbounded
                   ? tr("The last range has no end")
                   : tr("Double click, or type, to change it");
    }
    if (role == Qt::EditRole && index.column() == KernelColumn) {
        return static_cast<int>(std::find(kernels_.begin(), kernels_.end(), range.kernel) - kernels_.begin());
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    switch (index.column()) {
    case KernelColumn:
        return calledText(range.kernel, naming_);
    case FromColumn:
        return exactText(range.fromM);
    default:
        return range.toM == unbounded ? tr("no end") : exactText(range.toM);
    }
}

QVariant KernelRangeModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return int((section == KernelColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && section != KernelColumn) {
        return tr("M: rows of a step, of each active expert: how many tokens are multiplied at once");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case KernelColumn:
        return tr("kernel");
    case FromColumn:
        return tr("from M");
    default:
        return tr("to M");
    }
}

Qt::ItemFlags KernelRangeModel::flags(const QModelIndex& index) const {
    const bool fixed = (index.column() == FromColumn && index.row() == 0) ||
                       (index.column() == ToColumn && index.row() + 1 == rowCount());
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return fixed ? flags : flags | Qt::ItemIsEditable;
}

bool KernelRangeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) {
        return false;
    }
    if (index.column() != KernelColumn) {
        return index.column() == ToColumn ? setBound(index.row(), value.toString(), 0)
                                          : setBound(index.row() - 1, value.toString(), 1);
    }
    const int place = value.toInt();
    if (place < 0 || place >= static_cast<int>(kernels_.size())) {
        return false;
    }
    Kernel& kernel = ranges_[static_cast<std::size_t>(index.row())].kernel;
    if (kernel != kernels_[static_cast<std::size_t>(place)]) {
        kernel = kernels_[static_cast<std::size_t>(place)];
        emit dataChanged(index, index);
        emit edited();
    }
    return true;
}

/// The end of the range at `row` becomes the number typed less `before`.
bool KernelRangeModel::setBound(int row, const QString& text, std::int64_t before) {
    const std::optional<std::int64_t> typed = wholeFromText(text);
    if (!typed || *typed < 1 + before || *typed > mostBoundM) {
        emit refused(tr("\"%1\" cannot stand there: choose a whole number from %2 to %3")
                         .arg(text.left(20), exactText(1 + before), exactText(mostBoundM)));
        return false;
    }
    KernelRange& range = ranges_[static_cast<std::size_t>(row)];
    const std::int64_t end = *typed - before;
    if (range.toM != end) {
        range.toM = end;
        ranges_[static_cast<std::size_t>(row) + 1].fromM = end + 1;
        emit dataChanged(index(row, FromColumn), index(row + 1, ToColumn));
        emit edited();
    }
    return true;
}

} // namespace loadline::ui
