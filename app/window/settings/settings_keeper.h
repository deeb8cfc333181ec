// Writes settings shortly after a change, so that a program that is killed comes back as it was.
#pragma once

#include "app/job/latest_job.h"
#include "app/window/settings/settings.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

class QWidget;

namespace loadline::app {

/// A change is noticed by what the user does in the window, or said by soon(). What did not change is not
/// written again.
class SettingsKeeper : public QObject {
    Q_OBJECT

public:
    /// `gather`: the settings as they are now.
    SettingsKeeper(QWidget& window, std::function<Settings()> gather, QString path);

    void soon();
    /// At the end; waits for what is under way.
    void writeNow(const Settings& settings);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void write();

    QWidget& window_;
    std::function<Settings()> gather_;
    QString path_;
    std::optional<Settings> written_; ///< none: nothing, or it could not be
    QTimer timer_;
    std::optional<LatestJob> job_;
};

} // namespace loadline::app
