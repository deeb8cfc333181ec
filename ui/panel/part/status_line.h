// The line at the window's foot: loading with rate and time left, what was read, what was odd.
#pragma once

#include <QString>
#include <QWidget>

#include <cstdint>

class QLabel;
class QProgressBar;
class QTimer;
class QToolButton;

namespace loadline::ui {

struct Theme;

/// A moment of loading.
struct LoadingState {
    std::uint64_t filesDone = 0, filesTotal = 0; ///< total 0: still looking for files
    std::uint64_t bytesDone = 0, bytesTotal = 0;
    std::int64_t elapsedMs = 0;
    bool operator==(const LoadingState&) const = default;
};

/// The end of loading.
struct LoadSummary {
    std::uint64_t files = 0, sessions = 0, bytes = 0;
    std::int64_t elapsedMs = 0;
    std::uint64_t oddLines = 0;  ///< diagnostics, each counted as often as it occurred
    bool stopped = false;        ///< by the user: what was read until then is shown
    QString notRead = {};        ///< what else was found, in whole sentences; "": nothing
    std::uint64_t lostLines = 0; ///< of oddLines, those of which something is left out
    std::uint64_t oddFiles = 0;  ///< of oddLines, those that are whole files and no lines
    bool operator==(const LoadSummary&) const = default;
};

/// "312 of 2 400 files, 1.2 of 2.01 GB, 1.4 GB/s, 3 s left"; rate and rest only once they mean something.
QString loadingSentence(const LoadingState& state);
/// "2.01 GB in 2 400 files read in 0.4 s, 212 sessions", and in further sentences what was not read.
QString loadSummarySentence(const LoadSummary& summary);
/// "3 lines odd", "14 files odd", "3 lines and 14 files odd".
QString oddWords(const LoadSummary& summary);

class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void clear();
    void setLoading(const LoadingState& state);
    void setLoaded(const LoadSummary& summary);
    /// Whether what was loaded is what is shown; what was odd in it is then told too.
    void setSessionsShown(bool shown);
    void setError(const QString& sentence); ///< what went wrong and what to try; stays
    void flash(const QString& message);     ///< for a few seconds, over what stands there
    /// Shows the thing under the cursor instead of the line's own text; "": nothing is under the cursor.
    void setHovered(const QString& words);
    void setNote(const QString& note, const QString& toolTip = {}); ///< at the right: provenance

signals:
    void cancelRequested();
    void diagnosticsRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the text, which is cut to its place

private:
    enum class Kind { Nothing, Loading, Loaded, Failed };
    void present(Kind kind, const QString& text);
    void showText();
    void showOddIcon(const Theme& theme);

    Kind kind_ = Kind::Nothing;
    QString text_, flashed_, hovered_;
    QProgressBar* bar_;
    QLabel* label_;
    QToolButton* cancel_;
    QToolButton* odd_;
    QLabel* note_;
    QTimer* flashTimer_;
    bool anyOdd_ = false, lost_ = false;
    bool sessionsShown_ = true;
};

} // namespace loadline::ui
