// Lines of a log as they stand in the file, with those that are evidence marked; neighbours come on demand.
#pragma once

#include "core/serverlog/server_log.h"

#include <QString>
#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace loadline::ui {

/// A run of lines of one file.
struct RawLines {
    std::uint32_t file = 0;
    std::uint64_t first = 1; ///< 1-based
    std::vector<std::string> texts;

    [[nodiscard]] std::uint64_t end() const { return first + texts.size(); }
};

class RawLogView : public QWidget {
    Q_OBJECT

public:
    explicit RawLogView(QWidget* parent = nullptr);

    /// The log's files, by which lines are named; what is shown goes.
    void setFiles(const std::vector<std::string>& files);
    /// Walks over these; the first is wanted at once. `what`: what they are evidence of.
    void setEvidence(std::vector<LogLine> evidence, const QString& what);
    /// Shows the lines that were asked for. The current line is centred, or keeps its place.
    void setLines(RawLines lines);
    void setError(const QString& sentence);

    [[nodiscard]] const RawLines& lines() const { return lines_; }

    [[nodiscard]] LogLine line() const { return line_; } ///< that is looked at

    [[nodiscard]] QPlainTextEdit* edit() const { return edit_; }

    [[nodiscard]] QToolButton* next() const { return next_; }

    [[nodiscard]] QToolButton* previous() const { return previous_; }

    /// Lines that are shown at once.
    static constexpr std::uint64_t window = 400;

signals:
    /// `window` lines from this one on.
    void linesWanted(const loadline::LogLine& first);
    /// By the user, in the text or by the buttons.
    void lineChosen(const loadline::LogLine& line);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void look(const LogLine& line);
    void step(int by);
    void want(std::uint64_t first, std::uint64_t keep);
    void follow();
    void mark();
    void showTitle();
    void chooseAt(const QPoint& place);

    std::vector<std::string> files_;
    std::vector<LogLine> evidence_;
    std::size_t at_ = 0; ///< of the evidence
    QString what_;
    RawLines lines_;
    LogLine line_;
    std::uint64_t keep_ = 0; ///< the line to be on top; 0: the one looked at, in the middle
    bool waiting_ = false;
    bool setting_ = false; ///< lines, and where they stand
    QLabel* title_ = nullptr;
    QLabel* note_ = nullptr;
    QPlainTextEdit* edit_ = nullptr;
    QToolButton *previous_ = nullptr, *next_ = nullptr;
};

} // namespace loadline::ui
