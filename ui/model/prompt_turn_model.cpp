// Prompt turns as rows: texts, exact values, order.
#include "ui/model/prompt_turn_model.h"

#include "core/base/time.h"
#include "core/base/zone.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <numeric>

namespace loadline::ui {
namespace {

constexpr const char* titles[] = {"Start", "Prompt", "Tokens", "Calls", "Output", "Context", "Duration"};
constexpr const char* tips[] = {
    "Time of the prompt",
    "First words of the prompt",
    "Prompt and output tokens of all API calls of the turn, sub-agents included",
    "API calls of the turn, sub-agents included",
    "Generated tokens; \u2265: some counts are lower bounds",
    "Context: the longest prompt of any of its calls",
    "From the prompt to the last line of its last call, as far as it is in view and in scope",
};

UsageTotals all(const SessionPromptTurn& turn) {
    UsageTotals sum = turn.totals;
    sum += turn.subAgents;
    return sum;
}

QString clock(TimeMs time) {
    if (!isKnown(time)) {
        return QStringLiteral("\u2013");
    }
    return QString::fromStdString(formatIso8601(asShown(time))).mid(5, 14).replace('T', ' ');
}

std::int64_t durationMs(const SessionPromptTurn& turn) {
    return isKnown(turn.from) && isKnown(turn.end) ? turn.end.ms - turn.from.ms : -1;
}

} // namespace

PromptTurnModel::PromptTurnModel(QObject* parent)
    : PlainModel(parent), turns_(std::make_shared<const Turns>()) {}

void PromptTurnModel::setTurns(std::shared_ptr<const Turns> turns) {
    beginResetModel();
    turns_ = turns ? std::move(turns) : std::make_shared<const Turns>();
    most_ = 0;
    for (const SessionPromptTurn& turn : *turns_) {
        most_ = std::max(most_, turn.tokens());
    }
    computeOrder();
    endResetModel();
}

const SessionPromptTurn* PromptTurnModel::turn(int row) const {
    return row < 0 || row >= rowCount() ? nullptr : &(*turns_)[order_[static_cast<std::size_t>(row)]];
}

int PromptTurnModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int PromptTurnModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : promptTurnColumnCount;
}

QString PromptTurnModel::text(const SessionPromptTurn& turn, PromptTurnColumn column) const {
    const UsageTotals sum = all(turn);
    switch (column) {
    case PromptTurnColumn::Start:
        return clock(turn.start);
    case PromptTurnColumn::Prompt:
        return turn.isPrompt ? QString::fromStdString(turn.preview)
                             : tr("(calls outside of every prompt turn)");
    case PromptTurnColumn::Calls:
        return exactText(static_cast<std::int64_t>(sum.calls));
    case PromptTurnColumn::Duration:
        return durationMs(turn) < 0 ? QStringLiteral("\u2013") : durationText(durationMs(turn));
    default: // tokens
        return (column == PromptTurnColumn::Output && sum.callsFinalOutput < sum.calls
                    ? QStringLiteral("\u2265 ")
                    : QString()) +
               countText(exact(turn, column).toDouble());
    }
}

QVariant PromptTurnModel::exact(const SessionPromptTurn& turn, PromptTurnColumn column) const {
    const UsageTotals sum = all(turn);
    switch (column) {
    case PromptTurnColumn::Start:
        return QString::fromStdString(formatIso8601(turn.start));
    case PromptTurnColumn::Prompt:
        return text(turn, column);
    case PromptTurnColumn::AllTokens:
        return static_cast<qlonglong>(turn.tokens());
    case PromptTurnColumn::Calls:
        return static_cast<qulonglong>(sum.calls);
    case PromptTurnColumn::Output:
        return static_cast<qlonglong>(sum.usage.output);
    case PromptTurnColumn::Context:
        return static_cast<qlonglong>(turn.largestContext);
    case PromptTurnColumn::Duration:
        return static_cast<qlonglong>(durationMs(turn));
    }
    return {};
}

QVariant PromptTurnModel::cell(const QModelIndex& index, int role) const {
    const SessionPromptTurn* turn = index.isValid() ? this->turn(index.row()) : nullptr;
    if (!turn) {
        return {};
    }
    const auto column = static_cast<PromptTurnColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(*turn, column);
    case Qt::TextAlignmentRole:
        return column == PromptTurnColumn::Prompt || column == PromptTurnColumn::Start
                   ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                   : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return column == PromptTurnColumn::Prompt || column == PromptTurnColumn::Start
                   ? exact(*turn, column)
                   : exactText(exact(*turn, column).toLongLong());
    case SortRole:
        return exact(*turn, column);
    case ExactRole:
        return exact(*turn, column).toString();
    case ShareRole:
        return column == PromptTurnColumn::AllTokens && most_ > 0
                   ? QVariant(static_cast<double>(turn->tokens()) / static_cast<double>(most_))
                   : QVariant();
    default:
        return {};
    }
}

QVariant PromptTurnModel::heading(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= promptTurnColumnCount) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return tr(titles[section]);
    }
    if (role == Qt::ToolTipRole) {
        return tr(tips[section]);
    }
    if (role == Qt::TextAlignmentRole) {
        return section < 2 ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                           : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    return {};
}

void PromptTurnModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= promptTurnColumnCount) {
        return;
    }
    sortColumn_ = static_cast<PromptTurnColumn>(column);
    sortOrder_ = order;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> shown;
    for (const QModelIndex& index : before) {
        shown.push_back(order_[static_cast<std::size_t>(index.row())]);
    }
    computeOrder();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto place = std::find(order_.begin(), order_.end(), shown[static_cast<std::size_t>(i)]);
        after << index(static_cast<int>(place - order_.begin()), before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void PromptTurnModel::computeOrder() {
    order_.resize(turns_->size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto less = [this](std::uint32_t a, std::uint32_t b) {
        const QVariant left = exact((*turns_)[a], sortColumn_), right = exact((*turns_)[b], sortColumn_);
        return QVariant::compare(left, right) == QPartialOrdering::Less;
    };
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sortOrder_ == Qt::AscendingOrder ? less(a, b) : less(b, a);
    });
}

} // namespace loadline::ui
