// Prefix breaks as rows: texts, exact values, order.
#include "ui/model/break_model.h"

#include "core/base/zone.h"
#include "ui/theme/format.h"

#include <QStringList>

#include <algorithm>
#include <numeric>
#include <utility>

namespace loadline::ui {
namespace {

constexpr const char* breakTitles[] = {"When", "Session", "Paid again", "Cause", "Evidence"};
constexpr const char* breakTips[] = {
    "Time of the call",
    "The session that the call belongs to",
    "Tokens of the prompt that the provider's cache had held, and that were not read from it",
    "The likely cause: a pause only where nothing else was found",
    "What in the log says so",
};

bool isNumber(BreakColumn column) {
    return column == BreakColumn::PaidAgain;
}

} // namespace

void BreakModel::setFigure(std::shared_ptr<const CacheFigure> figure) {
    beginResetModel();
    figure_ = figure && figure->ofSessions() ? std::move(figure) : nullptr;
    computeOrder();
    endResetModel();
}

const PrefixBreak* BreakModel::at(int row) const {
    return row < 0 || row >= rowCount()
               ? nullptr
               : &figure_->requests.provider->breaks[order_[static_cast<std::size_t>(row)]];
}

int BreakModel::rowOf(const PrefixBreak* one) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (at(row) == one) {
            return row;
        }
    }
    return -1;
}

int BreakModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int BreakModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : breakColumnCount;
}

QString BreakModel::text(const PrefixBreak& one, BreakColumn column) const {
    if (column == BreakColumn::Time && isKnown(one.time)) {
        return QString::fromStdString(formatIso8601(asShown(one.time))).left(16).replace('T', ' ');
    }
    return isNumber(column) ? countText(exact(one, column).toDouble()) : exact(one, column).toString();
}

QVariant BreakModel::exact(const PrefixBreak& one, BreakColumn column) const {
    const Session& session = figure_->requests.corpus->sessions[one.session];
    switch (column) {
    case BreakColumn::Time:
        return isKnown(one.time) ? QString::fromStdString(formatIso8601(one.time)) : QStringLiteral("\u2013");
    case BreakColumn::Session:
        return QString::fromStdString(session.title.empty() ? session.sessionId : session.title);
    case BreakColumn::PaidAgain:
        return static_cast<qlonglong>(one.paidAgain);
    case BreakColumn::Cause:
        return QString::fromStdString(std::string(describe(one.cause())));
    case BreakColumn::Evidence: {
        QStringList all;
        for (const BreakReason& reason : one.reasons) {
            all << QString::fromStdString(reason.evidence);
        }
        return all.join(QStringLiteral("; "));
    }
    }
    return {};
}

QVariant BreakModel::cell(const QModelIndex& index, int role) const {
    const PrefixBreak* one = index.isValid() ? at(index.row()) : nullptr;
    if (one == nullptr) {
        return {};
    }
    const auto column = static_cast<BreakColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(*one, column);
    case Qt::TextAlignmentRole:
        return QVariant((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return isNumber(column) ? (one->cause() == BreakCause::Compaction
                                       ? tr("none of the new prompt, whose %1 tokens were written; ")
                                             .arg(exactText(one->compacted))
                                       : QString()) +
                                      exactText(one->paidAgain) +
                                      tr(" of %1 that were cached; %2 read")
                                          .arg(exactText(one->cachedBefore), exactText(one->read))
                                : exact(*one, column).toString();
    case SortRole:
        return exact(*one, column);
    case ExactRole:
        return exact(*one, column).toString();
    default:
        return {};
    }
}

QVariant BreakModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= breakColumnCount) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return tr(breakTitles[section]);
    case Qt::ToolTipRole:
        return tr(breakTips[section]);
    case Qt::TextAlignmentRole:
        return QVariant((isNumber(static_cast<BreakColumn>(section)) ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    default:
        return {};
    }
}

void BreakModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= breakColumnCount) {
        return;
    }
    beginResetModel();
    sortColumn_ = static_cast<BreakColumn>(column);
    sortOrder_ = order;
    computeOrder();
    endResetModel();
}

void BreakModel::computeOrder() {
    order_.resize(figure_ ? figure_->requests.provider->breaks.size() : 0);
    std::iota(order_.begin(), order_.end(), 0U);
    const auto less = [this](std::uint32_t a, std::uint32_t b) {
        const auto& breaks = figure_->requests.provider->breaks;
        return QVariant::compare(exact(breaks[a], sortColumn_), exact(breaks[b], sortColumn_)) ==
               QPartialOrdering::Less;
    };
    std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
        return sortOrder_ == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

} // namespace loadline::ui
