// The Sessions dock.
#include "ui/panel/sessions/session_panel.h"

#include "ui/model/session_tree_model.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/sessions/session_delegate.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <optional>
#include <utility>

namespace loadline::ui {
namespace {

int columnAt(SessionColumn column) {
    return static_cast<int>(column);
}

QString keyOf(const QModelIndex& index) {
    return index.data(KeyRole).toString();
}

void setUpColumns(QTreeView& view) {
    QHeaderView& header = *view.header();
    for (int column = 0; column < static_cast<int>(sessionColumnCount); ++column) {
        header.resizeSection(column, usualWidth(column));
    }
    header.setStretchLastSection(false);
    header.setContextMenuPolicy(Qt::CustomContextMenu);
    header.setFirstSectionMovable(false);
    header.setMinimumSectionSize(48);
}

} // namespace

SessionPanel::SessionPanel(QWidget* parent)
    : QWidget(parent), model_(new SessionTreeModel(this)), search_(new QLineEdit(this)),
      columns_(new QToolButton(this)), view_(new QTreeView(this)), nothing_(mutedLabel({}, this)),
      summary_(mutedLabel({}, this)), all_(new QToolButton(this)) {
    setAccessibleName(tr("Sessions"));
    search_->setPlaceholderText(tr("Find in title, project, path, id, model"));
    search_->setAccessibleName(tr("Find sessions"));
    setTip(search_, tr("Every view shows what fits (Ctrl+F)"));
    search_->setClearButtonEnabled(true);
    search_->installEventFilter(this);
    QAction* glass = search_->addAction(QIcon(), QLineEdit::LeadingPosition);
    setTip(columns_, tr("Choose the columns"));
    columns_->setAccessibleName(tr("Columns"));
    columns_->setFocusPolicy(Qt::StrongFocus);

    view_->setModel(model_);
    view_->setItemDelegate(new SessionDelegate(view_));
    view_->setUniformRowHeights(true);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setSortingEnabled(true);
    view_->sortByColumn(columnAt(SessionColumn::AllTokens), Qt::DescendingOrder);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setIndentation(11); // titles need the width
    view_->setAllColumnsShowFocus(true);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setAccessibleName(tr("Projects, sessions and agents"));
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->installEventFilter(this);
    setUpColumns(*view_);
    for (int column = 0; column < static_cast<int>(sessionColumnCount); ++column) {
        wishes_.at(static_cast<std::size_t>(column)).width = usualWidth(column);
    }
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    nothing_->setMargin(2 * spacing);
    summary_->setTextFormat(Qt::PlainText);
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    all_->setText(tr("Show all"));
    setTip(all_, tr("End the choice of sessions (Esc)"));
    all_->setFocusPolicy(Qt::StrongFocus);

    auto* top = rowOf({{search_, 1}, columns_}, spacing / 2, nullptr, {spacing, spacing, spacing, 0});
    auto* foot = rowOf({{summary_, 1}, all_}, -1, nullptr, {spacing, 0, spacing, spacing / 2});
    columnOf({top, {view_, 1}, {nothing_, 1}, foot}, spacing, this);

    addActions();
    connect(search_, &QLineEdit::textEdited, this, &SessionPanel::textChanged);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty() && search_->hasFocus()) {
            emit textChanged(text); // the clear button does not count as an edit
        }
    });
    connect(columns_, &QToolButton::clicked, this,
            [this] { showColumnMenu(columns_->mapToGlobal(QPoint(0, columns_->height()))); });
    connect(all_, &QToolButton::clicked, view_, &QTreeView::clearSelection);
    connect(view_->header(), &QHeaderView::customContextMenuRequested, this,
            [this](const QPoint& position) { showColumnMenu(view_->header()->mapToGlobal(position)); });
    connect(view_, &QTreeView::customContextMenuRequested, this, &SessionPanel::showRowMenu);
    connect(view_, &QTreeView::doubleClicked, this, &SessionPanel::openTimeline);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SessionPanel::onViewSelection);
    connect(view_, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (!updating_) {
            openedByHand_ = true;
            expanded_.insert(keyOf(index));
        }
    });
    connect(view_, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (!updating_) {
            openedByHand_ = true;
            expanded_.remove(keyOf(index));
        }
    });
    followTheme(this, [this, glass](const Theme& theme) {
        glass->setIcon(icon(QStringLiteral("search"), theme));
        columns_->setIcon(icon(QStringLiteral("table"), theme));
        view_->viewport()->update();
    });
    view_->viewport()->installEventFilter(this);
    connect(view_->header(), &QHeaderView::sectionResized, this, &SessionPanel::noteColumn);
    setTabOrder(search_, columns_);
    setTabOrder(columns_, view_);
    setTabOrder(view_, all_);
    setTree(nullptr);
}

