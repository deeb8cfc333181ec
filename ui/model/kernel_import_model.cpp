// Kernels of a file as rows.
#include "ui/model/kernel_import_model.h"

#include "ui/theme/format.h"

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr qsizetype mostOfAName = 60;

QString roleText(Kernel kernel) {
    return QString::fromUtf8(nameOf(kernel));
}

QString shapeText(const TimedShape& shape) {
    const QString sides = QString::fromStdString(textOf(shape.size)).replace('x', QStringLiteral(" x "));
    return shape.experts > 1 ? KernelImportModel::tr("%1, %2 experts").arg(sides).arg(shape.experts) : sides;
}

QString shapesText(const ImportedReach& reach) {
    return reach.shapes.size() == 1 ? shapeText(reach.shapes.front())
                                    : exactText(static_cast<std::int64_t>(reach.shapes.size()));
}

QString bitsText(const ImportedReach& reach) {
    QStringList bits;
    for (const int k : reach.kBits) {
        bits << QString::number(k);
    }
    return bits.isEmpty() ? QStringLiteral("fp16") : bits.join(QStringLiteral(", "));
}

QString rowsText(const ImportedReach& reach) {
    return reach.mostM == 0 ? KernelImportModel::tr("any")
           : reach.leastM == reach.mostM
               ? exactText(reach.mostM)
               : KernelImportModel::tr("%1 to %2").arg(exactText(reach.leastM), exactText(reach.mostM));
}

QString calledText(const ImportedKernel& kernel) {
    return kernel.name.empty() ? roleText(kernel.kernel) : QString::fromStdString(kernel.name);
}

QString tipOf(const ImportedKernel& kernel, const ImportedReach& reach, int column) {
    switch (column) {
    case KernelImportModel::NameColumn:
        return KernelImportModel::tr("\"%1\" in the file. The name is kept in charts, tables and profiles; "
                                     "double click to change it. Unticked it is left out.")
            .arg(QString::fromStdString(kernel.fileName));
    case KernelImportModel::StandsForColumn:
        return kernel.guessed
                   ? KernelImportModel::tr("Guessed by k, experts and M: click to choose another")
                   : KernelImportModel::tr("The kernel in whose place it is drawn and simulated: click to "
                                           "choose another");
    case KernelImportModel::ShapesColumn: {
        QStringList shapes;
        for (const TimedShape& shape : reach.shapes) {
            shapes << shapeText(shape);
        }
        return shapes.join(QStringLiteral("\n"));
    }
    default:
        return {};
    }
}

} // namespace

KernelImportModel::KernelImportModel(KernelImport offer, QObject* parent) : PlainModel(parent) {
    setOffer(std::move(offer));
}

void KernelImportModel::setOffer(KernelImport offer) {
    beginResetModel();
    offer_ = std::move(offer);
    reaches_.clear();
    for (const ImportedKernel& kernel : offer_.kernels) {
        reaches_.push_back(reachOf(kernel));
    }
    endResetModel();
}

int KernelImportModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(offer_.kernels.size());
}

int KernelImportModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags KernelImportModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == NameColumn        ? flags | Qt::ItemIsEditable | Qt::ItemIsUserCheckable
           : index.column() == StandsForColumn ? flags | Qt::ItemIsEditable
                                               : flags;
}

QVariant KernelImportModel::cell(const QModelIndex& index, int role) const {
    const ImportedKernel& kernel = offer_.kernels[static_cast<std::size_t>(index.row())];
    const ImportedReach& reach = reaches_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::CheckStateRole && column == NameColumn) {
        return kernel.taken ? Qt::Checked : Qt::Unchecked;
    }
    if (role == Qt::TextAlignmentRole && column >= RowsColumn) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        return tipOf(kernel, reach, column);
    }
    if (column == StandsForColumn && role == ChoicesRole) {
        QStringList names;
        for (const Kernel one : kernel.fits) {
            names << roleText(one);
        }
        return names;
    }
    if (column == StandsForColumn && role == Qt::EditRole) {
        return static_cast<int>(std::ranges::find(kernel.fits, kernel.kernel) - kernel.fits.begin());
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    switch (column) {
    case NameColumn:
        return calledText(kernel);
    case StandsForColumn:
        return kernel.guessed ? tr("%1 (guessed)").arg(roleText(kernel.kernel)) : roleText(kernel.kernel);
    case KBitsColumn:
        return bitsText(reach);
    case ShapesColumn:
        return shapesText(reach);
    case RowsColumn:
        return rowsText(reach);
    default:
        return exactText(static_cast<std::int64_t>(kernel.points.size()));
    }
}

QVariant KernelImportModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::ToolTipRole && section == KBitsColumn) {
        return tr("Bits of a weight");
    }
    if (role == Qt::ToolTipRole && section == RowsColumn) {
        return tr("Rows of a call, of each expert: how many tokens are multiplied at once");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case NameColumn:
        return tr("name");
    case StandsForColumn:
        return tr("stands for");
    case KBitsColumn:
        return tr("k");
    case ShapesColumn:
        return tr("shapes");
    case RowsColumn:
        return tr("M");
    default:
        return tr("points");
    }
}

bool KernelImportModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    ImportedKernel& kernel = offer_.kernels[static_cast<std::size_t>(index.row())];
    ImportedKernel next = kernel;
    if (role == Qt::CheckStateRole && index.column() == NameColumn) {
        next.taken = value.toInt() == Qt::Checked;
    } else if (role == Qt::EditRole && index.column() == NameColumn) {
        next.name = lineText(value.toString().trimmed(), mostOfAName).toStdString();
    } else if (role == Qt::EditRole && index.column() == StandsForColumn && value.toInt() >= 0 &&
               value.toInt() < static_cast<int>(kernel.fits.size())) {
        next.kernel = kernel.fits[static_cast<std::size_t>(value.toInt())];
        next.guessed = false;
    } else {
        return false;
    }
    if (next == kernel) {
        return true;
    }
    kernel = std::move(next);
    reaches_[static_cast<std::size_t>(index.row())] = reachOf(kernel); // of another kernel other ks count
    emit dataChanged(this->index(index.row(), 0), this->index(index.row(), ColumnCount - 1));
    emit edited();
    return true;
}

} // namespace loadline::ui
