// The Diagnostics dock: what was odd in which file.
#pragma once

#include "core/session/corpus/corpus.h"

#include <QSet>
#include <QWidget>

#include <memory>

class QCheckBox;
class QLabel;
class QLineEdit;
class QTreeView;

namespace loadline::ui {

class DiagnosticsModel;

class DiagnosticsPanel : public QWidget {
    Q_OBJECT

public:
    explicit DiagnosticsPanel(QWidget* parent = nullptr);

    void setCorpus(std::shared_ptr<const Corpus> corpus);
    void setFilter(const QString& text);          ///< in path, kind and detail; a path shows one file
    [[nodiscard]] std::uint64_t oddities() const; ///< all, each counted as often as it occurred

signals:
    void placeActivated(const QString& path, qulonglong line); ///< line 0: the whole file
    void openFolderRequested(const QString& path);             ///< show this file in the file manager

private:
    void activate(const QModelIndex& index);
    void showMenu(const QPoint& position);
    void copySelection();
    void restoreExpansion();
    void showSummary();

    DiagnosticsModel* model_;
    QLineEdit* search_;
    QCheckBox* lossOnly_;
    QLabel* summary_;
    QTreeView* view_;
    QLabel* nothing_;
    QSet<QString> collapsed_; ///< kinds the user closed
    bool restoring_ = false;
};

} // namespace loadline::ui
