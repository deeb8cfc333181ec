// Parts that all simulating pages share.
#include "app/pages/simulation/simulation_page.h"

#include "app/chart/simulation_chart.h"
#include "app/kernels/kernels_list.h"
#include "app/options/cost_option.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "core/simulate/request/simulation_fields.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/simulation/fact_strip.h"
#include "ui/panel/simulation/served_strip.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

constexpr int panelWidth = 34 * ui::spacing;

/// Those that the table of both formats does not hold.
std::vector<CountedFact> besidesServed(std::vector<CountedFact> facts) {
    std::erase_if(facts, [](const CountedFact& fact) {
        return !fact.warns && (fact.key == "served" || fact.key == "served_against");
    });
    return facts;
}

ui::FieldForm* simulationForm() {
    using enum ask::FormPart;
    const ui::FormWords words = {
        {{Holds, SimulationPage::tr("What a step holds")}, {Costs, SimulationPage::tr("What a step costs")}},
        SimulationPage::tr("KV cache, versions, seeds")};
    return new ui::FieldForm(simulationFields(), ask::Question::of(SimulationRequest()), words);
}

} // namespace

SimulationPage::SimulationPage(Workbench& bench, Page page)
    : PageView(bench), page_(page), charts_(specOf(page).charts), grid_(new ui::ChartGrid(titles())),
      panel_(simulationForm()), comparison_(new ui::ComparisonPanel), facts_(new ui::FactStrip),
      served_(new ui::ServedStrip), remedies_(new MemoryRemedies), left_(new QVBoxLayout), note_(new QLabel),
      progress_(new ui::ProgressStrip(tr("Refine"))) {
    install(grid_, page);
    connect(frame_, &ui::ChartFrame::emptyActionRequested, this, &SimulationPage::mend);
    auto* column = static_cast<QVBoxLayout*>(frame_->layout()); // under the sentence
    column->insertWidget(1, facts_);
    for (QWidget* part : std::initializer_list<QWidget*>{served_, facts_, remedies_, comparison_}) {
        frame_->addDimmed(part);
    }
    for (int i = 0; i < grid_->count(); ++i) {
        grid_->view(i)->setMinimumHeight(charts_[static_cast<std::size_t>(i)]->leastHeight);
    }
    buildControls();
    auto* scroll = new QScrollArea;
    scroll->setWidget(panel_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(std::max(panelWidth, panel_->minimumSizeHint().width() + 2 * ui::spacing));
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    left_->setSpacing(0);
    left_->addWidget(frame_, 1);
    left_->addLayout(
        ui::rowOf({served_}, 0, nullptr, {2 * ui::spacing, 0, 2 * ui::spacing, 0})); // as the frame
    left_->addWidget(remedies_);
    left_->addWidget(comparison_);
    followRemedies();
    row->addLayout(left_, 1);
    side_ = new ui::SideFold(scroll, tr("parameters"), this);
    row->addWidget(side_);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);

    connectDrags(panel_);
    connect(panel_, &ui::FieldForm::changed, this,
            [this](const ask::Question& question, bool finished, const ask::Field& field) {
                choose(question.as<SimulationRequest>(), QString::fromStdString(nameOfChange(field)),
                       finished);
            });
    connect(panel_, &ui::FieldForm::fileRequested, this, &SimulationPage::askForFile);
    connect(comparison_, &ui::ComparisonPanel::unpinRequested, &bench,
            [&bench] { bench.setAgainst(std::nullopt); });
    connect(comparison_, &ui::ComparisonPanel::swapRequested, this, &SimulationPage::swapPinned);
    connect(grid_, &ui::ChartGrid::dragBegan, this, [this] { began_ = workbench().state().simulation; });
    connect(grid_, &ui::ChartGrid::changed, this, [this](int, const ui::PlotChange& change, bool finished) {
        if (take(change)) {
            return;
        }
        const bool isKernel = !change.fields.empty() && change.fields.front().part >= 0;
        const QString what = isKernel ? tr("Drag a kernel's times") : tr("Drag the marker");
        choose(applied(change, began_), what, finished);
    });
    connect(grid_, &ui::ChartGrid::hovered, this, &PageView::hovered);
    connect(grid_, &ui::ChartGrid::chosenChanged, this, &SimulationPage::showDrawing);
    SimulationBench& simulation = bench.simulation();
    connect(&simulation, &SimulationBench::answered, this, [this](const Simulated& shown) {
        if (shown->question.study == &study()) {
            show(shown);
        }
    });
    connect(&simulation, &SimulationBench::sourcesChanged, this, &SimulationPage::showChoices);
    connect(&bench.kernels(), &KernelBench::listsChanged, this, &SimulationPage::showChoices);
    bench.kernels().knowProfiles();
    followRefining();
    connect(&bench.pinnedSimulation(), &PinnedBench::changed, this, [this] {
        if (shown_ && workbench().state().page == page_) {
            show(shown_);
        }
    });
    connect(&bench, &Workbench::scopeApplied, this, &SimulationPage::showChoices);
    connect(&bench, &Workbench::stateChanged, this, &SimulationPage::showState);
    connect(&bench.loader(), &Loader::started, this, &SimulationPage::showDifferences);
    connect(&bench.loader(), &Loader::finished, this, &SimulationPage::showDifferences);
    showChoices();
    showState(bench.state());
    showComputing();
    if (const Simulated last = simulation.shown(study())) { // shown when the whole page is there
        QMetaObject::invokeMethod(
            this, [this, last] { show(last); }, Qt::QueuedConnection);
    }
}

