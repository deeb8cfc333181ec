// Item model over a SessionTree: project > session > agents.
#pragma once

#include "core/workload/scope/session_tree.h"
#include "ui/model/plain_model.h"
#include "ui/model/roles.h"

#include <QAbstractItemModel>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace loadline::ui {

/// Parts of an in-cell bar, as shares of the longest bar of the same level and column; they add up to at
/// most 1.
struct StackedBar {
    double cacheRead = 0, cacheWrite = 0, input = 0, output = 0;
    bool operator==(const StackedBar&) const = default;
};

/// Small marks before a name (MarksRole).
enum SessionMark : int { InheritsMark = 1, DiagnosticsMark = 2, ShownMark = 4 };

/// The row's output with its quality: "12 k", "≥ 12 k" (some counts are lower bounds), "? 12" (placeholders
/// only), "–" without calls.
QString outputText(const UsageTotals& totals, bool exact);
/// "claude-opus-4-5-20251101" -> "opus-4-5".
QString shortModelName(const std::string& model);

/// Columns are SessionColumn. Rows follow a permutation that orderOf makes; the tree itself never changes.
class SessionTreeModel : public PlainModel<QAbstractItemModel> {
    Q_OBJECT

public:
    explicit SessionTreeModel(QObject* parent = nullptr);

    void setTree(std::shared_ptr<const SessionTree> tree); ///< resets; the sorting stays in force

    /// Marks the session with this key as the one that is shown over time; "": none.
    void setShown(const QString& key);

    [[nodiscard]] const SessionTree& tree() const { return *tree_; }

    [[nodiscard]] const SessionNode& node(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(std::uint32_t node, SessionColumn column = SessionColumn::Name) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    [[nodiscard]] QVariant cell(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant heading(int section, Qt::Orientation orientation, int role) const override;

private:
    void computeOrder();
    [[nodiscard]] int marksOf(const SessionNode& node) const;
    [[nodiscard]] QVariant barOf(const SessionNode& node, SessionColumn column) const;

    std::shared_ptr<const SessionTree> tree_;
    std::string shown_;
    std::vector<std::uint32_t> order_;                                ///< position -> node
    std::vector<std::uint32_t> place_;                                ///< node -> position
    std::array<std::array<Tokens, sessionColumnCount>, 3> longest_{}; ///< by SessionNodeKind and column
    SessionColumn sortColumn_ = SessionColumn::AllTokens;
    Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
};

} // namespace loadline::ui
