// The Sessions dock: what was loaded as a tree to search, sort and choose from.
#pragma once

#include "core/workload/scope/session_tree.h"
#include "ui/panel/sessions/session_columns.h"

#include <QSet>
#include <QStringList>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>

class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;
class QTreeView;

namespace loadline::ui {

class SessionTreeModel;

/// Shows a SessionTree. Expansion, choice, current row and scrolling survive a new tree, by session keys.
class SessionPanel : public QWidget {
    Q_OBJECT

public:
    explicit SessionPanel(QWidget* parent = nullptr);

    /// nullptr: nothing is loaded.
    void setTree(std::shared_ptr<const SessionTree> tree);
    void setReading(bool reading);             ///< files are being read: an empty list may fill
    void setText(const QString& text);         ///< Scope::text; emits nothing
    void setSelected(const QStringList& keys); ///< Scope::sessions; emits nothing
    void setShown(const QString& key); ///< the session shown over time is marked and in sight; "": none

    /// Session::key; a project stands for its sessions.
    [[nodiscard]] const QStringList& selected() const { return selected_; }

    /// Sorting, then columns in their order with their widths: "tokens down; session 220; model 150 hidden".
    [[nodiscard]] QString saveState() const;
    /// False, and nothing changes, where that is not what it says.
    bool restoreState(const QString& state);
    [[nodiscard]] bool hasSessions() const;
    /// Keys of the rows that are open, ascending.
    [[nodiscard]] QStringList openRows() const;
    /// For the data that come next, instead of what is usual; as usual where none of them is there.
    void setOpenRows(const QStringList& keys) { openAtFirst_ = keys; }
    void focusSearch();

signals:
    void sessionsSelected(const QStringList& keys); ///< empty: all
    void textChanged(const QString& text);          ///< while typing; the app makes it Scope::text
    void timelineRequested(const QString& key);
    void diagnosticsRequested(const QString& path); ///< of the file or session under the cursor
    void openFolderRequested(const QString& path);  ///< show this file in the file manager

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addActions();
    void onViewSelection();
    [[nodiscard]] QStringList keysInView() const;
    void showSelection();
    void restoreExpansion(bool newData, bool moreData);
    void showSummary();
    void showRowMenu(const QPoint& position);
    void showColumnMenu(const QPoint& globalPosition);
    void openTimeline(const QModelIndex& index);
    void copyRows();
    /// Shows as many columns as there is room for, in their order; the name column takes the rest. The
    /// user's choices stay, with a scroll bar if needed.
    void fitColumns();
    void noteColumn(int column, int before, int now); ///< was resized, hidden or shown

    SessionTreeModel* model_;
    QLineEdit* search_;
    QToolButton* columns_;
    QTreeView* view_;
    QLabel* nothing_;
    QLabel* summary_;
    QToolButton* all_;
    QStringList selected_;
    QString shown_;
    std::optional<QStringList> openAtFirst_; ///< setOpenRows
    QSet<QString> expanded_; ///< keys of rows the user opened, or that were opened for a small list
    struct ColumnWish {
        int width = 0; ///< pixels, while it is shown
        SessionColumns::Wish wish = SessionColumns::Wish::AsFits;
    };
    std::array<ColumnWish, sessionColumnCount> wishes_; ///< by SessionColumn
    bool fitting_ = false;                              ///< columns change by themselves
    bool openedByHand_ = false;                         ///< or restored: what is read later opens nothing
    bool reading_ = false;
    bool updating_ = false; ///< the view changes by itself: not the user's doing
};

} // namespace loadline::ui