QStringList SimulationPage::titles() const {
    QStringList titles;
    for (const ChartSpec* chart : charts_) {
        titles << chart->title();
    }
    return titles;
}

SimulationRequest SimulationPage::applied(const ui::PlotChange& change,
                                          const SimulationRequest& began) const {
    SimulationRequest next = began;
    for (const ui::PlotFieldChange& one : change.fields) {
        const ask::Field& field = simulationField(one.field);
        if (one.part < 0) {
            ask::setNumber(field, one.value, &next);
        } else if (one.value) {
            field.traits.setPart(&next, static_cast<std::size_t>(one.part), *one.value);
        }
    }
    return next;
}

void SimulationPage::choose(const SimulationRequest& request, const QString& what, bool finished) {
    handDown_ = !finished;
    workbench().setSimulation(request, what, finished);
    if (finished) {
        letGo();
    }
}

void SimulationPage::letGo() {
    handDown_ = false;
    if (hasAnswer()) {
        show(shown_); // axes may shrink now
    }
}

void SimulationPage::showState(const WorkbenchState& state) {
    panel_->setQuestion(ask::Question::of(state.simulation));
    comparison_->setVisible(state.against.has_value() && compares(page_));
    showDifferences();
    followHand(state);
}

/// Again when sessions begin to be read: then `auto` comes to them.
void SimulationPage::showDifferences() {
    const WorkbenchState& state = workbench().state();
    if (state.against) {
        SimulationRequest now = state.simulation;
        SimulationRequest pinned = *state.against;
        const bool open = workbench().corpus() || workbench().loader().isLoading();
        for (SimulationRequest* one : {&now, &pinned}) {
            one->workload.resolveAuto(open); // two words for one thing are no difference
        }
        comparison_->setDifferences(differencesOf(now, pinned));
    }
}

std::vector<Quantity> SimulationPage::quantitiesOf(const SimulationShown& shown) const {
    return study().quantities ? study().quantities(shown) : std::vector<Quantity>();
}

void SimulationPage::showPinned() {
    const Simulated pinned = workbench().pinnedSimulation().shown(study());
    if (pinned) {
        comparison_->setDifferences(differencesOf(*shown_, *pinned));
    }
    comparison_->setQuantities(quantitiesOf(*shown_),
                               pinned ? std::optional(quantitiesOf(*pinned)) : std::nullopt, shown_->stage);
}

void SimulationPage::swapPinned() {
    WorkbenchState next = workbench().state();
    if (next.against) {
        app::swapPinned(next);
        workbench().change(tr("Swap with the pinned"), std::move(next));
    }
}

void SimulationPage::showChoices() {
    SimulationChoices choices = choicesOf(workbench().simulation().sources().get(), workbench().scoped());
    offerProfiles(choices.lists["profile"], workbench().kernels());
    if (!known_ || *known_ != choices.facts) { // else the same: nothing is shown anew
        known_ = std::make_shared<const SourceFacts>(choices.facts);
    }
    ask::Sources sources;
    sources.put(known_);
    panel_->setSources(sources, choices.lists);
}

