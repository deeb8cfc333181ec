// Capacities and bandwidths of tiers as cells.
#include "ui/model/tier_model.h"

#include "ui/theme/format.h"
#include "ui/theme/typed_number.h"

#include <array>
#include <utility>

namespace loadline::ui {
namespace {

struct TierField {
    double CacheTier::*value;
    NumberRange<double> range;
};

/// The fields of the columns after the name.
constexpr std::array tierFields = {TierField{&CacheTier::capacityGB, tierCapacitiesGB},
                                   TierField{&CacheTier::bandwidthGBs, tierBandwidthsGBs}};

const TierField& fieldOf(int column) {
    return tierFields.at(static_cast<std::size_t>(column) - 1);
}

} // namespace

void TierModel::setTiers(CacheTiers tiers) {
    if (tiers == tiers_) {
        return;
    }
    beginResetModel();
    tiers_ = std::move(tiers);
    rows_.clear();
    for (std::size_t i = tiers_.empty() ? 0 : memoryTierOf(tiers_); i < tiers_.size(); ++i) {
        if (tiers_[i].capacityGB > 0 || i == memoryTierOf(tiers_)) {
            rows_.push_back(i);
        }
    }
    endResetModel();
}

int TierModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TierModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags TierModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = PlainModel::flags(index);
    return index.isValid() && index.column() != NameColumn ? usual | Qt::ItemIsEditable : usual;
}

QVariant TierModel::cell(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const CacheTier& tier = tiers_[rows_[static_cast<std::size_t>(index.row())]];
    if (role == Qt::ToolTipRole) {
        return QString::fromStdString(tier.source);
    }
    if (index.column() == NameColumn) {
        return role == Qt::DisplayRole ? QVariant(QString::fromStdString(tier.name)) : QVariant();
    }
    const double value = tier.*fieldOf(index.column()).value;
    switch (role) {
    case Qt::DisplayRole:
        return realText(value, 4);
    case Qt::EditRole:
        return QString::number(value, 'g', 12);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant TierModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant((section == NameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        return section == CapacityColumn
                   ? tr("Room for KV blocks, of all GPUs of the machine together, in 1e9 bytes")
               : section == BandwidthColumn
                   ? tr("Towards all GPUs of the machine together, 1e9 bytes a second")
                   : tr("Fastest first: what falls out of one goes to the next");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return section == NameColumn ? tr("Tier") : section == CapacityColumn ? tr("GB") : tr("GB/s");
}

bool TierModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid() || index.column() == NameColumn) {
        return false;
    }
    const TierField& field = fieldOf(index.column());
    const auto number = numberFromText(value.toString());
    CacheTiers next = tiers_;
    CacheTier& tier = next[rows_[static_cast<std::size_t>(index.row())]];
    if (!number || !field.range.contains(*number)) {
        emit refused(tr("%1 of %2: a number from %3 to %4, not \u201c%5\u201d")
                         .arg(heading(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
                              QString::fromStdString(tier.name), realText(field.range.least),
                              realText(field.range.most), lineText(value.toString(), 40)));
        return false;
    }
    if (tier.*field.value == *number) {
        return true;
    }
    tier.*field.value = *number;
    if (const std::string problem = problemOf(next); !problem.empty()) {
        emit refused(capitalised(problem));
        return false;
    }
    emit edited(next);
    return true;
}

} // namespace loadline::ui
