// The Composition page.
#include "app/pages/sessions/composition_page.h"

#include "app/chart/session_chart.h"
#include "ui/chart/composition/composition_chart.h"
#include "ui/panel/part/segments.h"

#include <QVBoxLayout>

namespace loadline::app {
namespace {

constexpr CompositionGroup groups[] = {CompositionGroup::Session, CompositionGroup::Day,
                                       CompositionGroup::Model, CompositionGroup::Project};

int indexIn(CompositionGroup group) {
    int i = 0;
    while (groups[i] != group) {
        ++i;
    }
    return i;
}

} // namespace

CompositionPage::CompositionPage(Workbench& bench) : PageView(bench), chart_(new ui::CompositionChart) {
    chart_->setSortable(true);
    install(chart_, Page::Composition);
    buildControls();
    layout()->addWidget(frame_);

    connect(chart_, &ui::CompositionChart::rowActivated, this, [this](const QString& key) {
        openRow(workbench(), workbench().state().asked.sessions.group, key);
    });
    connect(chart_, &ui::CompositionChart::rowsChosen, this, [this](const QStringList& keys) {
        chooseRows(workbench(), workbench().state().asked.sessions.group, keys);
    });
    connect(chart_, &ui::CompositionChart::orderChosen, this, &CompositionPage::sortBy);
    connect(frame_, &ui::ChartFrame::rowsChosen, this, [this](const QList<int>& rows) {
        if (shown_) {
            chooseRows(workbench(), shown_->figure->group, keysOf(*shown_->figure, rows));
        }
    });
    connect(chart_, &ui::CompositionChart::rowHovered, this, &PageView::hovered);
    connect(&workbench(), &Workbench::stateChanged, this, &CompositionPage::showState);
    follow<CompositionShown>(Page::Composition, [this](const auto& shown) { show(shown); });
    showState(workbench().state());
}

void CompositionPage::buildControls() {
    using Choice = ui::Segments::Choice;
    group_ = new ui::Segments(
        tr("By"), {Choice{tr("session"), tr("Those with the longest prompts first")},
                   Choice{tr("day"), tr("Days of the clock shown: UTC, or local time (View menu)")},
                   Choice{tr("model"), tr("By number of calls")},
                   Choice{tr("project"), tr("Those with the longest prompts first")}});
    unit_ =
        new ui::Segments(tr("Show"), {Choice{tr("shares"), tr("Every bar is 100 %")},
                                      Choice{tr("tokens"), tr("Bars as long as the tokens they stand for")}});
    weight_ = new ui::Segments(
        tr("Weight"),
        {Choice{tr("per token"), tr("Shares of the sums: long prompts weigh more")},
         Choice{tr("per request"), tr("Mean of each request's own shares: every call weighs the "
                                      "same")}});
    addControls({labelled(tr("By"), group_), unit_, weight_});

    connect(group_, &ui::Segments::chosen, this, [this](int i) {
        choose(tr("Change the grouping"), [i](Asked& next) { next.sessions.group = groups[i]; });
    });
    connect(unit_, &ui::Segments::chosen, this, [this](int i) {
        choose(tr("Change the unit"), [i](Asked& next) { next.sessions.composition.shares = i == 0; });
    });
    connect(weight_, &ui::Segments::chosen, this, [this](int i) {
        choose(tr("Change the weight"), [i](Asked& next) { next.sessions.composition.perRequest = i == 1; });
    });
}

void CompositionPage::showState(const WorkbenchState& state) {
    const ui::CompositionView view = state.asked.sessions.composition;
    group_->setCurrent(indexIn(state.asked.sessions.group));
    unit_->setCurrent(view.shares ? 0 : 1);
    weight_->setCurrent(view.perRequest ? 1 : 0);
    weight_->setEnabled(view.shares);
    showRows();
}

void CompositionPage::showRows() {
    if (shown_) {
        const QStringList keys = keysOf(workbench().state().rows, shown_->figure->group);
        chart_->setChosen(keys);
        frame_->setChosenRows(rowsOf(*shown_->figure, keys));
    }
}

/// Most first, then from the other end, then as is usual.
void CompositionPage::sortBy(CompositionOrder order) {
    Asked next = workbench().state().asked;
    const bool again = next.sessions.composition.order == order;
    const bool usual = again && next.sessions.composition.reversed;
    next.sessions.composition.order = usual ? CompositionOrder::Usual : order;
    next.sessions.composition.reversed = again && !usual;
    workbench().setAsked(next, tr("Sort the rows"));
}

void CompositionPage::show(const std::shared_ptr<const CompositionShown>& shown) {
    shown_ = shown;
    chart_->setView(shown->view);
    chart_->setComposition(shown->figure);
    frame_->setDrawing(shown->drawing);
    showRows();
    if (shown->figure->all.totals.calls == 0) {
        showNothing();
    }
}

void CompositionPage::setTheme(ui::ThemeKind kind) {
    chart_->setTheme(kind);
    PageView::setTheme(kind);
}

ChartRequest CompositionPage::request() const {
    return requestOf(workbench(), charts::composition);
}

} // namespace loadline::app
