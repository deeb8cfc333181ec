// One page for every study.
#include "app/pages/study/study_page.h"

#include "app/page/page_picture.h"
#include "app/study/study_sources.h"
#include "core/ask/write_text.h"
#include "core/text/counted.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/simulation/fact_strip.h"
#include "ui/plot/report_drawing.h"
#include "ui/table/report_tables.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QFileDialog>
#include <QLabel>
#include <QScrollArea>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

constexpr int formWidth = 34 * ui::spacing;

QStringList titlesOf(const ask::Study& study) {
    QStringList titles;
    for (const ask::PlotWords& plot : study.plots) {
        titles << ui::fromUtf8(plot.title);
    }
    return titles;
}

std::string asText(const std::vector<std::string>& sentences) {
    return fmt::format("{}", fmt::join(sentences, " "));
}

/// The facts that people see, on one line; behind them what explains the answer, and its sources.
std::vector<CountedFact> factsOf(const ask::Report& report) {
    std::vector<CountedFact> facts;
    std::vector<std::string> explained, sources;
    for (const auto& part : report.parts) {
        const auto* const fact = std::get_if<ask::Fact>(&part);
        if (fact != nullptr && !fact->label.empty() && ask::isShown(*fact)) {
            facts.push_back({fact->key, fact->label + ' ' + ask::wordsOf(*fact), fact->meaning});
        }
    }
    for (const ask::Note& note : report.notes) {
        if (note.kind != ask::Note::Kind::Caveat) {
            explained.push_back(note.text);
        }
    }
    for (const ask::Provenance& source : report.provenance) {
        sources.push_back(asSentence(ask::wordsOf(source)));
    }
    if (!explained.empty()) {
        facts.push_back({"explained", "how to read it", asText(explained)});
    }
    if (!sources.empty()) {
        facts.push_back({"sources", counted(sources.size(), "source"), asText(sources)});
    }
    return facts;
}

/// "Choose the profile to compare with": what the field's help calls its value.
QString fileTitleOf(const ask::Field& field) {
    const std::string_view help = field.words.help;
    const std::string_view what = help.substr(0, help.find_first_of(":;(."));
    QString name = ui::fromUtf8(what.empty() ? field.form.label : what).trimmed();
    name.replace(0, 1, name.left(1).toLower());
    return StudyPage::tr("Choose %1").arg(name);
}

} // namespace

StudyPage::StudyPage(Workbench& bench, const PageSpec& page)
    : PageView(bench), spec_(page), grid_(new ui::ChartGrid(titlesOf(*page.asks))),
      form_(new ui::FieldForm(page.asks->fields(), page.asks->defaults())), facts_(new ui::FactStrip),
      tables_(new ui::ReportTables), progress_(new ui::ProgressStrip(tr("Refine"))), note_(new QLabel) {
    install(grid_, page.page);
    build();
    connectForm();
    connectRunner();
    connect(&bench, &Workbench::stateChanged, this, &StudyPage::showState);
    connect(&bench, &Workbench::scopeApplied, this, &StudyPage::showState);
    connect(&bench, &Workbench::corpusChanged, this, &StudyPage::showState);
    connect(&bench.kernels(), &KernelBench::listsChanged, this, &StudyPage::showState);
    showState();
    if (const StudyAnswer& last = bench.runner(study()).shown()) {
        show(last);
    }
}

