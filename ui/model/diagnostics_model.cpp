// Item model over what was odd.
#include "ui/model/diagnostics_model.h"

#include "core/text/counted.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace loadline::ui {

namespace {

// Internal ids: a kind's; a place's is its group's row + 1; a further line's is its entry's number from here
// on.
constexpr quintptr groupId = 0;
constexpr quintptr firstLineId = 1U << 16U;

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString severityOf(DiagnosticKind kind) {
    switch (effectOf(kind)) {
    case DiagnosticEffect::Mended:
        return DiagnosticsModel::tr("mended: nothing is lost");
    case DiagnosticEffect::Noted:
        return DiagnosticsModel::tr("noted: read as it stands");
    case DiagnosticEffect::Guessed:
        return DiagnosticsModel::tr("assumed: figures depend on it");
    case DiagnosticEffect::LeftAside:
        return DiagnosticsModel::tr("left aside: not read, in no total");
    case DiagnosticEffect::LosesData:
        break;
    }
    return DiagnosticsModel::tr("loses data: what could not be read is left out");
}

/// Returns the number of rows below a place, and a note if these are not all.
QString furtherLines(const Diagnostic& odd) {
    if (odd.otherLines.empty()) {
        return {};
    }
    const std::string lines = counted(odd.otherLines.size(), "further line");
    return u'\n' + (leavesOutLines(odd) ? DiagnosticsModel::tr("%1 stand below it, not all there are")
                                        : DiagnosticsModel::tr("%1 below it"))
                       .arg(QString::fromStdString(lines));
}

} // namespace

DiagnosticsModel::DiagnosticsModel(QObject* parent) : PlainModel(parent) {}

void DiagnosticsModel::setCorpus(std::shared_ptr<const Corpus> corpus) {
    beginResetModel();
    corpus_ = std::move(corpus);
    collect();
    arrange();
    place();
    endResetModel();
}

void DiagnosticsModel::setFilter(const QString& filter, bool lossOnly) {
    if (filter == filter_ && lossOnly == lossOnly_) {
        return;
    }
    beginResetModel();
    filter_ = filter;
    lossOnly_ = lossOnly;
    arrange();
    place();
    endResetModel();
}

void DiagnosticsModel::collect() {
    paths_.clear();
    entries_.clear();
    oddities_ = 0;
    losses_ = 0;
    if (!corpus_) {
        return;
    }
    const auto add = [&](const std::string& path, const Diagnostic& diagnostic) {
        if (paths_.empty() || *paths_.back() != path) {
            paths_.push_back(&path);
        }
        entries_.push_back(
            {.path = static_cast<std::uint32_t>(paths_.size() - 1), .diagnostic = &diagnostic});
        oddities_ += diagnostic.count;
        losses_ += leavesOut(diagnostic.kind) ? diagnostic.count : 0;
    };
    for (const PathDiagnostic& odd : corpus_->diagnostics) {
        add(odd.path, odd.diagnostic);
    }
    for (const FileInCorpus& file : corpus_->files) {
        for (const Diagnostic& diagnostic : file.file->diagnostics) {
            add(file.file->path, diagnostic);
        }
    }
    std::ranges::stable_sort(entries_, {}, [](const Entry& entry) { return entry.diagnostic->kind; });
}

