// The line at the window's foot.
#include "ui/panel/part/status_line.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace loadline::ui {

namespace {

constexpr std::int64_t rateAfterMs = 500; // before that a rate is noise
constexpr std::int64_t restAfterMs = 1500;
constexpr int flashMs = 4000;

QString exactCount(std::uint64_t n) {
    return exactText(static_cast<std::int64_t>(n));
}

QString files(std::uint64_t n) {
    return exactCount(n) + (n == 1 ? QStringLiteral(" file") : QStringLiteral(" files"));
}

} // namespace

QString loadingSentence(const LoadingState& state) {
    if (state.filesTotal == 0) {
        return QStringLiteral("Looking for session files…");
    }
    QStringList parts{
        QStringLiteral("Reading: %1 of %2").arg(exactCount(state.filesDone), files(state.filesTotal))};
    if (state.bytesTotal > 0) {
        parts << QStringLiteral("%1 of %2").arg(bytesText(state.bytesDone), bytesText(state.bytesTotal));
    }
    if (state.elapsedMs >= rateAfterMs && state.bytesDone > 0) {
        const double perMs = static_cast<double>(state.bytesDone) / static_cast<double>(state.elapsedMs);
        parts << bytesText(static_cast<std::uint64_t>(perMs * 1000)) + QStringLiteral("/s");
        if (state.elapsedMs >= restAfterMs && state.bytesTotal > state.bytesDone) {
            const double restMs = static_cast<double>(state.bytesTotal - state.bytesDone) / perMs;
            const auto wholeSeconds = static_cast<std::int64_t>(restMs / 1000) + 1;
            parts << QStringLiteral("%1 left").arg(wholeSeconds < 60
                                                       ? QStringLiteral("%1 s").arg(wholeSeconds)
                                                       : durationText(wholeSeconds * 1000));
        }
    }
    return parts.join(QStringLiteral(", "));
}

QString loadSummarySentence(const LoadSummary& summary) {
    const QString read =
        QStringLiteral("%1 in %2 %3 %4, %5 %6")
            .arg(bytesText(summary.bytes), files(summary.files),
                 summary.stopped ? QStringLiteral("read when stopped after") : QStringLiteral("read in"),
                 durationText(summary.elapsedMs), exactCount(summary.sessions),
                 summary.sessions == 1 ? QStringLiteral("session") : QStringLiteral("sessions"));
    return summary.notRead.isEmpty() ? read : read + QStringLiteral(". ") + summary.notRead;
}

QString oddWords(const LoadSummary& summary) {
    const std::uint64_t lines = summary.oddLines - std::min(summary.oddFiles, summary.oddLines);
    QStringList parts;
    if (lines > 0 || summary.oddFiles == 0) {
        parts << exactCount(lines) + (lines == 1 ? QStringLiteral(" line") : QStringLiteral(" lines"));
    }
    if (summary.oddFiles > 0) {
        parts << files(summary.oddFiles);
    }
    return parts.join(QStringLiteral(" and ")) + QStringLiteral(" odd");
}

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent), bar_(new QProgressBar(this)), label_(mutedLabel({}, this)),
      cancel_(new QToolButton(this)), odd_(new QToolButton(this)), note_(mutedLabel({}, this)),
      flashTimer_(new QTimer(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing, 2, spacing, 2);
    row->setSpacing(spacing);
    bar_->setTextVisible(false);
    bar_->setFixedSize(140, 6);
    bar_->setAccessibleName(tr("Loading"));
    label_->setAccessibleName(tr("Status"));
    label_->setTextFormat(Qt::PlainText);
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label_->installEventFilter(this);
    cancel_->setText(tr("Stop"));
    cancel_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setTip(cancel_, tr("Stop reading (Esc); what was read stays"));
    cancel_->setAccessibleName(tr("Stop reading"));
    setTip(odd_, tr("Show what was odd, and where"));
    odd_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    note_->setTextFormat(Qt::PlainText);
    row->addWidget(bar_);
    row->addWidget(cancel_);
    row->addWidget(odd_);
    row->addWidget(label_, 1);
    row->addWidget(note_);
    flashTimer_->setSingleShot(true);
    flashTimer_->setInterval(flashMs);
    connect(flashTimer_, &QTimer::timeout, this, [this] {
        flashed_.clear();
        showText();
    });
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelRequested);
    connect(odd_, &QToolButton::clicked, this, &StatusLine::diagnosticsRequested);
    followTheme(this, [this](const Theme& theme) {
        cancel_->setIcon(icon(QStringLiteral("stop"), theme));
        showOddIcon(theme);
        bar_->setStyleSheet(
            QStringLiteral("QProgressBar { border: none; border-radius: 3px; background: %1; }"
                           "QProgressBar::chunk { border-radius: 3px; background: %2; }")
                .arg(theme.grid.name(), theme.accent.name()));
        showText();
    });
    clear();
}

