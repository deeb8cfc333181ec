// Writes settings shortly after a change, off the thread that shows.
#include "app/window/settings/settings_keeper.h"

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>

#include <utility>

namespace loadline::app {
namespace {

constexpr int quietMs = 400; // after the last change

} // namespace

SettingsKeeper::SettingsKeeper(QWidget& window, std::function<Settings()> gather, QString path)
    : QObject(&window), window_(window), gather_(std::move(gather)), path_(std::move(path)) {
    job_.emplace(1); // never an older one after a newer one
    timer_.setSingleShot(true);
    timer_.setInterval(quietMs);
    connect(&timer_, &QTimer::timeout, this, &SettingsKeeper::write);
    QCoreApplication::instance()->installEventFilter(this);
}

void SettingsKeeper::soon() {
    timer_.start();
}

void SettingsKeeper::writeNow(const Settings& settings) {
    timer_.stop();
    job_.emplace(1); // what is under way has ended then
    written_ = saveSettings(settings, path_) ? std::optional(settings) : std::nullopt;
}

/// Splitters, docks, columns and folds have no signal in common: the end of a gesture is one.
bool SettingsKeeper::eventFilter(QObject* watched, QEvent* event) {
    const bool gesture = event->type() == QEvent::MouseButtonRelease || event->type() == QEvent::KeyRelease;
    const bool placed =
        watched == &window_ && (event->type() == QEvent::Resize || event->type() == QEvent::Move);
    if ((gesture || placed) && window_.isVisible()) {
        soon();
    }
    return QObject::eventFilter(watched, event);
}

void SettingsKeeper::write() {
    if (job_->isRunning()) {
        soon();
        return;
    }
    Settings now = gather_();
    if (now == written_) {
        return;
    }
    written_ = now;
    job_->start(
        this,
        [now = std::move(now), path = path_](const std::stop_token&) { return saveSettings(now, path); },
        [this](bool done) {
            if (!done) {
                written_.reset(); // tried again with the next change
            }
        });
}

} // namespace loadline::app
