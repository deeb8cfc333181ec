// The raw JSON of one record, indented and coloured.
#include "ui/panel/evidence/raw_record_view.h"

#include "ui/panel/evidence/json_highlighter.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace loadline::ui {

namespace {

// What a text widget lays out without a pause: a record of 3 MB is folded to a few kilobytes, and even
// unfolded it stays below this.
constexpr std::size_t foldedCharacters = 300;
constexpr std::size_t unfoldedCharacters = 20'000;
constexpr std::size_t foldedBytes = 64 * 1024;
constexpr std::size_t unfoldedBytes = 256 * 1024;

} // namespace

RawRecordView::RawRecordView(QWidget* parent)
    : QWidget(parent), edit_(new QPlainTextEdit(this)), note_(mutedLabel({}, this)),
      unfold_(new QToolButton(this)), wrap_(new QToolButton(this)), copy_(new QToolButton(this)) {
    edit_->setReadOnly(true);
    edit_->setFrameShape(QFrame::NoFrame);
    edit_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit_->setAccessibleName(tr("Raw record"));
    edit_->setTabChangesFocus(true);
    auto* highlighter = new JsonHighlighter(edit_->document());
    auto* title = new QLabel(tr("Record"), this);
    title->setFont(fontOf(1.0, true));
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    unfold_->setText(tr("Long strings"));
    unfold_->setCheckable(true);
    setTip(unfold_, tr("Show more of long strings"));
    wrap_->setText(tr("Wrap"));
    wrap_->setCheckable(true);
    wrap_->setChecked(true);
    setTip(wrap_, tr("Break long lines at the window's edge"));
    setTip(copy_, tr("Copy the record as it stands in the file"));
    copy_->setAccessibleName(tr("Copy the raw record"));
    for (QToolButton* button : {unfold_, wrap_, copy_}) {
        button->setFocusPolicy(Qt::StrongFocus);
    }
    auto* head = new QHBoxLayout;
    head->setContentsMargins(spacing, 0, spacing, 0);
    head->setSpacing(2);
    head->addWidget(title);
    head->addStretch(1);
    for (QToolButton* button : {unfold_, wrap_, copy_}) {
        head->addWidget(button);
    }
    auto* noteRow = new QHBoxLayout;
    noteRow->setContentsMargins(spacing, 0, spacing, 0);
    noteRow->addWidget(note_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing / 2);
    column->addLayout(head);
    column->addLayout(noteRow);
    column->addWidget(edit_, 1);
    connect(unfold_, &QToolButton::toggled, this, &RawRecordView::format);
    connect(wrap_, &QToolButton::toggled, this, [this](bool on) {
        edit_->setLineWrapMode(on ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
    });
    connect(copy_, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(QString::fromStdString(text_)); });
    followTheme(this, [this, highlighter](const Theme& theme) {
        copy_->setIcon(icon(QStringLiteral("copy"), theme));
        highlighter->setTheme(theme);
    });
    setWaiting();
}

void RawRecordView::setWaiting() {
    text_.clear();
    edit_->clear();
    present(tr("Reading…"), false);
}

void RawRecordView::setText(const std::string& text) {
    text_ = text;
    unfold_->setChecked(false);
    format();
}

void RawRecordView::setError(const QString& sentence) {
    text_.clear();
    edit_->clear();
    present(sentence, true);
}

QString RawRecordView::shownText() const {
    return edit_->toPlainText();
}

void RawRecordView::format() {
    const bool unfolded = unfold_->isChecked();
    const JsonPretty pretty =
        prettyJson(text_, {.maxStringCharacters = unfolded ? unfoldedCharacters : foldedCharacters,
                           .maxOutputBytes = unfolded ? unfoldedBytes : foldedBytes});
    edit_->setPlainText(QString::fromStdString(pretty.text));
    QStringList notes;
    if (text_.empty()) {
        notes << tr("The record is empty.");
    }
    if (pretty.broken) {
        notes << tr("This is not valid JSON; from where it breaks it stands as it is.");
    }
    if (pretty.bytesLeftOut > 0) {
        notes << tr("The last %1 of %2 are left out here; copying takes all.")
                     .arg(bytesText(pretty.bytesLeftOut), bytesText(text_.size()));
    }
    present(notes.join(u' '), false);
    unfold_->setEnabled(unfolded || pretty.shortenedStrings > 0);
}

void RawRecordView::present(const QString& note, bool failed) {
    note_->setText(linesText(note));
    note_->setVisible(!note.isEmpty());
    note_->setStyleSheet(failed ? QStringLiteral("color: %1").arg(themeOf(*this).error.name()) : QString());
    edit_->setVisible(!failed);
    copy_->setEnabled(!text_.empty());
    unfold_->setEnabled(false);
}

} // namespace loadline::ui
