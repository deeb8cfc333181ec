// Read-only item model over a core Table.
#include "ui/model/table_model.h"

#include "core/text/number_format.h"
#include "ui/model/column_help.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace loadline::ui {

namespace {

bool isNumber(const Cell& cell) {
    return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

bool isEmpty(const Cell& cell) {
    return std::holds_alternative<std::monostate>(cell);
}

QVariant valueOf(const Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return QVariant::fromValue<qlonglong>(*whole);
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return *real;
    }
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return QString::fromStdString(*text);
    }
    return {};
}

QString exactText(const Cell& cell) {
    // Not textOf: its guard against formulas belongs into files only.
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return QString::fromStdString(*text);
    }
    return QString::fromStdString(textOf(cell));
}

QString displayText(const Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return QString::fromStdString(formatExact(*whole));
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return std::isfinite(*real) ? QString::fromStdString(formatReal(*real)) : QStringLiteral("–");
    }
    return exactText(cell);
}

/// Returns the decimals of a column of reals: four significant digits of the largest; none if all are whole.
int decimalsOf(const Table& table, std::size_t column) {
    constexpr int digits = 4;
    double most = 0;
    bool whole = true;
    for (const auto& row : table.rows) {
        const double* const real = column < row.size() ? std::get_if<double>(&row[column]) : nullptr;
        if (real != nullptr && std::isfinite(*real)) {
            most = std::max(most, std::abs(*real));
            whole = whole && *real == std::round(*real);
        }
    }
    return whole ? 0 : std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(most))));
}

/// Whole numbers compare exactly, mixed ones as reals; numbers before text; NaN last.
bool isLess(const Cell& a, const Cell& b) {
    const auto* wholeA = std::get_if<std::int64_t>(&a);
    const auto* wholeB = std::get_if<std::int64_t>(&b);
    if (wholeA && wholeB) {
        return *wholeA < *wholeB;
    }
    if (isNumber(a) && isNumber(b)) {
        const double x = wholeA ? static_cast<double>(*wholeA) : std::get<double>(a);
        const double y = wholeB ? static_cast<double>(*wholeB) : std::get<double>(b);
        return std::isnan(y) ? !std::isnan(x) : x < y;
    }
    if (isNumber(a) != isNumber(b)) {
        return isNumber(a);
    }
    return std::get<std::string>(a) < std::get<std::string>(b);
}

const Cell& cellAt(const Table& table, std::size_t row, std::size_t column) {
    static const Cell empty;
    const auto& cells = table.rows[row];
    return column < cells.size() ? cells[column] : empty;
}

/// "rows_m": "rows M"; "in_kv_before": "in KV before".
QString wordsOf(const QString& name) {
    QStringList words = name.split(u'_');
    for (QString& word : words) {
        for (const char* shout : {"m", "kv", "ttft", "tpot", "api", "id"}) {
            if (word == QLatin1String(shout)) {
                word = word.toUpper();
            }
        }
    }
    return words.join(u' ');
}

} // namespace

TableModel::TableModel(QObject* parent) : PlainModel(parent), table_(std::make_shared<Table>()) {}

void TableModel::setTable(Table table) {
    setTable(std::make_shared<const Table>(std::move(table)));
}

void TableModel::setTable(std::shared_ptr<const Table> table) {
    beginResetModel();
    table_ = table ? std::move(table) : std::make_shared<Table>();
    numeric_.assign(table_->columns.size(), true);
    for (std::size_t row = 0; row < table_->rows.size(); ++row) {
        for (std::size_t column = 0; column < numeric_.size(); ++column) {
            if (std::holds_alternative<std::string>(cellAt(*table_, row, column))) {
                numeric_[column] = false;
            }
        }
    }
    decimals_.clear();
    for (std::size_t column = 0; evenDecimals_ && column < numeric_.size(); ++column) {
        decimals_.push_back(decimalsOf(*table_, column));
    }
    computeOrder();
    endResetModel();
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_->columns.size());
}

