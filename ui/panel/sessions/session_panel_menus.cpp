// What can be done with rows and columns of the Sessions dock.
#include "ui/model/session_tree_model.h"
#include "ui/panel/sessions/session_columns.h"
#include "ui/panel/sessions/session_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QTreeView>

namespace loadline::ui {

void SessionPanel::showRowMenu(const QPoint& position) {
    const QModelIndex index = view_->indexAt(position);
    if (!index.isValid()) {
        return;
    }
    const SessionNode& node = model_->node(index);
    const bool isProject = node.kind == SessionNodeKind::Project;
    QMenu menu(this);
    if (!isProject) {
        menu.addAction(tr("Open the timeline\tEnter"), this, [this, index] { openTimeline(index); });
        const QString path = QString::fromStdString(model_->tree().corpus->files[node.file].file->path);
        menu.addAction(tr("Show only this"), this, [this, index] {
            view_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                                QItemSelectionModel::Rows);
        });
        menu.addSeparator();
        menu.addAction(tr("Copy path"), this, [path] { QApplication::clipboard()->setText(path); });
        menu.addAction(tr("Open folder"), this, [this, path] { emit openFolderRequested(path); });
        if (node.diagnostics > 0) {
            menu.addAction(tr("Show what was odd"), this, [this, path] { emit diagnosticsRequested(path); });
        }
    } else {
        const QString path = QString::fromStdString(node.key);
        menu.addAction(tr("Show only this project"), this, [this, index] {
            view_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                                QItemSelectionModel::Rows);
        });
        menu.addAction(tr("Copy path"), this, [path] { QApplication::clipboard()->setText(path); });
    }
    menu.addAction(
        tr("Copy rows\t%1").arg(QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText)), this,
        &SessionPanel::copyRows);
    menu.addSeparator();
    menu.addAction(tr("Expand all"), view_, &QTreeView::expandAll);
    menu.addAction(tr("Collapse all"), view_, &QTreeView::collapseAll);
    menu.exec(view_->viewport()->mapToGlobal(position));
}

void SessionPanel::showColumnMenu(const QPoint& globalPosition) {
    QMenu menu(this);
    QHeaderView* header = view_->header();
    for (int column = 1; column < model_->columnCount(); ++column) {
        QAction* action =
            menu.addAction(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        connect(action, &QAction::toggled, header,
                [header, column](bool on) { header->setSectionHidden(column, !on); });
    }
    menu.exec(globalPosition);
}

void SessionPanel::openTimeline(const QModelIndex& index) {
    if (!index.isValid()) {
        return;
    }
    const SessionNode& node = model_->node(index);
    if (node.kind == SessionNodeKind::Project) { // a double click opens it already, Enter does here
        return view_->setExpanded(index.siblingAtColumn(0), !view_->isExpanded(index.siblingAtColumn(0)));
    }
    emit timelineRequested(QString::fromStdString(model_->tree().corpus->sessions[node.session].key));
}

void SessionPanel::copyRows() {
    QString text;
    const QHeaderView* header = view_->header();
    const auto line = [&](const auto& cellAt) {
        QStringList cells;
        for (int visual = 0; visual < header->count(); ++visual) {
            if (const int column = header->logicalIndex(visual); !header->isSectionHidden(column)) {
                cells << cellAt(column).simplified();
            }
        }
        text += cells.join(u'\t') + u'\n';
    };
    line([&](int column) { return model_->headerData(column, Qt::Horizontal, ExactRole).toString(); });
    for (QModelIndex index = model_->index(0, 0); index.isValid(); index = view_->indexBelow(index)) {
        if (view_->selectionModel()->isSelected(index)) {
            line([&](int column) { return index.siblingAtColumn(column).data(ExactRole).toString(); });
        }
    }
    QApplication::clipboard()->setText(text);
}

QString SessionPanel::saveState() const {
    const QHeaderView& header = *view_->header();
    SessionColumns columns{header.sortIndicatorSection(), header.sortIndicatorOrder(), {}};
    for (int place = 0; place < header.count(); ++place) {
        const int column = header.logicalIndex(place);
        const bool hidden = header.isSectionHidden(column); // then its size is 0
        columns.shown.push_back({column, hidden ? usualWidth(column) : header.sectionSize(column), hidden});
    }
    return columnsText(columns);
}

bool SessionPanel::restoreState(const QString& state) {
    const std::optional<SessionColumns> columns = sessionColumnsFrom(state);
    if (!columns) {
        return false;
    }
    QHeaderView* header = view_->header();
    for (int place = 0; place < header->count(); ++place) {
        const auto& [column, width, hidden] = columns->shown[static_cast<std::size_t>(place)];
        header->moveSection(header->visualIndex(column), place);
        header->setSectionHidden(column, false);
        header->resizeSection(column, width);
        header->setSectionHidden(column, hidden && column != static_cast<int>(SessionColumn::Name));
    }
    widthsChosen_ = true;
    view_->sortByColumn(columns->sortColumn, columns->order);
    return true;
}

} // namespace loadline::ui