/// A sign to warn only where there is something to warn of.
void StatusLine::showOddIcon(const Theme& theme) {
    odd_->setIcon(lost_ ? icon(QStringLiteral("diagnostics"), theme) : QIcon());
}

void StatusLine::clear() {
    odd_->hide();
    present(Kind::Nothing, {});
}

void StatusLine::setLoading(const LoadingState& state) {
    odd_->hide();
    const bool known = state.bytesTotal > 0;
    bar_->setRange(0, known ? 1000 : 0); // 0 to 0: moving, as the end is not known
    if (known) {
        bar_->setValue(
            static_cast<int>(std::min(state.bytesDone, state.bytesTotal) * 1000 / state.bytesTotal));
    }
    present(Kind::Loading, loadingSentence(state));
}

void StatusLine::setLoaded(const LoadSummary& summary) {
    anyOdd_ = summary.oddLines > 0;
    odd_->setVisible(anyOdd_ && sessionsShown_);
    odd_->setText(oddWords(summary));
    lost_ = summary.lostLines > 0;
    setTip(odd_, lost_ ? tr("Show what was odd, and where; of %1 something is left out")
                             .arg(exactCount(summary.lostLines))
                       : tr("Show what was odd, and where; nothing is left out"));
    showOddIcon(themeOf(*this));
    odd_->setAccessibleName(odd_->text() + tr(": show"));
    present(Kind::Loaded, loadSummarySentence(summary));
}

void StatusLine::setSessionsShown(bool shown) {
    sessionsShown_ = shown;
    odd_->setVisible(kind_ == Kind::Loaded && anyOdd_ && shown);
    showText();
}

void StatusLine::setError(const QString& sentence) {
    odd_->hide();
    present(Kind::Failed, sentence);
}

void StatusLine::flash(const QString& message) {
    flashed_ = message;
    flashTimer_->start();
    showText();
}

void StatusLine::setHovered(const QString& words) {
    hovered_ = words;
    showText();
}

void StatusLine::setNote(const QString& note, const QString& toolTip) {
    note_->setText(lineText(note));
    setTip(note_, toolTip);
}

void StatusLine::present(Kind kind, const QString& text) {
    kind_ = kind;
    text_ = text;
    bar_->setVisible(kind == Kind::Loading);
    cancel_->setVisible(kind == Kind::Loading);
    showText();
}

bool StatusLine::eventFilter(QObject* watched, QEvent* event) {
    if (watched == label_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) {
        showText();
    }
    return QWidget::eventFilter(watched, event);
}

void StatusLine::showText() {
    const QString stands = kind_ == Kind::Loaded && !sessionsShown_ ? QString() : text_;
    const QString& shown = flashed_.isEmpty() ? stands : flashed_;
    const QString& text = hovered_.isEmpty() ? shown : hovered_;
    const QString line = lineText(text);
    label_->setText(
        label_->isVisible() ? label_->fontMetrics().elidedText(line, Qt::ElideRight, label_->width()) : line);
    label_->setAccessibleDescription(line);
    setTip(label_, text); // the window may be too narrow for it
    const Theme& theme = themeOf(*this);
    const bool failed = kind_ == Kind::Failed && flashed_.isEmpty() && hovered_.isEmpty();
    label_->setStyleSheet(QStringLiteral("color: %1").arg((failed ? theme.error : theme.textMuted).name()));
}

} // namespace loadline::ui