void SessionPanel::setTree(std::shared_ptr<const SessionTree> tree) {
    const auto& before = model_->tree().corpus;
    const bool newData = !tree || !before || (openAtFirst_ && tree->corpus != before);
    const QString current = keyOf(view_->currentIndex());
    const bool atTop = view_->verticalScrollBar()->value() == 0;
    const QString top = atTop ? QString() : keyOf(view_->indexAt({2, 2}));
    const int left = view_->horizontalScrollBar()->value();
    {
        const QScopedValueRollback guard(updating_, true);
        const bool moreData = tree && tree->corpus != before;
        model_->setTree(std::move(tree));
        if (newData) {
            expanded_.clear();
            openedByHand_ = false;
        }
        restoreExpansion(newData, moreData);
        showSelection();
        // By key, as rows may stand elsewhere now.
        for (QModelIndex index = model_->index(0, 0); index.isValid(); index = view_->indexBelow(index)) {
            const QString key = keyOf(index);
            if (key == current && !current.isEmpty()) {
                view_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
            }
            if (key == top && !top.isEmpty()) {
                view_->scrollTo(index, QAbstractItemView::PositionAtTop);
            }
        }
        view_->horizontalScrollBar()->setValue(left);
    }
    showSummary();
}

void SessionPanel::setText(const QString& text) {
    if (text == search_->text().trimmed()) { // a space at the end is still being typed
        return;
    }
    const QSignalBlocker blocker(search_);
    search_->setText(text);
}

void SessionPanel::setSelected(const QStringList& keys) {
    if (keys == selected_) {
        return;
    }
    selected_ = keys;
    const QScopedValueRollback guard(updating_, true);
    showSelection();
    showSummary();
    const QModelIndexList rows = view_->selectionModel()->selectedRows();
    if (!rows.isEmpty()) {
        view_->scrollTo(rows.front());
    }
}

void SessionPanel::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

