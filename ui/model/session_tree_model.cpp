// Item model over a SessionTree.
#include "ui/model/session_tree_model.h"

#include "ui/model/session_cells.h"

#include <algorithm>

namespace loadline::ui {

namespace {

std::shared_ptr<const SessionTree> orEmpty(std::shared_ptr<const SessionTree> tree) {
    return tree ? std::move(tree) : std::make_shared<const SessionTree>();
}

SessionColumn columnOf(const QModelIndex& index) {
    return static_cast<SessionColumn>(index.column());
}

/// The part of a row's tokens that a column draws.
Usage partOf(const Usage& usage, SessionColumn column) {
    Usage part;
    const bool all = column == SessionColumn::AllTokens;
    part.input = all || column == SessionColumn::Input ? usage.input : 0;
    part.cacheWrite = all || column == SessionColumn::CacheWrite ? usage.cacheWrite : 0;
    part.cacheRead = all || column == SessionColumn::CacheRead ? usage.cacheRead : 0;
    part.output = all || column == SessionColumn::Output ? usage.output : 0;
    return part;
}

constexpr SessionColumn barColumns[] = {SessionColumn::AllTokens, SessionColumn::Input,
                                        SessionColumn::CacheWrite, SessionColumn::CacheRead,
                                        SessionColumn::Output};

} // namespace

SessionTreeModel::SessionTreeModel(QObject* parent) : PlainModel(parent), tree_(orEmpty(nullptr)) {}

void SessionTreeModel::setTree(std::shared_ptr<const SessionTree> tree) {
    beginResetModel();
    tree_ = orEmpty(std::move(tree));
    longest_ = {};
    for (const SessionNode& node : tree_->nodes) {
        for (const SessionColumn column : barColumns) {
            const Usage part = partOf(node.totals.usage, column);
            Tokens& longest = longest_[static_cast<std::size_t>(node.kind)][static_cast<std::size_t>(column)];
            longest = std::max(longest, part.context() + part.output);
        }
    }
    computeOrder();
    endResetModel();
}

const SessionNode& SessionTreeModel::node(const QModelIndex& index) const {
    return tree_->nodes[index.internalId()];
}

QModelIndex SessionTreeModel::indexOf(std::uint32_t node, SessionColumn column) const {
    const std::uint32_t parent = tree_->nodes[node].parent;
    const std::uint32_t first = parent == SessionNode::noParent ? 0 : tree_->nodes[parent].firstChild;
    return createIndex(static_cast<int>(place_[node] - first), static_cast<int>(column), quintptr{node});
}

QModelIndex SessionTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    const std::uint32_t first = parent.isValid() ? node(parent).firstChild : 0;
    return createIndex(row, column, quintptr{order_[first + static_cast<std::uint32_t>(row)]});
}

QModelIndex SessionTreeModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || node(index).parent == SessionNode::noParent) {
        return {};
    }
    return indexOf(node(index).parent);
}

int SessionTreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) {
        return static_cast<int>(tree_->projects);
    }
    return parent.column() == 0 ? static_cast<int>(node(parent).children) : 0;
}

int SessionTreeModel::columnCount(const QModelIndex& /*parent*/) const {
    return static_cast<int>(sessionColumnCount);
}

QVariant SessionTreeModel::cell(const QModelIndex& index, int role) const {
    if (!index.isValid()) { // as views ask when nothing is current
        return {};
    }
    const SessionNode& row = node(index);
    const SessionColumn column = columnOf(index);
    switch (role) {
    case Qt::DisplayRole:
        return cellText(*tree_, row, column);
    case Qt::ToolTipRole:
        return QVariant::fromValue(cellToolTip(*tree_, row, column));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft));
    case SortRole:
        return cellSortValue(*tree_, row, column);
    case ExactRole:
        return cellExact(*tree_, row, column);
    case KeyRole:
        return QString::fromStdString(row.key);
    case BarRole:
        return barOf(row, column);
    case NoteRole:
        return column == SessionColumn::Name ? QString::fromStdString(row.note) : QVariant();
    case MarksRole:
        return column == SessionColumn::Name ? QVariant(marksOf(row)) : QVariant();
    default:
        return {};
    }
}

int SessionTreeModel::marksOf(const SessionNode& node) const {
    const bool shown = node.kind == SessionNodeKind::Session && !shown_.empty() && node.key == shown_;
    return (node.inheritedCalls > 0 ? InheritsMark : 0) | (node.losesData ? DiagnosticsMark : 0) |
           (shown ? ShownMark : 0);
}

void SessionTreeModel::setShown(const QString& key) {
    shown_ = key.toStdString();
    for (std::uint32_t i = 0; i < tree_->projects; ++i) {
        const QModelIndex project = indexOf(i);
        const int last = rowCount(project) - 1;
        if (last >= 0) {
            emit dataChanged(index(0, 0, project), index(last, 0, project), {MarksRole});
        }
    }
}

QVariant SessionTreeModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const auto column = static_cast<SessionColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
    case ExactRole:
        return titleOf(column);
    case Qt::ToolTipRole:
        return explanationOf(column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::InitialSortOrderRole: // the most first; names from A
        return static_cast<int>(isNumeric(column) ? Qt::DescendingOrder : Qt::AscendingOrder);
    default:
        return {};
    }
}

void SessionTreeModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= columnCount()) {
        return;
    }
    sortColumn_ = static_cast<SessionColumn>(column);
    sortOrder_ = order;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    computeOrder();
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex& index : before) {
        after << indexOf(static_cast<std::uint32_t>(index.internalId()), columnOf(index));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

void SessionTreeModel::computeOrder() {
    order_ = orderOf(*tree_, sortColumn_, sortOrder_ == Qt::DescendingOrder);
    place_.resize(order_.size());
    for (std::uint32_t position = 0; position < order_.size(); ++position) {
        place_[order_[position]] = position;
    }
}

QVariant SessionTreeModel::barOf(const SessionNode& row, SessionColumn column) const {
    const Tokens longest = longest_[static_cast<std::size_t>(row.kind)][static_cast<std::size_t>(column)];
    if (longest <= 0) {
        return {};
    }
    const Usage part = partOf(row.totals.usage, column);
    const auto share = [&](Tokens n) { return static_cast<double>(n) / static_cast<double>(longest); };
    return QVariant::fromValue(
        StackedBar{share(part.cacheRead), share(part.cacheWrite), share(part.input), share(part.output)});
}

} // namespace loadline::ui
