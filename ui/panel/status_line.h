// The line at the window's foot: loading with rate and time left, what was read, what was odd.
#pragma once

#include <QString>
#include <QWidget>

#include <cstdint>

namespace loadline::ui {

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
    std::uint64_t oddLines = 0; ///< diagnostics, each counted as often as it occurred
    bool stopped = false;       ///< by the user: what was read until then is shown
    bool operator==(const LoadSummary&) const = default;
};

class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void clear();
    void setLoading(const LoadingState& state);
    void setLoaded(const LoadSummary& summary);
    void setError(const QString& sentence); ///< what went wrong and what to try; stays
    void flash(const QString& message);     ///< for a few seconds, over what stands there
    void setNote(const QString& note, const QString& toolTip = {}); ///< at the right: provenance

signals:
    void cancelRequested();
    void diagnosticsRequested();
};

} // namespace loadline::ui
