// The Diagnostics dock: what was odd in which file.
#include "ui/panel/evidence/diagnostics_panel.h"

#include "ui/model/diagnostics_model.h"
#include "ui/model/table_model.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/sessions/marks.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <QTreeView>

namespace loadline::ui {

namespace {

/// Draws rows of the Diagnostics list: kinds in bold, with a mark that says whether data was lost.
class SeverityDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

void SeverityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isKind = index.data(MarksRole).isValid();
    const Theme& theme = option->widget ? themeOf(*option->widget) : Theme::light();
    option->font.setBold(isKind && index.column() <= DiagnosticsModel::Times);
    if (isKind && index.column() == DiagnosticsModel::File) {
        option->palette.setColor(QPalette::Text, theme.textMuted);
    }
    if (isKind && index.column() == DiagnosticsModel::What) {
        // Room for the mark that paint() puts there.
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = {markSide, markSide};
    }
}

void SeverityDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (!index.data(MarksRole).isValid() || index.column() != DiagnosticsModel::What || !option.widget) {
        return;
    }
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    const QRect place =
        option.widget->style()->subElementRect(QStyle::SE_ItemViewItemDecoration, &filled, option.widget);
    const Theme& theme = themeOf(*option.widget);
    if (index.data(MarksRole).toBool()) {
        drawWarningMark(*painter, place, theme.warning);
    } else {
        drawMendedMark(*painter, place, theme.good);
    }
}

QString lines(std::uint64_t n) {
    return exactText(static_cast<std::int64_t>(n));
}

} // namespace

DiagnosticsPanel::DiagnosticsPanel(QWidget* parent)
    : QWidget(parent), model_(new DiagnosticsModel(this)), search_(new QLineEdit(this)),
      lossOnly_(new QCheckBox(tr("Only what loses data"), this)), summary_(mutedLabel({}, this)),
      view_(new QTreeView(this)), nothing_(mutedLabel({}, this)) {
    setAccessibleName(tr("Diagnostics"));
    search_->setPlaceholderText(tr("Find a file or an oddity"));
    search_->setAccessibleName(search_->placeholderText());
    search_->setClearButtonEnabled(true);
    auto* glass = search_->addAction(QIcon(), QLineEdit::LeadingPosition);
    setTip(lossOnly_, tr("Leave out what was mended without loss"));
    view_->setModel(model_);
    view_->setItemDelegate(new SeverityDelegate(view_));
    view_->setUniformRowHeights(true);
    view_->setSortingEnabled(true);
    view_->header()->setSortIndicator(-1, Qt::AscendingOrder);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setAccessibleName(tr("What was odd, by kind and file"));
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setTextElideMode(Qt::ElideMiddle);
    view_->header()->resizeSection(DiagnosticsModel::What, 320);
    view_->header()->resizeSection(DiagnosticsModel::Times, 72);
    view_->header()->resizeSection(DiagnosticsModel::Line, 88);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);

    auto* top = rowOf({{search_, 1}, lossOnly_, summary_}, spacing, nullptr, {spacing, spacing, spacing, 0});
    columnOf({top, {view_, 1}, {nothing_, 1}}, spacing, this);

    auto* copy = new QAction(tr("Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    view_->addAction(copy);
    connect(copy, &QAction::triggered, this, &DiagnosticsPanel::copySelection);
    const auto refilter = [this] {
        model_->setFilter(search_->text().trimmed(), lossOnly_->isChecked());
        showSummary();
    };
    connect(search_, &QLineEdit::textChanged, this, refilter);
    connect(lossOnly_, &QCheckBox::toggled, this, refilter);
    connect(view_, &QTreeView::activated, this, &DiagnosticsPanel::activate);
    connect(view_, &QTreeView::customContextMenuRequested, this, &DiagnosticsPanel::showMenu);
    connect(model_, &QAbstractItemModel::modelReset, this, &DiagnosticsPanel::restoreExpansion);
    connect(view_, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (!restoring_) {
            collapsed_.insert(index.data(KeyRole).toString());
        }
    });
    connect(view_, &QTreeView::expanded, this,
            [this](const QModelIndex& index) { collapsed_.remove(index.data(KeyRole).toString()); });
    followTheme(this, [glass](const Theme& theme) { glass->setIcon(icon(QStringLiteral("search"), theme)); });
    setCorpus(nullptr);
}

void DiagnosticsPanel::setCorpus(std::shared_ptr<const Corpus> corpus) {
    model_->setCorpus(std::move(corpus));
    showSummary();
}

void DiagnosticsPanel::setFilter(const QString& text) {
    search_->setText(text);
}

std::uint64_t DiagnosticsPanel::oddities() const {
    return model_->oddities();
}

void DiagnosticsPanel::activate(const QModelIndex& index) {
    if (const auto* entry = model_->entry(index)) {
        emit placeActivated(model_->pathOf(*entry), model_->lineOf(index));
    }
}

void DiagnosticsPanel::showMenu(const QPoint& position) {
    const QModelIndex index = view_->indexAt(position);
    const auto* entry = model_->entry(index);
    QMenu menu(this);
    if (entry) {
        const QString path = model_->pathOf(*entry);
        menu.addAction(tr("Show the record"), this, [this, index] { activate(index); });
        menu.addAction(tr("Only this file"), this, [this, path] { setFilter(path); });
        menu.addAction(tr("Copy path"), this, [path] { QApplication::clipboard()->setText(path); });
        menu.addAction(tr("Open folder"), this, [this, path] { emit openFolderRequested(path); });
        menu.addSeparator();
    }
    menu.addAction(tr("Copy rows"), this, &DiagnosticsPanel::copySelection);
    menu.exec(view_->viewport()->mapToGlobal(position));
}

void DiagnosticsPanel::copySelection() {
    // Rows of several kinds have no common grid: a line each, in the order shown.
    QString text;
    for (QModelIndex index = model_->index(0, 0); index.isValid(); index = view_->indexBelow(index)) {
        if (!view_->selectionModel()->isSelected(index)) {
            continue;
        }
        QStringList cells;
        for (int column = 0; column < model_->columnCount(); ++column) {
            cells << index.siblingAtColumn(column).data(ExactRole).toString();
        }
        text += cells.join(u'\t') + u'\n';
    }
    if (!text.isEmpty()) {
        QApplication::clipboard()->setText(text);
    }
}

void DiagnosticsPanel::restoreExpansion() {
    const QScopedValueRollback guard(restoring_, true);
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex index = model_->index(row, 0);
        view_->setExpanded(index, !collapsed_.contains(index.data(KeyRole).toString()));
    }
}

void DiagnosticsPanel::showSummary() {
    const std::uint64_t all = model_->oddities();
    const std::uint64_t shown = model_->shown();
    nothing_->setVisible(shown == 0);
    view_->setVisible(shown > 0);
    nothing_->setText(all == 0 ? tr("Nothing was odd: every line was read as it stands.")
                               : tr("Nothing here fits. %1 oddities in all.").arg(lines(all)));
    if (all == 0) {
        summary_->clear();
    } else if (shown < all) {
        summary_->setText(tr("%1 of %2").arg(lines(shown), lines(all)));
    } else {
        summary_->setText(tr("%1 odd, %2 with loss").arg(lines(all), lines(model_->losses())));
    }
    lossOnly_->setEnabled(model_->losses() > 0 || lossOnly_->isChecked());
}

} // namespace loadline::ui
