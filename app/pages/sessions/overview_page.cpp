// The Sessions page.
#include "app/pages/sessions/overview_page.h"

#include "app/chart/session_chart.h"
#include "core/session/corpus/price_words.h"
#include "core/text/visible_text.h"
#include "core/workload/timeline/evidence.h"
#include "ui/chart/composition/composition_chart.h"
#include "ui/chart/frame/chart_title.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/theme/format.h"

#include <QFocusEvent>
#include <QGridLayout>
#include <QVBoxLayout>

namespace loadline::app {
namespace {

using ui::FigureTile;

constexpr ui::CompositionView inTokens{.perRequest = false, .shares = false};

/// Returns a tile for things that are counted one by one.
FigureTile numberTile(std::uint64_t n, const QString& label, const QString& meaning) {
    const QString number = ui::exactText(static_cast<std::int64_t>(n));
    return {number, label, number + " " + meaning, {}};
}

FigureTile tile(Tokens n, const QString& label, const QString& meaning, QColor colour = {}) {
    return {ui::countText(static_cast<double>(n)), label, ui::exactText(n) + " " + meaning, colour};
}

/// "≥" where the log holds a lower bound for some calls.
FigureTile outputTile(const UsageTotals& totals, const QColor& colour) {
    const std::uint64_t inexact = totals.calls - totals.callsFinalOutput;
    FigureTile output =
        tile(totals.usage.output, QObject::tr("output"), QObject::tr("generated tokens"), colour);
    if (inexact == 0) {
        return output;
    }
    output.value.prepend(QStringLiteral("\u2265 "));
    output.exact += QObject::tr("; a lower bound: %1 of %2 calls were logged before their answer ended")
                        .arg(ui::exactText(static_cast<std::int64_t>(inexact)),
                             ui::exactText(static_cast<std::int64_t>(totals.calls)));
    return output;
}

} // namespace

OverviewPage::OverviewPage(Workbench& bench)
    : PageView(bench), tiles_(new ui::FigureTiles), days_(new ui::CompositionChart),
      models_(new ui::CompositionChart), sessions_(new ui::CompositionChart) {
    auto* body = new QWidget;
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(0, 0, 0, ui::spacing);
    grid->setHorizontalSpacing(3 * ui::spacing);
    grid->setVerticalSpacing(2 * ui::spacing);
    grid->addWidget(tiles_, 0, 0, 1, 2);
    grid->addWidget(section(tr("Tokens by day"), days_, CompositionGroup::Day), 1, 0);
    grid->addWidget(section(tr("By model"), models_, CompositionGroup::Model), 1, 1);
    grid->addWidget(section(tr("Sessions that used most"), sessions_, CompositionGroup::Session), 2, 0, 1, 2);
    grid->setRowStretch(1, 2);
    grid->setRowStretch(2, 3);
    grid->setColumnStretch(0, 4);
    grid->setColumnStretch(1, 3);

    install(body, Page::Sessions);
    layout()->addWidget(frame_);
    frame_->setSeveral(true);
    choose(chosen_);
    connect(&workbench(), &Workbench::stateChanged, this, &OverviewPage::showRows);
    connect(frame_, &ui::ChartFrame::rowsChosen, this, [this](const QList<int>& rows) {
        chooseRows(workbench(), chosen_, keysOf(*figureOf(chosen_), rows));
    });
    follow<OverviewShown>(Page::Sessions, [this](const auto& shown) { show(shown); });
    connect(&workbench(), &Workbench::selectedChanged, this, &OverviewPage::showSelected);
}

QWidget* OverviewPage::section(const QString& title, ui::CompositionChart* chart, CompositionGroup group) {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(ui::spacing / 2);
    auto* heading = new ui::ChartTitle(title, chart);
    connect(heading, &ui::ChartTitle::menuRequested, this, [this, group](const QPoint& global) {
        choose(group);
        frame_->popUpMenu(global);
    });
    column->addWidget(heading);
    sections_.push_back({group, heading, chart});
    chart->installEventFilter(this);
    chart->viewport()->installEventFilter(this);
    column->addWidget(chart, 1);
    chart->setView(inTokens);
    // Rows scroll; columns of days need height for two scales.
    chart->setMinimumSize(24 * ui::spacing,
                          group == CompositionGroup::Day ? 27 * ui::spacing : 16 * ui::spacing);
    chart->setAccessibleName(title);
    connect(chart, &ui::CompositionChart::rowActivated, this,
            [this, group](const QString& key) { openRow(workbench(), group, key); });
    connect(chart, &ui::CompositionChart::rowsChosen, this,
            [this, group](const QStringList& keys) { chooseRows(workbench(), group, keys); });
    connect(chart, &ui::CompositionChart::rowHovered, this, &PageView::hovered);
    return box;
}

/// A chart that is clicked, or that the keys come to, is the one that export means.
bool OverviewPage::eventFilter(QObject* watched, QEvent* event) {
    const bool tabbed = event->type() == QEvent::FocusIn &&
                        (static_cast<QFocusEvent*>(event)->reason() == Qt::TabFocusReason ||
                         static_cast<QFocusEvent*>(event)->reason() == Qt::BacktabFocusReason);
    if (tabbed || event->type() == QEvent::MouseButtonPress) {
        for (const Section& section : sections_) {
            if (watched == section.chart || watched == section.chart->viewport()) {
                choose(section.group);
            }
        }
    }
    return PageView::eventFilter(watched, event);
}

void OverviewPage::choose(CompositionGroup group) {
    chosen_ = group;
    for (const Section& section : sections_) {
        section.title->setChosen(section.group == group);
    }
    showDrawing();
    showRows();
}

const std::shared_ptr<const Composition>& OverviewPage::figureOf(CompositionGroup group) const {
    return group == CompositionGroup::Session ? shown_->bySession
           : group == CompositionGroup::Day   ? shown_->byDay
                                              : shown_->byModel;
}

void OverviewPage::showRows() {
    if (!shown_) {
        return;
    }
    const auto& rows = workbench().state().rows;
    for (const Section& section : sections_) {
        section.chart->setChosen(keysOf(rows, section.group));
    }
    frame_->setChosenRows(rowsOf(*figureOf(chosen_), keysOf(rows, chosen_)));
}

/// Under the page's own sentence.
void OverviewPage::showDrawing() {
    if (!shown_ || shown_->bySession->all.totals.calls == 0) {
        return;
    }
    if (chosen_ == CompositionGroup::Session) {
        frame_->setDrawing(shown_->drawing);
        return;
    }
    frame_->setDrawing(ui::drawingOf(figureOf(chosen_), inTokens), shown_->drawing->sentence());
}

void OverviewPage::show(const std::shared_ptr<const OverviewShown>& shown) {
    shown_ = shown;
    days_->setComposition(shown->byDay);
    models_->setComposition(shown->byModel);
    sessions_->setComposition(shown->bySession);
    showDrawing();
    showRows();
    showTiles();
    if (shown->bySession->all.totals.calls == 0) {
        showNothing();
    }
}

/// The tiles speak of what the headline does: of selected rows, else of the scope.
void OverviewPage::showSelected(const std::shared_ptr<const SelectionShown>& selected) {
    if (workbench().state().page == Page::Sessions) {
        selected_ = selected->sentence.empty() ? nullptr : selected;
        showTiles();
    }
}

void OverviewPage::showTiles() {
    if (!shown_) {
        return;
    }
    const ui::Theme& theme = ui::Theme::of(theme_);
    const UsageTotals& all = selected_ ? selected_->sum.totals : shown_->bySession->all.totals;
    std::vector<FigureTile> tiles;
    tiles.push_back(
        selected_
            ? numberTile(selected_->sum.sessions, tr("sessions"),
                         tr("of the %1 sessions with calls in scope are selected")
                             .arg(ui::exactText(static_cast<std::int64_t>(shown_->bySession->rows.size()))))
            : numberTile(shown_->bySession->rows.size(), tr("sessions"), tr("sessions with calls in scope")));
    tiles.push_back(numberTile(all.calls, tr("API calls"), tr("calls, each counted once")));
    tiles.push_back(tile(all.usage.cacheRead, tr("cache read"), tr("prompt tokens read from the cache"),
                         theme.cacheRead));
    tiles.push_back(tile(all.usage.cacheWrite, tr("cache write"), tr("prompt tokens written to the cache"),
                         theme.cacheWrite));
    tiles.push_back(tile(all.usage.input, tr("input (uncached)"), tr("prompt tokens outside of the cache"),
                         theme.uncachedInput));
    tiles.push_back(outputTile(all, theme.output));
    tiles.push_back({all.recordsCache() ? ui::shareText(all.hitRate()) : tr("not recorded"),
                     tr("hit rate"),
                     all.untoldContext == 0
                         ? tr("of the prompt tokens were read from the cache")
                         : tr("of the prompt tokens were read from the cache, without the %1 of sessions "
                              "whose logs record none")
                               .arg(ui::countText(static_cast<double>(all.untoldContext))),
                     {}});
    if (const std::string cost = costText(all); !cost.empty()) {
        tiles.push_back({QString::fromStdString(cost),
                         tr("at list prices"),
                         QString::fromStdString(visibleText(costNote(*shown_->scoped->corpus, all))),
                         {}});
    }
    if (!selected_ && shown_->progressOnly.calls > 0) {
        tiles.push_back(
            numberTile(shown_->progressOnly.calls, tr("not in the sums"),
                       tr("API calls of sub-agents whose own files are missing: only progress records "
                          "tell of them, with counts that may be unfinished, so they are not added")));
    }
    tiles_->setTiles(std::move(tiles));
}

void OverviewPage::setTheme(ui::ThemeKind kind) {
    theme_ = kind;
    for (ui::CompositionChart* chart : {days_, models_, sessions_}) {
        chart->setTheme(kind);
    }
    PageView::setTheme(kind);
    showTiles();
}

ChartRequest OverviewPage::request() const {
    return requestOfGroup(requestOf(workbench(), charts::composition), chosen_);
}

std::vector<ChartRequest> OverviewPage::requests() const {
    return chartsOf(requestOf(workbench(), charts::composition));
}

std::vector<ChartRequest> OverviewPage::chartsOf(const ChartRequest& base) {
    std::vector<ChartRequest> all;
    for (const CompositionGroup group :
         {CompositionGroup::Day, CompositionGroup::Model, CompositionGroup::Session}) {
        all.push_back(requestOfGroup(base, group));
    }
    return all;
}

ChartRequest OverviewPage::requestOfGroup(ChartRequest request, CompositionGroup group) {
    request.asked.sessions.group = group;
    request.asked.sessions.composition = inTokens;
    return request;
}

} // namespace loadline::app