void SimulationPage::show(const Simulated& shown) {
    shown_ = shown;
    if (shown->error) {
        showFailure(*shown);
        return;
    }
    plot(false);
    say(*shown);
    const bool pair = shown->simulator && shown->simulator->pair;
    served_->setTable(pair ? servedTableOf(*shown->simulator->pair) : ServedTable());
    std::vector<CountedFact> facts = pair ? besidesServed(shown->counts) : shown->counts;
    frame_->setCaveats(ui::listFromUtf8(caveatsOf(facts)));
    std::erase_if(facts, &CountedFact::warns);
    facts_->setFacts(std::move(facts));
    const SimulationQuestion& question = shown->question;
    remedies_->show(hasPanel_ ? memoryFitOf(inputsOf(question.request, question.sources->sources))
                              : MemoryFit());
    follow(*shown);
    showDrawing();
    if (!comparison_->isHidden()) {
        showPinned();
    }
}

/// A trace has one course: no users and no rate to draw a curve over.
void SimulationPage::hideWhatCannotVary() {
    std::vector<int> hidden;
    const bool isTrace = shown_->simulator && shown_->simulator->inputs.arrivals.kind == ArrivalKind::Trace;
    for (int i = 0; isTrace && i < grid_->count(); ++i) {
        if (charts_[static_cast<std::size_t>(i)]->variesLoad) {
            hidden.push_back(i);
        }
    }
    grid_->setHidden(hidden);
}

/// `byHand`: only the charts that show at once what the hand sets.
void SimulationPage::plot(bool byHand) {
    const Simulated pinned = compares(page_) ? workbench().pinnedSimulation().shown(study()) : nullptr;
    for (int i = 0; i < grid_->count(); ++i) {
        const ChartSpec& chart = *charts_[static_cast<std::size_t>(i)];
        if (byHand && !chart.followsHand) {
            continue;
        }
        const auto& drawing = grid_->view(i)->drawing();
        const ui::PlotExtents held = handDown_ && drawing ? drawing->extents() : ui::PlotExtents();
        grid_->view(i)->setDrawing(
            chart.plot({*shown_, pinned, held, asked(), workbench().state().simulation}));
    }
    hideWhatCannotVary();
}

/// Draws the user's setting at once, while a drag goes on; its result follows when it is computed.
void SimulationPage::followHand(const WorkbenchState& state) {
    if (state.page != page_ || !shown_ || shown_->error) {
        return;
    }
    const bool ahead = state.simulation != shown_->question.request;
    if (ahead || isAhead_) {
        plot(true);
    }
    if (ahead) {
        note_->setText(tr("computing\u2026"));
    } else if (isAhead_) {
        say(*shown_);
    }
    isAhead_ = ahead;
}

void SimulationPage::redraw() {
    if (hasAnswer()) {
        show(shown_);
    }
}

void SimulationPage::addBelow(QWidget* widget) {
    left_->insertWidget(1, widget);
    frame_->addDimmed(widget);
}

void SimulationPage::hidePanel() {
    hasPanel_ = false;
    side_->hide();
    facts_->hide();
}

QString SimulationPage::sentence() const {
    return shown_ && shown_->simulator && &study() == &settingStudy
               ? QString::fromStdString(headlineOf(*shown_->simulator))
               : QString();
}

void SimulationPage::showDrawing() {
    if (hasAnswer()) {
        frame_->setDrawing(grid_->view(grid_->chosen())->drawing(), sentence());
        frame_->setStale(workbench().simulation().isStale() && workbench().state().page == page_ &&
                         dimsStale() && !workbench().loader().isLoading()); // drawn anew, not answered
    }
}

void SimulationPage::setTheme(ui::ThemeKind kind) {
    grid_->setTheme(kind);
    PageView::setTheme(kind);
}

std::vector<ChartRequest> SimulationPage::requests() const {
    return chartsOf(page_, request());
}

ChartRequest SimulationPage::request() const {
    return requestOf(workbench(), *charts_[static_cast<std::size_t>(grid_->chosen())]);
}

QList<int> SimulationPage::parts() const {
    return side_->chosen();
}

void SimulationPage::setParts(const QList<int>& fold) {
    side_->setChosen(fold);
}

} // namespace loadline::app
