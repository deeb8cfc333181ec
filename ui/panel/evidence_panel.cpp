// The Evidence dock: one item's exact figures, its place in the file and the raw record.
#include "ui/panel/evidence_panel.h"

#include "ui/panel/raw_record_view.h"
#include "ui/panel/themed.h"
#include "ui/theme/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

namespace loadline::ui {

namespace {

QString placeText(const Evidence& evidence) {
    const QString path = QString::fromStdString(evidence.path);
    return evidence.place.place.line > 0 ? path + u':' + QString::number(evidence.place.place.line) : path;
}

QWidget* emptyState(QWidget* parent) {
    auto* text = mutedLabel(
        EvidencePanel::tr("Click a bar, a span or a mark in a chart to see the exact figures and the "
                          "record they come from."),
        parent);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    text->setMargin(3 * spacing);
    return text;
}

} // namespace

EvidencePanel::EvidencePanel(QWidget* parent)
    : QWidget(parent), stack_(new QStackedWidget(this)), title_(new QLabel(this)),
      scroll_(new QScrollArea(this)), place_(new QToolButton(this)), folder_(new QToolButton(this)),
      raw_(new RawRecordView(this)) {
    setAccessibleName(tr("Evidence"));
    title_->setFont(fontOf(1.1, true));
    title_->setWordWrap(true);
    title_->setTextFormat(Qt::PlainText);
    title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    place_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    place_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    place_->setFocusPolicy(Qt::StrongFocus);
    place_->setCursor(Qt::PointingHandCursor);
    folder_->setToolTip(tr("Open the folder that holds this file"));
    folder_->setAccessibleName(tr("Open the folder"));
    folder_->setFocusPolicy(Qt::StrongFocus);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* placeRow = new QHBoxLayout;
    placeRow->setSpacing(spacing / 2);
    placeRow->addWidget(place_, 1);
    placeRow->addWidget(folder_);
    auto* upper = new QWidget(this);
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins(spacing, spacing, spacing, spacing / 2);
    column->setSpacing(spacing / 2);
    column->addWidget(title_);
    column->addLayout(placeRow);
    column->addWidget(scroll_, 1);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(upper);
    splitter->addWidget(raw_);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    stack_->addWidget(emptyState(this));
    stack_->addWidget(splitter);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->addWidget(stack_);

    connect(place_, &QToolButton::clicked, this, [this] {
        QApplication::clipboard()->setText(placeText(evidence_));
        QToolTip::showText(place_->mapToGlobal(QPoint(0, place_->height())), tr("Copied"), place_);
    });
    connect(folder_, &QToolButton::clicked, this,
            [this] { emit openFolderRequested(QString::fromStdString(evidence_.path)); });
    followTheme(this, [this](const Theme& theme) {
        folder_->setIcon(icon(QStringLiteral("open"), theme));
        place_->setStyleSheet(
            QStringLiteral("QToolButton { color: %1; text-align: left; }").arg(theme.accent.name()));
        fillDetails();
    });
}

void EvidencePanel::setEvidence(const Evidence& evidence) {
    const bool sameRecord = any_ && evidence.place == evidence_.place;
    any_ = true;
    evidence_ = evidence;
    title_->setText(QString::fromStdString(evidence.title));
    fillDetails();
    showPlace();
    stack_->setCurrentIndex(1);
    if (sameRecord)
        return;
    raw_->setWaiting();
    emit rawRequested(evidence.place);
}

void EvidencePanel::clear() {
    any_ = false;
    evidence_ = {};
    stack_->setCurrentIndex(0);
}

void EvidencePanel::setRaw(const EvidencePlace& place, const std::string& text) {
    if (any_ && place == evidence_.place)
        raw_->setText(text);
}

void EvidencePanel::setRawError(const EvidencePlace& place, const QString& sentence) {
    if (any_ && place == evidence_.place)
        raw_->setError(sentence);
}

void EvidencePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showPlace();
}

void EvidencePanel::fillDetails() {
    const Theme& theme = themeOf(*this);
    const struct {
        const char* label;
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
        const QString label = QString::fromStdString(name);
        auto* left = mutedLabel({}, rows);
        const QString trimmed = label.trimmed();
        QString mark;
        for (const auto& [marked, color] : marks)
            if (trimmed == QLatin1String(marked))
                mark = QStringLiteral("<span style='color:%1'>■</span> ").arg(color.name());
        left->setTextFormat(Qt::RichText);
        left->setText(mark + trimmed.toHtmlEscaped());
        left->setIndent(label.startsWith(u' ') ? spacing : 0);
        left->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        auto* right = new QLabel(QString::fromStdString(value), rows);
        right->setTextFormat(Qt::PlainText);
        right->setWordWrap(true);
        right->setTextInteractionFlags(Qt::TextSelectableByMouse);
        right->setAccessibleName(trimmed + QStringLiteral(": ") + right->text());
        grid->addWidget(left, row, 0);
        grid->addWidget(right, row++, 1);
    }
    grid->setRowStretch(row, 1);
    scroll_->setWidget(rows); // the former one goes with it
}

void EvidencePanel::showPlace() {
    const QString text = placeText(evidence_);
    place_->setText(middleElided(text, place_->font(), place_->width() - 12));
    place_->setToolTip(text + QStringLiteral("\n\n") + tr("Click copies it"));
    place_->setAccessibleName(tr("Copy the place %1").arg(text));
}

} // namespace loadline::ui
