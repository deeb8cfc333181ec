// Menus of rows and columns of the Sessions dock.
#include "ui/model/session_tree_model.h"
#include "ui/panel/sessions/session_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTreeView>

#include <algorithm>

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
    menu.addSeparator();
    menu.addAction(tr("As many as fit"), this, [this] {
        for (ColumnWish& column : wishes_) {
            column.wish = SessionColumns::Wish::AsFits;
        }
    });
    menu.exec(globalPosition);
    fitColumns();
}

void SessionPanel::noteColumn(int column, int before, int now) {
    if (fitting_) {
        return;
    }
    using Wish = SessionColumns::Wish;
    ColumnWish& wish = wishes_.at(static_cast<std::size_t>(column));
    wish.width = now > 0 ? now : wish.width;
    if (now == 0 || before == 0) {
        wish.wish = now == 0 ? Wish::Hidden : Wish::Kept;
    } else if (column == static_cast<int>(SessionColumn::Name) && view_->isVisible()) {
        wish.wish = Wish::Kept;
    }
}

void SessionPanel::fitColumns() {
    using Wish = SessionColumns::Wish;
    constexpr int leastName = 220;
    constexpr int narrowestName = 120;
    const QScopedValueRollback guard(fitting_, true);
    QHeaderView& header = *view_->header();
    const int name = static_cast<int>(SessionColumn::Name);
    const auto wishOf = [this](int column) -> const ColumnWish& {
        return wishes_.at(static_cast<std::size_t>(column));
    };
    const auto stays = [&](int column) {
        return wishOf(column).wish == Wish::Kept ||
               (wishOf(column).wish == Wish::AsFits && column == static_cast<int>(SessionColumn::AllTokens));
    };
    int left = view_->viewport()->width();
    for (int column = 0; column < header.count(); ++column) {
        left -= column != name && stays(column) ? wishOf(column).width : 0;
    }
    const bool nameKept = wishOf(name).wish == Wish::Kept;
    int over = left - (nameKept ? wishOf(name).width : leastName);
    bool room = true; // none is left out before one that is shown
    for (int place = 0; place < header.count(); ++place) {
        const int column = header.logicalIndex(place);
        if (column == name) {
            continue;
        }
        bool shown = stays(column);
        if (!shown && wishOf(column).wish == Wish::AsFits) {
            room = room && wishOf(column).width <= over;
            shown = room;
            over -= shown ? wishOf(column).width : 0;
            left -= shown ? wishOf(column).width : 0;
        }
        header.setSectionHidden(column, !shown);
        if (shown) {
            header.resizeSection(column, wishOf(column).width);
        }
    }
    // A width that was chosen gives way to a scroll bar alone: it would cut a unit off its number.
    const int missing = wishOf(name).width - left;
    const bool givesWay = missing > 0 && missing <= view_->verticalScrollBar()->sizeHint().width();
    header.resizeSection(name, nameKept && !givesWay ? wishOf(name).width : std::max(left, narrowestName));
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
            const int column = header->logicalIndex(visual); // that there is no room for it does not matter
            if (wishes_.at(static_cast<std::size_t>(column)).wish != SessionColumns::Wish::Hidden) {
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
        const ColumnWish& wish = wishes_.at(static_cast<std::size_t>(column));
        columns.shown.push_back({column, wish.width, wish.wish});
    }
    return columnsText(columns);
}

bool SessionPanel::restoreState(const QString& state) {
    const std::optional<SessionColumns> columns = sessionColumnsFrom(state);
    if (!columns) {
        return false;
    }
    using Wish = SessionColumns::Wish;
    QHeaderView* header = view_->header();
    {
        const QScopedValueRollback guard(fitting_, true);
        for (int place = 0; place < header->count(); ++place) {
            const auto& [column, width, wish] = columns->shown[static_cast<std::size_t>(place)];
            const bool hidden = wish == Wish::Hidden && column != static_cast<int>(SessionColumn::Name);
            wishes_.at(static_cast<std::size_t>(column)) = {
                width, wish == Wish::Hidden && !hidden ? Wish::AsFits : wish};
            header->moveSection(header->visualIndex(column), place);
            header->setSectionHidden(column, false);
            header->resizeSection(column, width);
            header->setSectionHidden(column, hidden);
        }
    }
    if (view_->isVisible()) {
        fitColumns();
    }
    view_->sortByColumn(columns->sortColumn, columns->order);
    return true;
}

} // namespace loadline::ui