void DiagnosticsModel::arrange() {
    groups_.clear();
    shown_ = 0;
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        const Diagnostic& odd = *entry.diagnostic;
        if (lossOnly_ && !leavesOut(odd.kind)) {
            continue;
        }
        if (!filter_.isEmpty() && !pathOf(entry).contains(filter_, Qt::CaseInsensitive) &&
            !text(diagnosticSentence(odd)).contains(filter_, Qt::CaseInsensitive)) {
            continue;
        }
        if (groups_.empty() || groups_.back().kind != odd.kind) {
            groups_.push_back({odd.kind, 0, {}});
        }
        groups_.back().entries.push_back(i);
        groups_.back().count += odd.count;
        shown_ += odd.count;
    }
    if (sortColumn_ < 0) {
        return;
    }
    for (Group& group : groups_) {
        std::ranges::stable_sort(group.entries, [&](std::uint32_t a, std::uint32_t b) {
            return sortOrder_ == Qt::AscendingOrder ? isBefore(entries_[a], entries_[b])
                                                    : isBefore(entries_[b], entries_[a]);
        });
    }
    std::ranges::stable_sort(groups_, [&](const Group& a, const Group& b) {
        const Group& first = sortOrder_ == Qt::AscendingOrder ? a : b;
        const Group& second = sortOrder_ == Qt::AscendingOrder ? b : a;
        if (sortColumn_ == Times) {
            return first.count < second.count;
        }
        return sortColumn_ == What && describe(first.kind) < describe(second.kind);
    });
}

void DiagnosticsModel::place() {
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
        for (std::uint32_t row = 0; row < groups_[group].entries.size(); ++row) {
            Entry& entry = entries_[groups_[group].entries[row]];
            entry.group = group;
            entry.row = row;
        }
    }
}

bool DiagnosticsModel::isBefore(const Entry& a, const Entry& b) const {
    switch (sortColumn_) {
    case What:
        return a.diagnostic->detail < b.diagnostic->detail;
    case Times:
        return a.diagnostic->count < b.diagnostic->count;
    case Line:
        return a.diagnostic->line < b.diagnostic->line;
    default:
        return *paths_[a.path] < *paths_[b.path];
    }
}

const DiagnosticsModel::Entry* DiagnosticsModel::entry(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == groupId) {
        return nullptr;
    }
    if (index.internalId() >= firstLineId) {
        return &entries_[index.internalId() - firstLineId];
    }
    const Group& group = groups_[index.internalId() - 1];
    return &entries_[group.entries[static_cast<std::size_t>(index.row())]];
}

std::uint64_t DiagnosticsModel::lineOf(const QModelIndex& index) const {
    const Entry* found = entry(index);
    if (!found) {
        return 0;
    }
    return index.internalId() >= firstLineId
               ? found->diagnostic->otherLines[static_cast<std::size_t>(index.row())]
               : found->diagnostic->line;
}

QString DiagnosticsModel::pathOf(const Entry& entry) const {
    return QString::fromStdString(*paths_[entry.path]);
}

QModelIndex DiagnosticsModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    if (!parent.isValid()) {
        return createIndex(row, column, groupId);
    }
    if (const Entry* place = entry(parent)) {
        return createIndex(row, column, firstLineId + static_cast<quintptr>(place - entries_.data()));
    }
    return createIndex(row, column, static_cast<quintptr>(parent.row()) + 1);
}

QModelIndex DiagnosticsModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == groupId) {
        return {};
    }
    if (index.internalId() >= firstLineId) {
        const Entry& place = *entry(index);
        return createIndex(static_cast<int>(place.row), 0, static_cast<quintptr>(place.group) + 1);
    }
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, groupId);
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) {
        return static_cast<int>(groups_.size());
    }
    if (parent.column() != 0 || parent.internalId() >= firstLineId) {
        return 0;
    }
    if (const Entry* place = entry(parent)) {
        return static_cast<int>(place->diagnostic->otherLines.size());
    }
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].entries.size());
}

int DiagnosticsModel::columnCount(const QModelIndex& /*parent*/) const {
    return 4;
}

