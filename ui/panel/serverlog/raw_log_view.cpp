// Lines of a log as they stand in the file.
#include "ui/panel/serverlog/raw_log_view.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace loadline::ui {
namespace {

constexpr qsizetype mostOfLine = 4000; ///< characters
constexpr int numberDigits = 7;
const QString evidenceSign = QStringLiteral("\u25B8");

} // namespace

RawLogView::RawLogView(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), note_(mutedLabel({}, this)),
      edit_(new QPlainTextEdit(this)) {
    title_->setFont(fontOf(1.0, true));
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    note_->setWordWrap(true);
    edit_->setReadOnly(true);
    edit_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit_->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit_->setTabChangesFocus(true);
    edit_->setAccessibleName(tr("Raw log"));
    edit_->viewport()->installEventFilter(this);
    title_->setBuddy(edit_);
    previous_ = toolButton(QStringLiteral("\u25B2"), tr("The line of evidence before"));
    next_ = toolButton(QStringLiteral("\u25BC"), tr("The next line of evidence"));
    columnOf({rowOf({{title_, 1}, previous_, next_}, spacing / 2), note_, {edit_, 1}}, spacing / 2, this);
    connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step(1); });
    connect(edit_->verticalScrollBar(), &QScrollBar::valueChanged, this, &RawLogView::follow);
    followTheme(this, [this](const Theme& /*theme*/) { mark(); });
    setFiles({});
}

void RawLogView::setFiles(const std::vector<std::string>& files) {
    files_ = files;
    evidence_.clear();
    lines_ = {};
    line_ = {};
    waiting_ = false;
    what_.clear();
    edit_->clear();
    showTitle();
    note_->setText(files.empty() ? QString()
                                 : tr("Choose a hypothesis, a point or a bar: its lines stand here"));
    note_->setVisible(!files.empty());
}

void RawLogView::setEvidence(std::vector<LogLine> evidence, const QString& what) {
    evidence_ = std::move(evidence);
    at_ = 0;
    what_ = what;
    if (evidence_.empty()) {
        line_ = {};
        keep_ = lines_.first + static_cast<std::uint64_t>(std::max(edit_->verticalScrollBar()->value(), 0));
        setLines(std::exchange(lines_, {})); // without the signs of what was chosen before
        showTitle();
        note_->setText(tr("No line says so"));
        note_->show();
        return;
    }
    look(evidence_.front());
}

/// Shown already, or wanted with as much before it as behind it.
void RawLogView::look(const LogLine& line) {
    line_ = line;
    note_->hide();
    keep_ = 0;
    if (line.file == lines_.file && line.line >= lines_.first && line.line < lines_.end() && !waiting_) {
        setLines(std::exchange(lines_, {}));
    } else {
        waiting_ = true;
        emit linesWanted({line.file, line.line > window / 2 ? line.line - window / 2 : 1});
    }
    showTitle();
}

void RawLogView::step(int by) {
    const auto count = std::ssize(evidence_);
    if (count == 0) {
        return;
    }
    at_ = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at_) + by, 0, count - 1));
    look(evidence_[at_]);
    emit lineChosen(line_);
}

void RawLogView::setError(const QString& sentence) {
    waiting_ = false;
    edit_->clear();
    lines_ = {};
    note_->setText(linesText(sentence));
    note_->show();
}

void RawLogView::setLines(RawLines lines) {
    waiting_ = false;
    lines_ = std::move(lines);
    QStringList texts;
    for (std::size_t i = 0; i < lines_.texts.size(); ++i) {
        const std::uint64_t number = lines_.first + i;
        const bool marked = std::ranges::find(evidence_, LogLine{lines_.file, number}) != evidence_.end();
        texts << QStringLiteral("%1 %2 %3")
                     .arg(marked ? evidenceSign : QStringLiteral(" "))
                     .arg(number, numberDigits)
                     .arg(lineText(lines_.texts[i], mostOfLine));
    }
    setting_ = true; // not by signals held back: the text follows its bar by them
    const int aside = edit_->horizontalScrollBar()->value();
    edit_->setPlainText(texts.join(u'\n'));
    mark();
    const int shown =
        std::max(edit_->viewport()->height() / std::max(edit_->fontMetrics().lineSpacing(), 1), 1);
    const std::uint64_t top = keep_ > 0 ? keep_ : line_.line;
    const auto row = static_cast<int>(top > lines_.first ? top - lines_.first : 0);
    edit_->verticalScrollBar()->setValue(keep_ > 0 ? row : row - shown / 2);
    edit_->horizontalScrollBar()->setValue(aside);
    setting_ = false;
}

/// Near an end of what is shown: its neighbours.
void RawLogView::follow() {
    const QScrollBar& bar = *edit_->verticalScrollBar();
    if (setting_ || waiting_ || lines_.texts.empty()) {
        return;
    }
    const std::uint64_t top = lines_.first + static_cast<std::uint64_t>(std::max(bar.value(), 0));
    if (bar.value() == bar.maximum() && lines_.texts.size() == window) {
        want(lines_.first + window / 2, top);
    } else if (bar.value() == 0 && lines_.first > 1) {
        want(lines_.first > window / 2 ? lines_.first - window / 2 : 1, top);
    }
}

void RawLogView::want(std::uint64_t first, std::uint64_t keep) {
    keep_ = keep;
    waiting_ = true;
    emit linesWanted({lines_.file, first});
}

/// Evidence by its ground and the sign before it; the line looked at by a stronger ground.
void RawLogView::mark() {
    const Theme& theme = themeOf(*this);
    QList<QTextEdit::ExtraSelection> all;
    const auto add = [&](const LogLine& line, const QColor& ground) {
        if (line.file != lines_.file || line.line < lines_.first || line.line >= lines_.end()) {
            return;
        }
        QTextEdit::ExtraSelection one;
        one.cursor =
            QTextCursor(edit_->document()->findBlockByNumber(static_cast<int>(line.line - lines_.first)));
        one.format.setBackground(ground);
        one.format.setProperty(QTextFormat::FullWidthSelection, true);
        all << one;
    };
    QColor pale = theme.accentSoft;
    pale.setAlphaF(0.5F);
    for (const LogLine& line : evidence_) {
        add(line, pale);
    }
    add(line_, theme.accentSoft);
    edit_->setExtraSelections(all);
}

void RawLogView::showTitle() {
    QStringList parts{tr("Raw log")};
    if (line_.line > 0 && line_.file < files_.size()) {
        parts << QFileInfo(QString::fromStdString(files_[line_.file])).fileName() + ':' +
                     QString::number(line_.line);
    }
    if (evidence_.size() > 1) {
        parts << tr("%1 of %2").arg(at_ + 1).arg(evidence_.size());
    }
    title_->setText(lineText(parts.join(QStringLiteral(", ")), 200));
    setTip(title_, what_.isEmpty() ? QString() : tr("Evidence: %1").arg(what_));
    previous_->setEnabled(at_ > 0);
    next_->setEnabled(at_ + 1 < evidence_.size());
}

void RawLogView::chooseAt(const QPoint& place) {
    const auto row = static_cast<std::uint64_t>(edit_->cursorForPosition(place).blockNumber());
    if (row < lines_.texts.size() && !edit_->textCursor().hasSelection()) {
        line_ = {lines_.file, lines_.first + row};
        mark();
        showTitle();
        emit lineChosen(line_);
    }
}

bool RawLogView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == edit_->viewport() && event->type() == QEvent::MouseButtonRelease) {
        chooseAt(static_cast<QMouseEvent*>(event)->pos());
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace loadline::ui
