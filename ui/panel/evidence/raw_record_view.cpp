// The raw JSON of one record, indented and coloured.
#include "ui/panel/evidence/raw_record_view.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QToolButton>

namespace loadline::ui {

namespace {

/// Works line by line: strings never span lines in what prettyJson writes.
class JsonHighlighter : public QSyntaxHighlighter {
public:
    explicit JsonHighlighter(QTextDocument* document);
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& line) override;

private:
    QTextCharFormat key_, string_, word_, note_;
};

JsonHighlighter::JsonHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

void JsonHighlighter::setTheme(const Theme& theme) {
    key_.setForeground(theme.accent);
    string_.setForeground(theme.kind == ThemeKind::Dark ? theme.good.lighter(115) : theme.good.darker(115));
    word_.setForeground(theme.kind == ThemeKind::Dark ? theme.output.lighter(120) : theme.output);
    note_.setForeground(theme.textMuted);
    note_.setFontItalic(true);
    rehighlight();
}

void JsonHighlighter::highlightBlock(const QString& line) {
    const auto size = static_cast<int>(line.size());
    for (int at = 0; at < size;) {
        const QChar c = line[at];
        int end = at + 1;
        if (c == u'"') {
            while (end < size && line[end] != u'"') {
                end += line[end] == u'\\' ? 2 : 1;
            }
            end = std::min(end + 1, size);
            setFormat(at, end - at, end < size && line[end] == u':' ? key_ : string_);
        } else if (c.isLetterOrNumber() || c == u'-') {
            while (end < size && !line[end].isSpace() && line[end] != u',' && line[end] != u']' &&
                   line[end] != u'}') {
                ++end;
            }
            setFormat(at, end - at, word_);
        } else if (c == u'⟨') {
            end = size;
            setFormat(at, end - at, note_);
        }
        at = end;
    }
}

// Limits of the text that a text widget lays out without a pause: a record of 3 MB is folded to a few
// kilobytes, and stays below them even unfolded.
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
    auto* head = rowOf({title, Stretch{}}, 2, nullptr, {spacing, 0, spacing, 0});
    for (QToolButton* button : {unfold_, wrap_, copy_}) {
        head->addWidget(button);
    }
    auto* noteRow = rowOf({note_}, -1, nullptr, {spacing, 0, spacing, 0});
    columnOf({head, noteRow, {edit_, 1}}, spacing / 2, this);
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
