// The strip under the charts while a simulation is pinned.
#include "ui/panel/simulation/comparison_panel.h"

#include "ui/model/table_model.h"
#include "ui/panel/frame/fit_columns.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QShortcut>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline::ui {
namespace {

/// Column titles that fit side by side; the full names are those of the CSV.
std::string comparisonColumnTitle(const std::string& name) {
    static const std::pair<const char*, const char*> names[] = {{"time_vs_fp16", "time / fp16"},
                                                                {"ttft_p50_ms", "TTFT p50 ms"},
                                                                {"ttft_p99_ms", "TTFT p99 ms"},
                                                                {"tpot_p50_ms", "TPOT p50 ms"},
                                                                {"tpot_p99_ms", "TPOT p99 ms"},
                                                                {"turns_per_s", "turns/s"},
                                                                {"turns_per_s_vs_against", "turns ratio"},
                                                                {"output_tokens_per_s", "tokens/s"},
                                                                {"decode_only_share", "only decode %"}};
    for (const auto& [full, brief] : names) {
        if (name == full) {
            return brief;
        }
    }
    constexpr std::string_view crossing = "crossing_";
    if (name.starts_with(crossing)) {
        const std::string rest = name.substr(crossing.size());
        const std::string weights = rest.substr(0, std::min(rest.find("_whole_step"), rest.find("_users")));
        const bool isK = weights.size() == 2 && weights.front() == 'k';
        return (isK ? "k = " + weights.substr(1) : weights) +
               (rest.find("whole_step") != std::string::npos ? ", whole step" : "");
    }
    return name;
}

/// Makes seconds of a column of milliseconds that one of the two settings is long in.
bool inSeconds(Table& table, std::size_t column) {
    constexpr double longMs = 10'000;
    constexpr double msPerSecond = 1000;
    const auto isLong = [&](const std::vector<Cell>& row) {
        const auto* value = std::get_if<double>(&row[column]);
        return value != nullptr && *value >= longMs;
    };
    if (!table.columns[column].ends_with("_ms") || std::ranges::none_of(table.rows, isLong)) {
        return false;
    }
    for (auto& row : table.rows) {
        if (auto* value = std::get_if<double>(&row[column])) {
            *value /= msPerSecond;
        }
    }
    return true;
}

} // namespace

ComparisonPanel::ComparisonPanel(QWidget* parent)
    : QWidget(parent), words_(new QLabel), view_(new QTableView), numbers_(new TableModel(this)),
      swap_(toolButton(tr("Swap"), tr("The present and the pinned setting change places"))),
      unpin_(toolButton(tr("Unpin"), tr("Draw the present setting alone"))) {
    words_->setTextFormat(Qt::PlainText);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    words_->setAccessibleName(tr("What differs from the pinned setting"));
    numbers_->setEvenDecimals();
    view_->setModel(numbers_);
    view_->setAccessibleName(tr("The present and the pinned setting in numbers"));
    view_->verticalHeader()->hide();
    view_->setFont(fontOf(0.9));
    view_->horizontalHeader()->setFont(fontOf(0.9));
    const int line = view_->fontMetrics().height() + spacing / 2;
    view_->verticalHeader()->setDefaultSectionSize(line);
    view_->verticalHeader()->setMinimumSectionSize(line);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->setShowGrid(false);
    view_->setAlternatingRowColors(true);
    view_->setWordWrap(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setTabKeyNavigation(false);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    auto* copy = new QShortcut(QKeySequence::Copy, view_);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] {
        const QModelIndexList cells = view_->selectionModel()->selectedIndexes();
        if (!cells.isEmpty()) {
            QApplication::clipboard()->setText(tsvOf(*numbers_, cells));
        }
    });
    connect(swap_, &QToolButton::clicked, this, &ComparisonPanel::swapRequested);
    connect(unpin_, &QToolButton::clicked, this, &ComparisonPanel::unpinRequested);

    auto* head = rowOf({{words_, 1}, swap_, unpin_}, spacing);
    columnOf({head, view_}, spacing / 2, this, {2 * spacing, 0, 2 * spacing, spacing});
    setAccessibleName(tr("Comparison"));
}

void ComparisonPanel::setDifferences(const std::vector<ChoiceDifference>& differences) {
    const QString text =
        differences.empty()
            ? tr("Pinned: nothing differs yet. Change a parameter to compare.")
            : tr("Against the pinned: %1").arg(QString::fromStdString(differencesSentence(differences)));
    words_->setText(linesText(text));
    setTip(words_, text);
}

void ComparisonPanel::setQuantities(const std::vector<Quantity>& now,
                                    const std::optional<std::vector<Quantity>>& pinned, FigureStage stage) {
    Table table = comparisonTable(now, pinned.value_or(std::vector<Quantity>()), stage);
    for (auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (auto* value = std::get_if<double>(&row[i]); value && table.columns[i].ends_with("_share")) {
                *value *= 100;
            }
        }
    }
    bool first = true; // of the crossings: the others are read after it
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::string& column = table.columns[i];
        const bool crossing = column.starts_with("crossing_");
        const bool seconds = inSeconds(table, i);
        column = (crossing && first ? "cross at users, " : "") + comparisonColumnTitle(column);
        if (seconds) {
            column.erase(column.end() - 2); // "ms"
        }
        first = first && !crossing;
    }
    numbers_->setTable(std::move(table));
    fit();
}

void ComparisonPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fit();
}

void ComparisonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

/// Sets the table's height to its three rows.
void ComparisonPanel::fit() {
    fitColumns(*view_);
    const bool wide = view_->horizontalHeader()->length() > view_->viewport()->width();
    const int bar = wide ? view_->horizontalScrollBar()->sizeHint().height() : 0;
    view_->setFixedHeight(view_->horizontalHeader()->sizeHint().height() + view_->verticalHeader()->length() +
                          bar + 2);
}

} // namespace loadline::ui
