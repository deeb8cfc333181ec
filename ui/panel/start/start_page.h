// The first thing one sees: where sessions can come from.
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace loadline::ui {

class SourceCard;

class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    /// The user's own sessions: "looking…" until called; zero files: says that there are none, and where it
    /// looked.
    void setDefaultSessions(std::uint64_t files, std::uint64_t bytes, const QStringList& folders);
    void setRecentFolders(const QStringList& folders); ///< newest first
    void setDropActive(bool active);                   ///< something is being dragged over the window
    /// A failed opening: what went wrong and what to try; empty hides it.
    void setError(const QString& sentence);

signals:
    void openFolderRequested();                    ///< choose a folder
    void openFilesRequested();                     ///< choose files
    void pathsRequested(const QStringList& paths); ///< own sessions or a recent folder
    void sampleRequested();
    void simulationRequested(); ///< without any files
    void kernelsRequested();    ///< without any files
    void recentFolderRemoved(const QString& folder);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fillRecent();

    QStringList defaultFolders_, recent_;
    bool dropActive_ = false;
    SourceCard *open_, *own_, *sample_;
    QLabel* error_;
    QLabel* recentTitle_;
    QVBoxLayout* recentRows_;
    QLabel* dropHint_;
};

} // namespace loadline::ui
