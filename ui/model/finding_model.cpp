// A verdict on a server's log as rows.
#include "ui/model/finding_model.h"

#include <utility>

namespace loadline::ui {
namespace {

constexpr const char* findingTitles[] = {"Verdict", "Hypothesis", "Why"};
constexpr const char* findingTips[] = {
    "Supported, excluded, or not excluded: the log cannot tell",
    "What could make a server slow, or what would decide it",
    "What in the log says so; its lines stand beside it",
};

QString plainText(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

QString signOf(Verdict verdict) {
    return verdict == Verdict::Supported  ? QStringLiteral("\u2713 ")
           : verdict == Verdict::Excluded ? QStringLiteral("\u2717 ")
                                          : QStringLiteral("? ");
}

} // namespace

void FindingModel::setVerdict(std::shared_ptr<const LogVerdict> verdict) {
    beginResetModel();
    verdict_ = std::move(verdict);
    endResetModel();
}

const Finding* FindingModel::at(int row) const {
    return verdict_ && row >= 0 && row < static_cast<int>(verdict_->findings.size())
               ? &verdict_->findings[static_cast<std::size_t>(row)]
               : nullptr;
}

int FindingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !verdict_
               ? 0
               : static_cast<int>(verdict_->findings.size() + verdict_->next.size());
}

int FindingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : findingColumnCount;
}

QString FindingModel::textOf(const Finding& finding, FindingColumn column) const {
    switch (column) {
    case FindingColumn::Verdict:
        return signOf(finding.verdict) + plainText(wordOf(finding.verdict));
    case FindingColumn::Claim:
        return plainText(finding.claim);
    case FindingColumn::Reason:
        return plainText(finding.reason);
    }
    return {};
}

QString FindingModel::textOfNext(std::size_t next, FindingColumn column) const {
    return column == FindingColumn::Verdict ? tr("\u2192 try next %1").arg(next + 1)
           : column == FindingColumn::Claim ? plainText(verdict_->next[next])
                                            : QString();
}

QVariant FindingModel::cell(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const auto column = static_cast<FindingColumn>(index.column());
    const Finding* const finding = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case ExactRole:
        return finding != nullptr
                   ? textOf(*finding, column)
                   : textOfNext(static_cast<std::size_t>(index.row()) - verdict_->findings.size(), column);
    case Qt::ToolTipRole:
        return finding == nullptr || finding->decide.empty()
                   ? QVariant()
                   : QVariant(tr("To decide it: %1").arg(plainText(finding->decide)));
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignLeft | Qt::AlignTop);
    default:
        return {};
    }
}

QVariant FindingModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= findingColumnCount) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return tr(findingTitles[section]);
    case Qt::ToolTipRole:
        return tr(findingTips[section]);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace loadline::ui
