// The hypotheses on a server's log as a table whose reasons wrap.
#include "ui/panel/serverlog/finding_list.h"

#include "ui/model/table_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QResizeEvent>
#include <QShortcut>

#include <utility>

namespace loadline::ui {
namespace {

constexpr int findingsShown = 4; ///< lines, at least
constexpr int verdictDigits = 16;

} // namespace

FindingList::FindingList(QWidget* parent) : QTableView(parent), model_(new FindingModel(this)) {
    setModel(model_);
    setAccessibleName(tr("Hypotheses"));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(true);
    setTabKeyNavigation(false);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (const Finding* finding = setting_ ? nullptr : model_->at(now.row())) {
            emit findingChosen(*finding);
        }
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (const Finding* finding = model_->at(index.row())) { // again: the text may be elsewhere by now
            emit findingChosen(*finding);
        }
    });
    auto* copy = new QShortcut(QKeySequence::Copy, this);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] {
        if (const auto cells = selectionModel()->selectedIndexes(); !cells.isEmpty()) {
            QApplication::clipboard()->setText(tsvOf(*model_, cells));
        }
    });
}

void FindingList::setVerdict(std::shared_ptr<const LogVerdict> verdict) {
    setting_ = true;
    const auto keyOf = [this](int row) {
        const Finding* finding = model_->at(row);
        return finding != nullptr ? finding->key : std::string_view();
    };
    const int row = currentIndex().row();
    const std::string key(keyOf(row));
    model_->setVerdict(std::move(verdict));
    clearSpans();
    for (int i = 0; i < model_->rowCount(); ++i) {
        if (model_->at(i) == nullptr) {
            setSpan(i, static_cast<int>(FindingColumn::Claim), 1, 2);
        }
    }
    if (!key.empty() && keyOf(row) == key) {
        setCurrentIndex(model_->index(row, 0));
    }
    setting_ = false;
}

QSize FindingList::minimumSizeHint() const {
    return {QTableView::minimumSizeHint().width(),
            horizontalHeader()->sizeHint().height() + findingsShown * (fontMetrics().height() + spacing / 2)};
}

void FindingList::resizeEvent(QResizeEvent* event) {
    const int digit = fontMetrics().horizontalAdvance('0');
    const int verdict = verdictDigits * digit;
    setColumnWidth(static_cast<int>(FindingColumn::Verdict), verdict);
    setColumnWidth(static_cast<int>(FindingColumn::Claim), (event->size().width() - verdict) * 2 / 5);
    QTableView::resizeEvent(event);
    resizeRowsToContents();
}

} // namespace loadline::ui
