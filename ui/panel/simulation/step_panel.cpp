// One simulated step in tables, and the ways to another.
#include "ui/panel/simulation/step_panel.h"

#include "core/cost/kernel/kernel_naming.h"
#include "ui/model/table_model.h"
#include "ui/panel/frame/fit_columns.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace loadline::ui {
namespace {

constexpr int pageOfSteps = 100;
constexpr int stepTableHeight = 20 * spacing;

QTableView* tableOver(TableModel* model, const QString& name) {
    auto* view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(name);
    view->verticalHeader()->hide();
    view->setFont(fontOf(0.9));
    view->horizontalHeader()->setFont(fontOf(0.9));
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + spacing / 2);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setStretchLastSection(true);
    view->setShowGrid(false);
    view->setAlternatingRowColors(true);
    view->setWordWrap(false);
    view->setFrameShape(QFrame::NoFrame);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setTabKeyNavigation(false);
    view->setMinimumHeight(stepTableHeight / 2);
    return view;
}

/// Column titles that fit side by side; the full names are those of the CSV.
std::string stepColumnTitle(const std::string& name) {
    return name == "in_kv_before"       ? "in KV"
           : name == "prompt_tokens"    ? "prompt"
           : name == "preempted_so_far" ? "preempted"
           : name == "of_output"        ? "of output"
           : name == "time_us"          ? "time, \u00b5s"
           : name == "rows_m"           ? "rows M"
                                        : name;
}

std::string eventsOf(const BatchRow& row) {
    std::string text;
    const auto add = [&text](bool happened, const char* what) {
        if (happened) {
            text += (text.empty() ? "" : ", ") + std::string(what);
        }
    };
    add(row.admitted, "admitted");
    add(row.resumed, "resumed");
    add(row.finishes, "finishes");
    return text;
}

} // namespace

Table requestsTable(const BatchRecording& recording, const BatchStep& step) {
    Table table;
    const bool closed = recording.inputs.arrivals.kind == ArrivalKind::Closed;
    table.columns = {closed ? "user" : "request",
                     "what",
                     "tokens",
                     "in_kv_before",
                     "prompt_tokens",
                     "emitted",
                     "of_output",
                     "preempted_so_far",
                     "note"};
    for (const BatchRow& row : step.rows) {
        const BatchRequest& request = recording.requests[static_cast<std::size_t>(row.request)];
        std::string words(describe(row.reason));
        const std::string events = eventsOf(row);
        words += (words.empty() || events.empty() ? "" : "; ") + events;
        table.rows.push_back({request.user + 1, std::string(nameOf(row.kind)), std::int64_t{row.tokens},
                              std::int64_t{row.computedBefore}, request.promptTokens,
                              std::int64_t{row.emittedBefore}, request.outputTokens, request.preemptions,
                              std::move(words)});
    }
    return table;
}

Table kernelsTable(const BatchRecording& recording, const BatchStep& step) {
    Table table;
    table.columns = {"shape", "kernel", "time_us", "rows_m", "forward"};
    for (const BatchForward& forward : step.forwards) {
        for (std::size_t i = 0; i < forward.services.size(); ++i) {
            const LayerGemm& gemm = recording.inputs.cost.model.gemms[i];
            const std::int64_t rows = forward.rowsOf(gemm);
            const GemmService& service = forward.services[i];
            table.rows.push_back(
                {gemm.name, rows > 0 ? Cell(nameOf(service.kernel, namingOf(recording.inputs))) : Cell(),
                 service.us, rows, forward.name});
        }
    }
    for (const auto& [name, us] :
         {std::pair("attention", step.attentionUs), std::pair("host", step.hostUs)}) {
        if (us > 0) {
            table.rows.push_back({std::string(name), Cell(), us, Cell(), Cell()});
        }
    }
    return table;
}

StepPanel::StepPanel(QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal)), number_(new QSpinBox),
      nextPreemption_(
          toolButton(tr("Next preemption"), tr("To the next step in which somebody is preempted"))),
      otherTable_(toolButton(QString(), QString())), tables_(new QSplitter(Qt::Horizontal)),
      requests_(new TableModel(this)), kernels_(new TableModel(this)) {
    requestsView_ = tableOver(requests_, tr("Requests of this step"));
    kernelsView_ = tableOver(kernels_, tr("Kernels of this step"));
    slider_->setAccessibleName(tr("Step"));
    setTip(slider_, tr("Scrub through the steps (\u2190 \u2192, Page Up and Down, Home, End)"));
    slider_->setPageStep(pageOfSteps);
    number_->setAccessibleName(tr("Number of the step"));
    number_->setKeyboardTracking(false);
    number_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    QToolButton* back = toolButton(QStringLiteral("\u2039"), tr("The step before"));
    QToolButton* on = toolButton(QStringLiteral("\u203A"), tr("The next step"));
    QToolButton* csv = toolButton(tr("Step as CSV"), tr("Save the requests of this step as CSV"));
    connect(back, &QToolButton::clicked, this, [this] { moveTo(step_ - 1); });
    connect(on, &QToolButton::clicked, this, [this] { moveTo(step_ + 1); });
    connect(csv, &QToolButton::clicked, this, &StepPanel::tableRequested);
    connect(slider_, &QSlider::valueChanged, this, [this](int value) { moveTo(value); });
    connect(number_, &QSpinBox::valueChanged, this, [this](int value) { moveTo(value); });
    connect(nextPreemption_, &QToolButton::clicked, this, [this] {
        if (const std::int64_t next = preemptionAfter(step_); next >= 0) {
            moveTo(next);
        }
    });

    connect(otherTable_, &QToolButton::clicked, this, [this] {
        showsKernels_ = !showsKernels_;
        showTables();
    });
    connect(tables_, &QSplitter::splitterMoved, this, [this] { byHand_ = true; });

    auto* row = rowOf({back, {slider_, 1}, on, number_, nextPreemption_, otherTable_, csv}, spacing);
    tables_->addWidget(requestsView_);
    tables_->addWidget(kernelsView_);
    tables_->setStretchFactor(0, 1);
    tables_->setStretchFactor(1, 0);
    tables_->setChildrenCollapsible(false);
    tables_->setFixedHeight(stepTableHeight);
    columnOf({row, tables_}, spacing, this, {2 * spacing, 0, 2 * spacing, spacing});
    setAccessibleName(tr("Step"));
    showTables();
    setEnabled(false);
}

