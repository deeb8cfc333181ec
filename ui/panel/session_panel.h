// The Sessions dock: what was loaded as a tree to search, sort and choose from.
#pragma once

#include "core/workload/session_tree.h"

#include <QStringList>
#include <QWidget>

#include <memory>

namespace loadline::ui {

/// Shows a SessionTree. Expansion, choice, current row and scrolling survive a new tree, by session keys.
class SessionPanel : public QWidget {
    Q_OBJECT

public:
    explicit SessionPanel(QWidget* parent = nullptr);

    /// nullptr: nothing is loaded.
    void setTree(std::shared_ptr<const SessionTree> tree);
    void setText(const QString& text);         ///< Scope::text; emits nothing
    void setSelected(const QStringList& keys); ///< Scope::sessions; emits nothing
    [[nodiscard]] QStringList
    selected() const; ///< Session::key, in display order; a project stands for its sessions
    [[nodiscard]] QByteArray saveState() const; ///< columns, widths, sorting
    bool restoreState(const QByteArray& state);
    void focusSearch();

signals:
    void sessionsSelected(const QStringList& keys); ///< empty: all
    void textChanged(const QString& text);          ///< while typing; the app makes it Scope::text
    void timelineRequested(const QString& key);
    void diagnosticsRequested(const QString& path); ///< of the file or session under the cursor
    void openFolderRequested(const QString& path);  ///< show this file in the file manager
};

} // namespace loadline::ui
