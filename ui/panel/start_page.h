// The first thing one sees: where sessions can come from.
#pragma once

#include <QStringList>
#include <QWidget>

namespace loadline::ui {

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
    void recentFolderRemoved(const QString& folder);
};

} // namespace loadline::ui
