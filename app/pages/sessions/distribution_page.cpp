// The Distributions page.
#include "app/pages/sessions/distribution_page.h"

#include "app/chart/session_chart.h"
#include "ui/chart/distribution/distribution_chart.h"
#include "ui/chart/distribution/distribution_geometry.h"
#include "ui/panel/part/segments.h"
#include "ui/theme/plain_text.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace loadline::app {

DistributionPage::DistributionPage(Workbench& bench)
    : PageView(bench), chart_(new ui::DistributionChart), methodChange_(new QLabel) {
    install(chart_, Page::Distributions);
    buildControls();
    methodChange_->setProperty("role", "muted");
    methodChange_->setWordWrap(true);
    methodChange_->setContentsMargins(2 * ui::spacing, 0, 2 * ui::spacing, ui::spacing);
    methodChange_->hide();
    layout()->addWidget(frame_);
    layout()->addWidget(methodChange_);

    connect(chart_, &ui::DistributionChart::binsBrushed, this,
            [this](std::optional<TokenRange> input, std::optional<TokenRange> output) {
                Scope scope = workbench().state().scope;
                scope.turnInput = input;
                scope.turnOutput = output;
                workbench().setScope(scope, tr("Select bins"), Merge::Brush);
            });
    connect(frame_, &ui::ChartFrame::rowsChosen, this, &DistributionPage::chooseBins);
    connect(chart_, &ui::DistributionChart::binHovered, this, &PageView::hovered);
    connect(&workbench(), &Workbench::stateChanged, this, &DistributionPage::showState);
    follow<DistributionShown>(Page::Distributions, [this](const auto& shown) { show(shown); });
    showState(workbench().state());
}

/// From the first to the last bin whose rows are selected in the table twin: input's stand above output's.
void DistributionPage::chooseBins(const QList<int>& tableRows) {
    if (!figure_) {
        return;
    }
    const int inputs = static_cast<int>(figure_->input.bins.size());
    const auto firstOutput = std::ranges::lower_bound(tableRows, inputs);
    const auto rangeOf = [&](auto begin, auto end, const Histogram& histogram, int above) {
        return begin == end ? std::nullopt
                            : std::optional(ui::rangeOfBins(histogram, *begin - above, *(end - 1) - above));
    };
    Scope scope = workbench().state().scope;
    scope.turnInput = rangeOf(tableRows.begin(), firstOutput, figure_->input, 0);
    scope.turnOutput = rangeOf(firstOutput, tableRows.end(), figure_->output, inputs);
    workbench().setScope(scope, tr("Select bins"), Merge::Brush);
}

void DistributionPage::markBins(const Scope& scope) {
    QList<int> rows;
    const auto add = [&](const Histogram& histogram, const std::optional<TokenRange>& range, int above) {
        if (const auto bins = range ? ui::binsInRange(histogram, *range) : std::nullopt) {
            for (int bin = bins->first; bin <= bins->second; ++bin) {
                rows << above + bin;
            }
        }
    };
    add(figure_->input, scope.turnInput, 0);
    add(figure_->output, scope.turnOutput, static_cast<int>(figure_->input.bins.size()));
    frame_->setChosenRows(rows);
}

void DistributionPage::buildControls() {
    using Choice = ui::Segments::Choice;
    method_ = new ui::Segments(
        tr("Turns"),
        {Choice{tr("API call"), tr("Each API call once: input and cache write in, output out")},
         Choice{tr("prompt"), tr("From one human prompt to the next: sums over the main agent's calls")},
         Choice{tr("per line"),
                tr("The published script's method: every user record is a turn, characters / 4 "
                   "in, the output of every line")}});
    bins_ = new ui::Segments(tr("Bins"),
                             {Choice{tr("2\u207f"), tr("Powers of two: the published form")},
                              Choice{tr("fine"), tr("Four bins per octave, single numbers below 8")}});
    measure_ = new ui::Segments(tr("Measure"),
                                {Choice{tr("share"), tr("Share of the turns above zero")},
                                 Choice{tr("count"), tr("Number of turns")},
                                 Choice{tr("cumulative"), tr("Share of turns up to and including a bin")}});
    reference_ = new QCheckBox(tr("reference"));
    ui::setTip(reference_, tr("Draw the published distribution over it: %1")
                               .arg(QString::fromStdString(publishedReference().description)));
    reference_->setAccessibleName(tr("Published reference"));

    addControls({labelled(tr("Turns"), method_), bins_, measure_, reference_});

    constexpr TurnMethod methods[] = {TurnMethod::ApiCall, TurnMethod::Prompt, TurnMethod::PerLine};
    constexpr Measure measures[] = {Measure::Share, Measure::Count, Measure::Cumulative};
    connect(method_, &ui::Segments::chosen, this, [this, methods](int i) {
        choose(tr("Change the method"), [=](Asked& next) { next.sessions.distribution.method = methods[i]; });
    });
    connect(bins_, &ui::Segments::chosen, this, [this](int i) {
        choose(tr("Change the bins"), [i](Asked& next) {
            next.sessions.distribution.bins = i == 0 ? BinKind::PowerOfTwo : BinKind::FineLog;
        });
    });
    connect(measure_, &ui::Segments::chosen, this, [this, measures](int i) {
        choose(tr("Change the measure"),
               [=](Asked& next) { next.sessions.distribution.measure = measures[i]; });
    });
    connect(reference_, &QCheckBox::clicked, this, [this](bool on) {
        choose(on ? tr("Show the reference") : tr("Hide the reference"),
               [on](Asked& next) { next.sessions.distribution.reference = on; });
    });
}

void DistributionPage::showState(const WorkbenchState& state) {
    const DistributionOptions options = state.asked.sessions.distribution;
    method_->setCurrent(options.method == TurnMethod::ApiCall  ? 0
                        : options.method == TurnMethod::Prompt ? 1
                                                               : 2);
    bins_->setCurrent(options.bins == BinKind::PowerOfTwo ? 0 : 1);
    measure_->setCurrent(options.measure == Measure::Share ? 0 : options.measure == Measure::Count ? 1 : 2);
    reference_->setChecked(options.reference);
    reference_->setEnabled(options.bins == BinKind::PowerOfTwo);
    chart_->setBrush(state.scope.turnInput, state.scope.turnOutput);
    if (figure_) {
        markBins(state.scope);
    }
}

void DistributionPage::show(const std::shared_ptr<const DistributionShown>& shown) {
    figure_ = shown->figure;
    chart_->setFigure(shown->figure);
    chart_->setBrush(workbench().state().scope.turnInput, workbench().state().scope.turnOutput);
    frame_->setDrawing(shown->drawing);
    markBins(workbench().state().scope);
    const QString change = QString::fromStdString(shown->figure->methodChange);
    methodChange_->setText(change);
    methodChange_->setVisible(!change.isEmpty());
    if (shown->figure->turns == 0) {
        showNothing();
    }
}

void DistributionPage::setTheme(ui::ThemeKind kind) {
    chart_->setTheme(kind);
    PageView::setTheme(kind);
}

ChartRequest DistributionPage::request() const {
    return requestOf(workbench(), charts::distributions);
}

} // namespace loadline::app