void StudyPage::build() {
    note_->setProperty("role", "muted");
    addControls({note_, progress_});
    auto* column = static_cast<QVBoxLayout*>(frame_->layout()); // under the sentence
    column->insertWidget(1, facts_);
    for (QWidget* part : std::initializer_list<QWidget*>{facts_, tables_}) {
        frame_->addDimmed(part);
    }
    auto* scroll = new QScrollArea;
    scroll->setWidget(form_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(std::max(formWidth, form_->minimumSizeHint().width() + 2 * ui::spacing));
    side_ = new ui::SideFold(scroll, tr("settings"), this);
    auto* left = ui::columnOf({{frame_, 3}, {tables_, 2}}, 0);
    static_cast<QVBoxLayout*>(layout())->addLayout(ui::rowOf({{left, 1}, side_}, 0));
}

void StudyPage::connectForm() {
    connectDrags(form_);
    connect(form_, &ui::FieldForm::changed, this,
            [this](const ask::Question& next, bool finished, const ask::Field& field) {
                choose(next, QString::fromStdString(nameOfChange(field)), finished);
            });
    connect(form_, &ui::FieldForm::fileRequested, this, &StudyPage::askForFile);
    connect(grid_, &ui::ChartGrid::dragBegan, this, [this] { began_ = question(); });
    connect(grid_, &ui::ChartGrid::changed, this,
            [this](int, const ui::PlotChange& change, bool finished) { take(change, finished); });
    connect(grid_, &ui::ChartGrid::hovered, this, &PageView::hovered);
    connect(grid_, &ui::ChartGrid::chosenChanged, this, &StudyPage::showDrawing);
}

void StudyPage::letGo() {
    began_.reset();
    draw();
}

/// Connects the study's runner: an answer that takes longer than a moment shows its progress and can be
/// stopped.
void StudyPage::connectRunner() {
    StudyRunner& runner = workbench().runner(study());
    connect(&runner, &StudyRunner::answered, this, &StudyPage::show);
    connect(&runner, &StudyRunner::progressed, progress_, &ui::ProgressStrip::setShare);
    connect(&runner, &StudyRunner::runningChanged, this, [this, &runner](bool running) {
        if (!running && runner.isStopped()) {
            progress_->setStopped();
        } else if (!running) {
            progress_->clear();
        }
        showStage();
    });
    connect(progress_, &ui::ProgressStrip::stopRequested, &runner, &StudyRunner::stop);
    connect(progress_, &ui::ProgressStrip::resumeRequested, &runner, &StudyRunner::resume);
}

void StudyPage::choose(const ask::Question& next, const QString& what, bool finished) {
    if (finished) {
        began_.reset();
    } else if (!began_) {
        began_ = question();
    }
    workbench().setQuestion(study(), next, what, finished);
    if (finished) {
        draw(); // axes may shrink now
    }
}

/// A drag counts from where it began.
void StudyPage::take(const ui::PlotChange& change, bool finished) {
    ask::Question next = began_ ? *began_ : question();
    QString what;
    for (const ui::PlotFieldChange& one : change.fields) {
        const ask::Field* const field = ask::findField(study().fields(), one.field);
        if (field == nullptr) {
            continue;
        }
        if (one.part >= 0 && field->traits.setPart != nullptr && one.value) {
            field->traits.setPart(next.data(), static_cast<std::size_t>(one.part), *one.value);
        } else {
            ask::setNumber(*field, one.value, next.data());
        }
        what = QString::fromStdString(nameOfChange(*field));
    }
    if (!what.isEmpty()) {
        choose(next, what, finished);
    }
}

void StudyPage::askForFile(const ask::Field& field) {
    const QString file = QFileDialog::getOpenFileName(this, fileTitleOf(field));
    ask::Question next = question();
    if (!file.isEmpty() && readText(field, QFile::encodeName(file).toStdString(), next.data())) {
        choose(next, QString::fromStdString(nameOfChange(field)), true);
    }
}

/// The question at once, as the hand has it; its answer follows.
void StudyPage::showState() {
    form_->setQuestion(question());
    form_->setSources(sourcesOf(study(), workbench().scoped()));
    showWhatIsMissing();
    if (workbench().state().page == spec_.page) {
        draw();
        showStage();
    }
}

void StudyPage::showWhatIsMissing() {
    if (readsSessions(study()) && !workbench().corpus() && !workbench().loader().isLoading()) {
        shown_.reset();
        facts_->setFacts({});
        frame_->setCaveats({});
        tables_->setReport(std::make_shared<const ask::Report>());
        frame_->setEmpty(study().empty.empty() ? tr("Open sessions to see this.")
                                               : ui::fromUtf8(study().empty));
    }
}

void StudyPage::show(const StudyAnswer& shown) {
    shown_ = shown;
    const ask::Report& report = *shown->report;
    facts_->setFacts(report.problem ? std::vector<CountedFact>() : factsOf(report));
    frame_->setCaveats(report.problem ? QStringList() : ui::listFromUtf8(report.caveats()));
    tables_->setReport(shown->report);
    if (report.problem) {
        frame_->setEmpty(ui::capitalised(report.problem->sentence()) + '.');
    } else {
        draw();
    }
    showStage();
}

void StudyPage::showStage() {
    const bool isBehind = !shown_ || shown_->key.question != question();
    const bool isRunning = !workbench().runner(study()).isSettled();
    note_->setText(isBehind && workbench().runner(study()).isStopped() ? tr("stopped")
                   : isRunning && isBehind                             ? tr("computing\u2026")
                   : shown_ && shown_->stage == ask::Stage::Preview    ? tr("preview")
                                                                       : QString());
}

/// The answer that is there, with the marks where the hand has them.
void StudyPage::draw() {
    if (!shown_ || shown_->report->problem) {
        return;
    }
    for (int i = 0; i < grid_->count(); ++i) {
        const auto& plots = shown_->report->plots;
        const auto plot =
            std::ranges::find(plots, study().plots[static_cast<std::size_t>(i)].key, &ask::Plot::key);
        if (plot == plots.end()) {
            continue;
        }
        const auto& last = grid_->view(i)->drawing();
        const auto scene = ui::plotSceneOf(shown_->report, static_cast<std::size_t>(plot - plots.begin()),
                                           began_ && last ? last->extents() : ui::PlotExtents());
        grid_->view(i)->setDrawing(std::make_shared<ui::ReportDrawing>(scene, study().fields(), question()));
    }
    showDrawing();
}

void StudyPage::showDrawing() {
    if (shown_ && !shown_->report->problem) {
        frame_->setDrawing(grid_->view(grid_->chosen())->drawing(),
                           QString::fromStdString(shown_->report->headline));
    }
}

void StudyPage::setTheme(ui::ThemeKind kind) {
    grid_->setTheme(kind);
    PageView::setTheme(kind);
}

std::vector<ChartRequest> StudyPage::requests() const {
    return chartsOf(spec_.page, request());
}

ChartRequest StudyPage::request() const {
    return requestOf(workbench(), *spec_.charts[static_cast<std::size_t>(grid_->chosen())]);
}

QList<int> StudyPage::parts() const {
    return side_->chosen();
}

void StudyPage::setParts(const QList<int>& fold) {
    side_->setChosen(fold);
}

} // namespace loadline::app