void StepPanel::setRecording(std::shared_ptr<const BatchRecording> recording) {
    recording_ = std::move(recording);
    isNew_ = true;
    const bool any = recording_ && recording_->steps() > 0;
    setEnabled(any);
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietNumber(number_);
    const int last = any ? static_cast<int>(recording_->steps() - 1) : 0;
    slider_->setRange(0, last);
    number_->setRange(0, last);
    setStep(step_);
}

void StepPanel::setStep(std::int64_t step) {
    const std::int64_t last = recording_ ? std::max<std::int64_t>(0, recording_->steps() - 1) : 0;
    step_ = std::clamp<std::int64_t>(step, 0, last);
    const QSignalBlocker quietSlider(slider_);
    const QSignalBlocker quietNumber(number_);
    slider_->setValue(static_cast<int>(step_));
    number_->setValue(static_cast<int>(step_));
    fill();
}

void StepPanel::moveTo(std::int64_t step) {
    const std::int64_t before = step_;
    setStep(step);
    if (step_ != before) {
        emit stepChanged(step_);
    }
}

std::int64_t StepPanel::preemptionAfter(std::int64_t step) const {
    if (!recording_) {
        return -1;
    }
    const auto& preempted = recording_->strip.preempted;
    for (auto i = static_cast<std::size_t>(step + 1); i < preempted.size(); ++i) {
        if (preempted[i] > 0) {
            return static_cast<std::int64_t>(i);
        }
    }
    return -1;
}

void StepPanel::fill() {
    if (!recording_ || recording_->steps() == 0) {
        requests_->setTable(Table{});
        kernels_->setTable(Table{});
        return;
    }
    const BatchStep step = batchStepOf(*recording_, step_);
    Table requests = requestsTable(*recording_, step);
    Table kernels = kernelsTable(*recording_, step);
    const auto hide = [](QTableView* view, const Table& table, const char* name, bool hidden) {
        const auto at = std::ranges::find(table.columns, name) - table.columns.begin();
        view->setColumnHidden(static_cast<int>(at), hidden);
    };
    const bool quiet = std::ranges::all_of(step.rows, [this](const BatchRow& row) {
        return recording_->requests[static_cast<std::size_t>(row.request)].preemptions == 0;
    });
    const bool single = step.forwards.size() < 2;
    for (Table* table : {&requests, &kernels}) {
        for (std::string& column : table->columns) {
            column = stepColumnTitle(column);
        }
    }
    requests_->setTable(std::move(requests));
    kernels_->setTable(std::move(kernels));
    hide(requestsView_, requests_->table(), "preempted", quiet);
    hide(kernelsView_, kernels_->table(), "forward", single);
    const bool more = preemptionAfter(step_) >= 0;
    nextPreemption_->setEnabled(more);
    setTip(nextPreemption_, more ? tr("To the next step in which somebody is preempted")
                                 : tr("Nobody is preempted after this step"));
    if (isNew_) { // while one scrubs, columns only grow
        fit();
    }
    const bool requestsGrew = growColumns(*requestsView_);
    if (growColumns(*kernelsView_) || requestsGrew || isNew_) {
        share();
    }
    isNew_ = false;
}

/// Gives the kernels the width that they need and the requests the rest: the requests' notes are cut first.
/// If there is no room for both, one of them is shown.
void StepPanel::share() {
    constexpr int leastNote = 8 * spacing;
    if (requests_->columnCount() == 0) {
        return;
    }
    int left = leastNote + 2 * spacing;
    for (int i = 0; i + 1 < requests_->columnCount(); ++i) {
        left += requestsView_->columnWidth(i); // 0 where it is hidden
    }
    const int right = widthNeeded(*kernelsView_) + 3 * spacing;
    const int room = tables_->width() - tables_->handleWidth();
    narrow_ = room < left + right;
    showTables();
    if (!narrow_ && !byHand_) {
        tables_->setSizes({room - right, right});
    }
}

void StepPanel::showTables() {
    requestsView_->setVisible(!narrow_ || !showsKernels_);
    kernelsView_->setVisible(!narrow_ || showsKernels_);
    otherTable_->setVisible(narrow_);
    otherTable_->setText(showsKernels_ ? tr("Requests") : tr("Kernels"));
    setTip(otherTable_, showsKernels_ ? tr("Show the requests of this step instead of its kernels")
                                      : tr("Show the kernels of this step instead of its requests"));
}

void StepPanel::fit() {
    fitColumns(*requestsView_);
    fitColumns(*kernelsView_);
}

void StepPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
    share();
}

} // namespace loadline::ui