QVariant TableModel::cell(const QModelIndex& index, int role) const {
    if (!index.isValid()) { // as views ask when nothing is current
        return {};
    }
    const auto column = static_cast<std::size_t>(index.column());
    const Cell& cell = cellAt(*table_, order_[static_cast<std::size_t>(index.row())], column);
    switch (role) {
    case Qt::DisplayRole:
        if (const auto* real = std::get_if<double>(&cell);
            real && std::isfinite(*real) && !decimals_.empty()) {
            return QString::fromStdString(formatFixed(*real, decimals_[column]));
        }
        return displayText(cell);
    case Qt::ToolTipRole:
        return isEmpty(cell) ? QVariant() : exactText(cell);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (numeric_[column] ? Qt::AlignRight : Qt::AlignLeft));
    case SortRole:
        return valueOf(cell);
    case ExactRole:
        return exactText(cell);
    default:
        return {};
    }
}

QVariant TableModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    }
    if (section < 0 || section >= columnCount()) {
        return {};
    }
    const auto column = static_cast<std::size_t>(section);
    const QString name = QString::fromStdString(table_->columns[column]);
    switch (role) {
    case Qt::DisplayRole:
        return wordsOf(name);
    case Qt::ToolTipRole:
        return columnHelp(table_->columns[column]);
    case ExactRole:
        return name;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (numeric_[column] ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

void TableModel::sort(int column, Qt::SortOrder order) {
    sortColumn_ = column;
    sortOrder_ = order;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> tableRows;
    tableRows.reserve(static_cast<std::size_t>(before.size()));
    for (const QModelIndex& index : before) {
        tableRows.push_back(order_[static_cast<std::size_t>(index.row())]);
    }
    computeOrder();
    std::vector<int> rowOf(order_.size());
    for (std::size_t row = 0; row < order_.size(); ++row) {
        rowOf[order_[row]] = static_cast<int>(row);
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after << createIndex(rowOf[tableRows[static_cast<std::size_t>(i)]], before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

void TableModel::computeOrder() {
    order_.resize(table_->rows.size());
    std::iota(order_.begin(), order_.end(), 0U);
    if (sortColumn_ < 0 || sortColumn_ >= columnCount()) {
        return;
    }
    const auto column = static_cast<std::size_t>(sortColumn_);
    const bool descending = sortOrder_ == Qt::DescendingOrder;
    std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
        const Cell& x = cellAt(*table_, a, column);
        const Cell& y = cellAt(*table_, b, column);
        if (isEmpty(x) || isEmpty(y)) {
            return !isEmpty(x) && isEmpty(y);
        }
        return descending ? isLess(y, x) : isLess(x, y);
    });
}

QString tsvOf(const QAbstractItemModel& model, const QModelIndexList& cells, bool withHeader) {
    std::map<int, std::map<int, QString>> rows;
    std::set<int> columns;
    // Tabs and line ends would break the grid where it is pasted.
    static const QRegularExpression breaks(QStringLiteral("[\\t\\r\\n]+"));
    for (const QModelIndex& cell : cells) {
        QVariant text = model.data(cell, ExactRole);
        if (!text.isValid()) {
            text = model.data(cell, Qt::DisplayRole);
        }
        rows[cell.row()][cell.column()] = text.toString().replace(breaks, QStringLiteral(" "));
        columns.insert(cell.column());
    }
    QString tsv;
    const auto addLine = [&](const auto& textAt) {
        bool first = true;
        for (const int column : columns) {
            tsv += first ? QString() : QStringLiteral("\t");
            tsv += textAt(column);
            first = false;
        }
        tsv += u'\n';
    };
    if (withHeader && !columns.empty()) {
        addLine([&](int column) {
            QVariant name = model.headerData(column, Qt::Horizontal, ExactRole);
            if (!name.isValid()) {
                name = model.headerData(column, Qt::Horizontal, Qt::DisplayRole);
            }
            return name.toString();
        });
    }
    for (auto& [row, texts] : rows) {
        addLine([&texts = texts](int column) { return texts[column]; });
    }
    return tsv;
}

} // namespace loadline::ui
