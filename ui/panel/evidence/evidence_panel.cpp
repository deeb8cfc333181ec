// The Evidence dock: one item's exact figures, its place in the file and the raw record.
#include "ui/panel/evidence/evidence_panel.h"

#include "ui/panel/evidence/raw_record_view.h"
#include "ui/panel/part/elided_button.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace loadline::ui {

namespace {

QString placeText(const Evidence& evidence) {
    const QString path = QString::fromStdString(evidence.path);
    return evidence.place.place.line > 0 ? path + u':' + QString::number(evidence.place.place.line) : path;
}

QString howToFill() {
    return EvidencePanel::tr("Click a bar, a span or a mark in a chart to see the exact figures and the "
                             "record they come from.");
}

QLabel* emptyState(QWidget* parent) {
    auto* text = mutedLabel(howToFill(), parent);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    text->setMargin(3 * spacing);
    return text;
}

} // namespace

EvidencePanel::EvidencePanel(QWidget* parent)
    : QWidget(parent), stack_(new QStackedWidget(this)), empty_(emptyState(this)), upper_(new QWidget(this)),
      title_(new QLabel(this)), scroll_(new QScrollArea(this)), splitter_(new QSplitter(Qt::Vertical, this)),
      place_(new ElidedButton(this)), folder_(new QToolButton(this)), raw_(new RawRecordView(this)) {
    setAccessibleName(tr("Evidence"));
    title_->setFont(fontOf(1.1, true));
    title_->setWordWrap(true);
    title_->setTextFormat(Qt::PlainText);
    title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setTip(folder_, tr("Open the folder that holds this file"));
    folder_->setAccessibleName(tr("Open the folder"));
    folder_->setFocusPolicy(Qt::StrongFocus);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* placeRow = rowOf({{place_, 1}, folder_}, spacing / 2);
    columnOf({title_, placeRow, {scroll_, 1}}, spacing / 2, upper_, {spacing, spacing, spacing, spacing / 2});
    splitter_->addWidget(upper_);
    splitter_->addWidget(raw_);
    splitter_->setStretchFactor(0, 0);
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    stack_->addWidget(empty_);
    stack_->addWidget(splitter_);
    columnOf({stack_}, -1, this);

    connect(place_, &QToolButton::clicked, this, [this] {
        QApplication::clipboard()->setText(placeText(evidence_));
        showTip(place_->mapToGlobal(QPoint(0, place_->height())), tr("Copied"), place_);
    });
    // From the first drag on, the heights are the user's.
    connect(splitter_, &QSplitter::splitterMoved, this, [this] { fitted_ = true; });
    connect(folder_, &QToolButton::clicked, this,
            [this] { emit openFolderRequested(QString::fromStdString(evidence_.path)); });
    followTheme(this, [this](const Theme& theme) {
        folder_->setIcon(icon(QStringLiteral("open"), theme));
        fillDetails();
    });
}

void EvidencePanel::setEvidence(const Evidence& evidence) {
    const bool sameRecord = any_ && evidence.place == evidence_.place;
    any_ = true;
    evidence_ = evidence;
    title_->setText(lineText(evidence.title));
    fillDetails();
    const QString place = placeText(evidence_);
    place_->setText(buttonText(place));
    setTip(place_, place + QStringLiteral("\n\n") + tr("Click copies it"));
    place_->setAccessibleName(tr("Copy the place %1").arg(lineText(place)));
    stack_->setCurrentIndex(1);
    QTimer::singleShot(0, this, &EvidencePanel::fitDetails); // when everything has its width
    if (sameRecord) {
        return;
    }
    raw_->setWaiting();
    emit rawRequested(evidence.place);
}

void EvidencePanel::clear(const QString& why) {
    empty_->setText(why.isEmpty() ? howToFill() : why + QStringLiteral("\n\n") + howToFill());
    any_ = false;
    evidence_ = {};
    stack_->setCurrentIndex(0);
}

void EvidencePanel::setRaw(const EvidencePlace& place, const std::string& text) {
    if (any_ && place == evidence_.place) {
        raw_->setText(text);
    }
}

void EvidencePanel::setRawError(const EvidencePlace& place, const QString& sentence) {
    if (any_ && place == evidence_.place) {
        raw_->setError(sentence);
    }
}

void EvidencePanel::fillDetails() {
    const Theme& theme = themeOf(*this);
    const struct {
        const char* label = "";
        QColor color;
    } marks[] = {{"cache read", theme.cacheRead},
                 {"cache write", theme.cacheWrite},
                 {"input (uncached)", theme.uncachedInput},
                 {"Output", theme.output}};
    auto* rows = new QWidget;
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, spacing / 2, 0, 0);
    grid->setHorizontalSpacing(spacing);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto& [name, value] : evidence_.details) {
        if (QString::fromStdString(value) == placeText(evidence_)) {
            continue; // stands above, to be clicked
        }
        const QString label = lineText(name);
        auto* left = mutedLabel({}, rows);
        const QString trimmed = label.trimmed();
        QString mark;
        for (const auto& [marked, color] : marks) {
            if (trimmed == QLatin1String(marked)) {
                mark = QStringLiteral("<span style='color:%1'>■</span> ").arg(color.name());
            }
        }
        left->setTextFormat(Qt::RichText);
        left->setText(mark + trimmed.toHtmlEscaped()); // ours, and escaped
        left->setContentsMargins(label.startsWith(u' ') ? spacing : 0, 0, 0, 0);
        left->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        auto* right = new QLabel(linesText(QString::fromStdString(value)), rows);
        right->setTextFormat(Qt::PlainText);
        right->setWordWrap(true);
        right->setTextInteractionFlags(Qt::TextSelectableByMouse);
        right->setMinimumWidth(80); // a wrapped label would ask for more than a narrow dock has
        right->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        right->setAccessibleName(trimmed + QStringLiteral(": ") + right->text());
        grid->addWidget(left, row, 0);
        grid->addWidget(right, row++, 1);
    }
    grid->setRowStretch(row, 1);
    scroll_->setWidget(rows); // the former one goes with it
}

/// The figures get the height they need, up to three fifths; the record gets the rest.
void EvidencePanel::fitDetails() {
    if (fitted_) {
        return;
    }
    const int width = scroll_->viewport()->width();
    const int rows = scroll_->widget()->layout()->heightForWidth(width);
    const int wanted = std::min(scroll_->y() + rows + spacing, height() * 3 / 5);
    splitter_->setSizes({wanted, std::max(height() - wanted, 1)});
}

} // namespace loadline::ui
