// Item model over the prompt turns of a session: which turn used most.
#pragma once

#include "core/workload/timeline/prompt_turns.h"
#include "ui/model/plain_model.h"
#include "ui/model/roles.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace loadline::ui {

enum class PromptTurnColumn : int { Start, Prompt, AllTokens, Calls, Output, Context, Duration };
inline constexpr int promptTurnColumnCount = 7;

/// Rows follow a permutation; the first order is by tokens, most first. Start is relative to the session's.
class PromptTurnModel : public PlainModel<QAbstractTableModel> {
    Q_OBJECT

public:
    using Turns = std::vector<SessionPromptTurn>;

    explicit PromptTurnModel(QObject* parent = nullptr);

    void setTurns(std::shared_ptr<const Turns> turns); ///< null: none; the sorting stays in force

    /// The turn shown at `row`; -1 or beyond: null.
    [[nodiscard]] const SessionPromptTurn* turn(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const SessionPromptTurn& turn, PromptTurnColumn column) const;
    [[nodiscard]] QVariant exact(const SessionPromptTurn& turn, PromptTurnColumn column) const;
    void computeOrder();

    std::shared_ptr<const Turns> turns_;
    std::vector<std::uint32_t> order_;
    Tokens most_ = 0; ///< tokens of the turn that used most
    PromptTurnColumn sortColumn_ = PromptTurnColumn::AllTokens;
    Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
};

} // namespace loadline::ui
