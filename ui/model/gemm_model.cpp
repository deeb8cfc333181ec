// Matrix products as rows.
#include "ui/model/gemm_model.h"

#include "core/cost/shapes/shape_limits.h"
#include "ui/theme/format.h"
#include "ui/theme/typed_number.h"

#include <algorithm>
#include <optional>

namespace loadline::ui {
namespace {

constexpr int mostNameLetters = 60;

struct Limits {
    std::int64_t low = 1;
    std::int64_t high = 1;
};

Limits limitsOf(int column, const LayerGemm& gemm) {
    switch (column) {
    case GemmModel::K:
    case GemmModel::N:
        return {1, mostSide};
    case GemmModel::Experts:
        return {0, mostExperts};
    case GemmModel::PerRow:
        return {1, gemm.experts};
    default:
        return {1, mostLayers};
    }
}

/// The fields behind PerLayer to PerRow; K and N are wider.
constexpr int LayerGemm::*counts[] = {&LayerGemm::perLayer, &LayerGemm::layers, &LayerGemm::experts,
                                      &LayerGemm::expertsPerRow};

std::int64_t numberOf(const LayerGemm& gemm, int column) {
    return column == GemmModel::K   ? gemm.size.k
           : column == GemmModel::N ? gemm.size.n
                                    : gemm.*counts[column - GemmModel::PerLayer];
}

/// Precondition: within limitsOf.
void setNumberOf(LayerGemm& gemm, int column, std::int64_t number) {
    if (column == GemmModel::K || column == GemmModel::N) {
        (column == GemmModel::K ? gemm.size.k : gemm.size.n) = number;
        return;
    }
    gemm.*counts[column - GemmModel::PerLayer] = static_cast<int>(number);
    if (column == GemmModel::Experts) {
        gemm.expertsPerRow = number == 0 ? 0 : std::clamp(gemm.expertsPerRow, 1, gemm.experts);
    }
}

struct GemmColumnWords {
    const char* heading;
    const char* meaning;
};

/// By Column.
constexpr GemmColumnWords gemmColumns[] = {
    {"name", "What the matrix product is called; each name once"},
    {"K", "Inputs of the weight [K x N], of one expert where there are experts"},
    {"N", "Outputs of the weight [K x N], of one expert where there are experts"},
    {"per layer", "Products of this size in each layer that has it"},
    {"layers", "Layers that have it"},
    {"experts", "Experts in the layer; 0: dense, every row meets this weight"},
    {"top-k", "Experts that each row is sent to (top-k)"},
    {"quantised", "Whether its weights have k bits; else they stay fp16, as those of lm_head"}};

QString headingOf(int column) {
    return GemmModel::tr(gemmColumns[column].heading);
}

QString meaningOf(int column) {
    return GemmModel::tr(gemmColumns[column].meaning);
}

} // namespace

void GemmModel::setGemms(std::vector<LayerGemm> gemms) {
    if (gemms == gemms_) {
        return;
    }
    beginResetModel();
    gemms_ = std::move(gemms);
    endResetModel();
}

int GemmModel::add(int row) {
    if (gemms_.size() >= mostGemms) {
        emit refused(tr("There are %1 matrix products already: remove one first").arg(gemms_.size()));
        return -1;
    }
    LayerGemm made{.name = "gemm", .size = {4096, 4096}};
    if (row >= 0 && row < rowCount()) {
        made = gemms_[static_cast<std::size_t>(row)];
    }
    const auto taken = [&](const std::string& name) {
        return std::any_of(gemms_.begin(), gemms_.end(), [&](const auto& g) { return g.name == name; });
    };
    const std::string stem = made.name;
    for (int number = 2; taken(made.name); ++number) {
        made.name = stem + "_" + std::to_string(number);
    }
    const int at = std::clamp(row + 1, 0, rowCount());
    beginInsertRows({}, at, at);
    gemms_.insert(gemms_.begin() + at, std::move(made));
    endInsertRows();
    emit edited();
    return at;
}

bool GemmModel::remove(int row) {
    if (row < 0 || row >= rowCount()) {
        return false;
    }
    beginRemoveRows({}, row, row);
    gemms_.erase(gemms_.begin() + row);
    endRemoveRows();
    emit edited();
    return true;
}

int GemmModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(gemms_.size());
}

int GemmModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant GemmModel::cell(const QModelIndex& index, int role) const {
    const LayerGemm& gemm = gemms_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (column == Quantised) {
        switch (role) {
        case Qt::CheckStateRole:
            return gemm.quantised ? Qt::Checked : Qt::Unchecked;
        case Qt::AccessibleTextRole:
            return gemm.quantised ? tr("quantised") : tr("stays fp16");
        default:
            return role == Qt::ToolTipRole ? QVariant(meaningOf(column)) : QVariant();
        }
    }
    switch (role) {
    case Qt::TextAlignmentRole:
        return int((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return meaningOf(column);
    case Qt::DisplayRole:
    case Qt::EditRole:
        break;
    default:
        return {};
    }
    if (column == Name) {
        return QString::fromStdString(gemm.name);
    }
    if (role == Qt::DisplayRole && !gemm.grouped() && (column == Experts || column == PerRow)) {
        return column == Experts ? tr("dense") : QString();
    }
    return exactText(numberOf(gemm, column));
}

QVariant GemmModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return headingOf(section);
    case Qt::ToolTipRole:
        return meaningOf(section);
    case Qt::TextAlignmentRole:
        return int((section == Name || section == Quantised ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    default:
        return {};
    }
}

Qt::ItemFlags GemmModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Quantised) {
        return flags | Qt::ItemIsUserCheckable;
    }
    if (index.column() == PerRow && !gemms_[static_cast<std::size_t>(index.row())].grouped()) {
        return flags;
    }
    return flags | Qt::ItemIsEditable;
}

bool GemmModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (index.column() == Quantised) {
        return role == Qt::CheckStateRole && setQuantised(index, value.toInt() == Qt::Checked);
    }
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) {
        return false;
    }
    return index.column() == Name ? setName(index.row(), value.toString().trimmed())
                                  : setNumber(index, value.toString());
}

bool GemmModel::setName(int row, const QString& name) {
    LayerGemm& gemm = gemms_[static_cast<std::size_t>(row)];
    const std::string text = name.toStdString();
    if (text == gemm.name) {
        return true;
    }
    const bool taken =
        std::any_of(gemms_.begin(), gemms_.end(), [&](const LayerGemm& other) { return other.name == text; });
    if (name.isEmpty() || name.size() > mostNameLetters || taken) {
        emit refused(taken ? tr("The name \"%1\" stands already: each name once").arg(name)
                           : tr("A name has 1 to %1 letters").arg(mostNameLetters));
        return false;
    }
    gemm.name = text;
    emit dataChanged(index(row, Name), index(row, Name));
    emit edited();
    return true;
}

bool GemmModel::setNumber(const QModelIndex& at, const QString& text) {
    LayerGemm& gemm = gemms_[static_cast<std::size_t>(at.row())];
    const Limits limits = limitsOf(at.column(), gemm);
    const std::optional<std::int64_t> number = wholeFromText(text);
    if (!number || *number < limits.low || *number > limits.high) {
        emit refused(tr("%1, %2: \"%3\" cannot stand there: choose a whole number from %4 to %5")
                         .arg(QString::fromStdString(gemm.name), headingOf(at.column()), text.left(20),
                              exactText(limits.low), exactText(limits.high)));
        return false;
    }
    const LayerGemm before = gemm;
    setNumberOf(gemm, at.column(), *number);
    if (gemm != before) {
        emit dataChanged(index(at.row(), 0), index(at.row(), Quantised));
        emit edited();
    }
    return true;
}

bool GemmModel::setQuantised(const QModelIndex& at, bool quantised) {
    bool& now = gemms_[static_cast<std::size_t>(at.row())].quantised;
    if (now != quantised) {
        now = quantised;
        emit dataChanged(at, at);
        emit edited();
    }
    return true;
}

} // namespace loadline::ui