QVariant DiagnosticsModel::cell(const QModelIndex& index, int role) const {
    if (!index.isValid()) { // as views ask when nothing is current
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool number = index.column() == Times || index.column() == Line;
        return QVariant::fromValue(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (const Entry* found = entry(index)) {
        if (index.internalId() >= firstLineId) {
            return lineData(index, *found, role);
        }
        return entryData(*found, index.column(), role);
    }
    return groupData(groups_[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant DiagnosticsModel::groupData(const Group& group, int column, int role) const {
    const auto count = static_cast<std::int64_t>(group.count);
    switch (role) {
    case Qt::DisplayRole:
        if (column == What) {
            return capitalised(std::string(describe(group.kind)));
        }
        if (column == Times) {
            return exactText(count);
        }
        if (column == File) {
            return severityOf(group.kind);
        }
        return {};
    case ExactRole:
        return column == Times ? QVariant(QString::number(count)) : groupData(group, column, Qt::DisplayRole);
    case SortRole:
        return column == Times ? QVariant::fromValue<qlonglong>(count)
                               : groupData(group, column, Qt::DisplayRole);
    case Qt::ToolTipRole:
        return severityOf(group.kind);
    case KeyRole:
        return text(keyOf(group.kind));
    case MarksRole:
        return leavesOut(group.kind);
    default:
        return {};
    }
}

QVariant DiagnosticsModel::entryData(const Entry& entry, int column, int role) const {
    const Diagnostic& odd = *entry.diagnostic;
    const auto count = static_cast<std::int64_t>(odd.count);
    const auto line = static_cast<std::int64_t>(odd.line);
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case What:
            return text(odd.detail.empty() ? describe(odd.kind) : std::string_view(odd.detail));
        case Times:
            return exactText(count);
        case Line:
            return odd.line > 0 ? exactText(line) : tr("whole file");
        default:
            return pathOf(entry);
        }
    case ExactRole:
        if (column == Times) {
            return QString::number(count);
        }
        if (column == Line) {
            return odd.line > 0 ? QString::number(line) : QString();
        }
        return entryData(entry, column, Qt::DisplayRole);
    case SortRole:
        if (column == Times || column == Line) {
            return QVariant::fromValue<qlonglong>(column == Times ? count : line);
        }
        return entryData(entry, column, Qt::DisplayRole);
    case Qt::ToolTipRole:
        return text(diagnosticSentence(odd)) + u'\n' + pathOf(entry) +
               (odd.line > 0 ? u':' + QString::number(odd.line) : QString()) + furtherLines(odd) + u'\n' +
               severityOf(odd.kind);
    default:
        return {};
    }
}

QVariant DiagnosticsModel::lineData(const QModelIndex& index, const Entry& entry, int role) const {
    const auto line = static_cast<std::int64_t>(lineOf(index));
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == What) {
            return entryData(entry, What, Qt::DisplayRole);
        }
        return index.column() == Line ? exactText(line) : QVariant();
    case ExactRole:
        if (index.column() == Times) {
            return {};
        }
        return index.column() == Line ? QVariant(QString::number(line))
                                      : entryData(entry, index.column(), ExactRole);
    case SortRole:
        return QVariant::fromValue<qlonglong>(line);
    case Qt::ToolTipRole:
        return text(describe(entry.diagnostic->kind)) + u'\n' + pathOf(entry) + u':' + QString::number(line);
    default:
        return {};
    }
}

QVariant DiagnosticsModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const QString titles[] = {tr("What"), tr("Times"), tr("Line"), tr("File")};
    const QString explanations[] = {tr("What was odd, by kind"), tr("How often it occurred in this file"),
                                    tr("Line of its first occurrence; those after it stand below"),
                                    tr("File it was found in")};
    switch (role) {
    case Qt::DisplayRole:
    case ExactRole:
        return titles[section];
    case Qt::ToolTipRole:
        return explanations[section];
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (section == Times || section == Line ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::InitialSortOrderRole:
        return static_cast<int>(section == Times ? Qt::DescendingOrder : Qt::AscendingOrder);
    default:
        return {};
    }
}

void DiagnosticsModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sortColumn_ = column;
    sortOrder_ = order;
    arrange();
    place();
    endResetModel();
}

} // namespace loadline::ui
