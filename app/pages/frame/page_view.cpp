// Parts that pages have in common.
#include "app/pages/frame/page_view.h"

#include "ui/chart/frame/chart_grid.h"
#include "ui/panel/frame/flow_layout.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QVBoxLayout>

namespace loadline::app {

void PageView::install(QWidget* chart, Page page) {
    frame_ = new ui::ChartFrame(chart);
    if (!layout()) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
    }
    connect(frame_, &ui::ChartFrame::exportRequested, this,
            [this](const QString& format) { emit exportRequested(request(), format); });
    connect(frame_, &ui::ChartFrame::pageExportRequested, this, &PageView::pageExportRequested);
    connect(frame_, &ui::ChartFrame::explanationRequested, this, &PageView::explain);
    if (auto* grid = qobject_cast<ui::ChartGrid*>(chart)) {
        connect(grid, &ui::ChartGrid::menuRequested, frame_, &ui::ChartFrame::popUpMenu);
        connectDrags(grid);
        frame_->setSeveral(grid->count() > 1);
    }
    connect(frame_, &ui::ChartFrame::copyRequested, this, [this] { emit copyRequested(request()); });
    if (needsSessions(page)) {
        connect(&workbench_, &Workbench::selectedChanged, frame_, [this, page](const auto& selected) {
            if (workbench_.state().page == page) {
                frame_->setSentence(QString::fromStdString(selected->sentence));
            }
        });
        connect(frame_, &ui::ChartFrame::emptyActionRequested, &workbench_, &Workbench::clearScope);
        connect(&workbench_.loader(), &Loader::started, this, [this] { showReading({}); });
        connect(&workbench_.loader(), &Loader::progressed, this, &PageView::showReading);
        if (workbench_.loader().isLoading()) {
            showReading({});
        }
    }
    connect(&workbench_, &Workbench::staleChanged, frame_, [this, page](Page stale, bool is) {
        if (stale == page) {
            frame_->setStale(is && dimsStale() && !workbench_.loader().isLoading()); // more comes anyway
        }
    });
}

/// Shows the chart's description and its full sentence in a dialog, for reading and copying.
void PageView::explain() {
    const auto& drawing = frame_->drawing();
    if (!drawing) {
        return;
    }
    const std::string_view words = request().chart->description;
    auto* box = new QMessageBox(QMessageBox::NoIcon, ui::lineText(drawing->title()),
                                ui::capitalised(std::string(words)) + '.', QMessageBox::Close, this);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(ui::linesText(drawing->sentence()));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

/// Until there is a first figure.
void PageView::showReading(const LoadProgress& now) const {
    if (frame_->isEmpty()) {
        frame_->setEmpty(ui::loadingSentence(stateOf(now)));
    }
}

ui::LoadingState stateOf(const LoadProgress& now) {
    return {now.filesDone, now.filesTotal, now.bytesDone, now.bytesTotal, now.elapsedMs};
}

void PageView::showNothing() const {
    const Scoped& scoped = workbench_.scoped();
    if (scoped && scoped->corpus->sessions.empty()) {
        frame_->setEmpty(tr("No sessions were found in what was opened."));
    } else if (workbench_.state().scope == Scope{}) {
        frame_->setEmpty(tr("The sessions that were opened hold no API calls."));
    } else {
        frame_->setEmpty(tr("Nothing is in scope: %1.")
                             .arg(scoped ? QString::fromStdString(scoped->description) : QString()),
                         tr("Show everything"));
    }
}

void PageView::addControls(std::initializer_list<QWidget*> controls) const {
    auto* row = new ui::FlowRow(ui::spacing);
    for (QWidget* control : controls) {
        row->add(control);
    }
    frame_->controls()->addWidget(row, 1);
}

QWidget* labelled(const QString& text, QWidget* control) {
    auto* pair = new QWidget;
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(ui::spacing);
    auto* label = new QLabel(text);
    label->setProperty("role", "muted");
    label->setBuddy(control);
    row->addWidget(label);
    row->addWidget(control);
    return pair;
}

void openRow(Workbench& workbench, CompositionGroup group, const QString& key) {
    const std::string text = key.toStdString();
    if (group == CompositionGroup::Session) {
        workbench.openTimeline(text);
        return;
    }
    const std::vector<Scope> scopes = narrowed(workbench.state().scope, group, {text});
    if (!scopes.empty()) {
        workbench.setScope(scopes.front(), group == CompositionGroup::Day ? QObject::tr("Select a day")
                                           : group == CompositionGroup::Model
                                               ? QObject::tr("Select a model")
                                               : QObject::tr("Select a project"));
    }
}

void chooseRows(Workbench& workbench, CompositionGroup group, const QStringList& keys) {
    ChosenRows rows{group};
    for (const QString& key : keys) {
        rows.keys.push_back(key.toStdString());
    }
    workbench.setRows(std::move(rows));
}

QStringList keysOf(const std::optional<ChosenRows>& rows, CompositionGroup group) {
    return rows && rows->group == group ? ui::listFromUtf8(rows->keys) : QStringList();
}

QStringList keysOf(const Composition& figure, const QList<int>& tableRows) {
    QStringList keys;
    for (const int row : tableRows) {
        if (static_cast<std::size_t>(row) < figure.rows.size()) {
            keys << QString::fromStdString(figure.rows[static_cast<std::size_t>(row)].key);
        }
    }
    return keys;
}

QList<int> rowsOf(const Composition& figure, const QStringList& keys) {
    QList<int> rows;
    for (std::size_t i = 0; i < figure.rows.size(); ++i) {
        if (keys.contains(QString::fromStdString(figure.rows[i].key))) {
            rows << static_cast<int>(i);
        }
    }
    return rows;
}

ChartRequest requestOf(Workbench& workbench, const ChartSpec& chart) {
    const WorkbenchState& state = workbench.state();
    ChartRequest request;
    request.chart = &chart;
    request.paths = workbench.loader().paths();
    if (workbench.showsSample()) {
        request.paths.clear(); // the command line's own sample
    }
    request.scope = state.scope;
    request.asked = state.asked;
    request.questions = state.questions;
    request.simulation = state.simulation;
    request.simulation.workload.resolveAuto(workbench.corpus() != nullptr);
    request.against = state.against;
    if (request.against) {
        request.against->workload.resolveAuto(workbench.corpus() != nullptr);
    }
    if (request.against && request.against->workload.scope == state.scope) {
        request.against->workload.scope.reset(); // the same sessions
    }
    return request;
}

} // namespace loadline::app