bool SessionPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_->viewport() && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) {
        fitColumns();
    }
    if (watched == view_->viewport() && event->type() == QEvent::MouseButtonPress &&
        static_cast<QMouseEvent*>(event)->button() == Qt::RightButton) {
        return true; // the menu alone: asking what can be done selects nothing
    }
    if (event->type() != QEvent::KeyPress) {
        return QWidget::eventFilter(watched, event);
    }
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == search_) {
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            view_->setFocus(Qt::TabFocusReason);
            if (!view_->currentIndex().isValid()) {
                view_->selectionModel()->setCurrentIndex(model_->index(0, 0), QItemSelectionModel::NoUpdate);
            }
            return true;
        }
        if (key == Qt::Key_Escape && !search_->text().isEmpty()) {
            search_->clear();
            return true;
        }
    } else if (watched == view_) {
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openTimeline(view_->currentIndex());
            return true;
        }
        if (key == Qt::Key_Escape && !selected_.isEmpty()) {
            view_->clearSelection();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void SessionPanel::addActions() {
    auto* find = new QAction(tr("Find sessions"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, &SessionPanel::focusSearch);
    addAction(find);
    auto* copy = new QAction(tr("Copy rows"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &SessionPanel::copyRows);
    view_->addAction(copy);
}

void SessionPanel::onViewSelection() {
    if (updating_) {
        return;
    }
    const QStringList keys = keysInView();
    if (keys == selected_) {
        return;
    }
    selected_ = keys;
    showSummary();
    // Mark what is chosen: an agent's row stands for its session.
    QTimer::singleShot(0, this, [this] {
        const QScopedValueRollback guard(updating_, true);
        showSelection();
    });
    emit sessionsSelected(selected_);
}

/// A project stands for its sessions, an agent for its session; in display order, each once.
QStringList SessionPanel::keysInView() const {
    QSet<quint32> nodes;
    const QModelIndexList rows = view_->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows) {
        const SessionNode& node = model_->node(row);
        if (node.kind == SessionNodeKind::Project) {
            for (std::uint32_t i = 0; i < node.children; ++i) {
                nodes.insert(node.firstChild + i);
            }
        } else {
            nodes.insert(node.kind == SessionNodeKind::Session ? static_cast<quint32>(row.internalId())
                                                               : node.parent);
        }
    }
    QList<quint32> ordered(nodes.cbegin(), nodes.cend());
    std::ranges::sort(ordered);
    QStringList keys;
    for (const quint32 node : ordered) {
        keys << QString::fromStdString(model_->tree().nodes[node].key);
    }
    return keys;
}

/// A project whose sessions are all chosen is shown chosen itself while it is closed.
void SessionPanel::showSelection() {
    const bool marksAgents =
        std::ranges::any_of(view_->selectionModel()->selectedRows(), [this](const QModelIndex& row) {
            return model_->node(row).kind == SessionNodeKind::Agent;
        });
    if (keysInView() == selected_ && !selected_.isEmpty() && !marksAgents) {
        return;
    }
    const SessionTree& tree = model_->tree();
    const QSet<QString> chosen(selected_.cbegin(), selected_.cend());
    QItemSelection selection;
    for (std::uint32_t project = 0; project < tree.projects && !chosen.isEmpty(); ++project) {
        const SessionNode& node = tree.nodes[project];
        QList<QModelIndex> rows;
        for (std::uint32_t i = node.firstChild; i < node.firstChild + node.children; ++i) {
            if (chosen.contains(QString::fromStdString(tree.nodes[i].key))) {
                rows << model_->indexOf(i);
            }
        }
        const QModelIndex index = model_->indexOf(project);
        if (rows.size() == static_cast<qsizetype>(node.children) && rows.size() > 1 &&
            !view_->isExpanded(index)) {
            rows = {index};
        }
        for (const QModelIndex& row : rows) {
            selection.select(row, row);
        }
    }
    view_->selectionModel()->select(selection,
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

bool SessionPanel::hasSessions() const {
    return model_->tree().sessions > 0;
}

void SessionPanel::setReading(bool reading) {
    reading_ = reading;
    showSummary();
}

void SessionPanel::showSummary() {
    const SessionTree& tree = model_->tree();
    const std::uint64_t loaded = tree.corpus ? tree.corpus->sessions.size() : 0;
    view_->setVisible(tree.sessions > 0);
    nothing_->setVisible(tree.sessions == 0);
    nothing_->setText(loaded > 0 ? tr("No session fits the filters.")
                      : reading_ ? tr("Reading\u2026")
                                 : tr("No sessions are open."));
    all_->setVisible(!selected_.isEmpty());
    QString text;
    if (loaded > 0) {
        const QString unit = loaded == 1 ? tr("session") : tr("sessions");
        text = tree.sessions < loaded
                   ? tr("%1 of %2 %3").arg(exactText(tree.sessions), exactText(loaded), unit)
                   : tr("%1 %2").arg(exactText(loaded), unit);
        if (!selected_.isEmpty()) {
            text = tr("%1 of %2 chosen").arg(exactText(selected_.size()), text);
        } else {
            const Tokens tokens = tree.totals.usage.context() + tree.totals.usage.output;
            text += tr(", %1 tokens").arg(countText(static_cast<double>(tokens)));
        }
    }
    summary_->setText(text);
    setTip(summary_, text);
}

} // namespace loadline::ui
