// Newest request wins: starting work stops the work before it, and only the newest result is delivered.
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace loadline::app {

/// Runs one kind of work on threads of its own, for the thread that owns it (the GUI's).
///
/// Nothing queues up: a request that has not begun when a newer one comes never begins, and one that is
/// under way is asked to stop through its std::stop_token. Work must poll the token often (about every
/// millisecond) or it delays its successors. All members are called from the owner's thread.
class LatestJob {
public:
    /// `threads`: how many requests may overlap while an older one notices that it should stop.
    explicit LatestJob(int threads = 2);
    /// Stops and waits; nothing is delivered afterwards.
    ~LatestJob();
    LatestJob(const LatestJob&) = delete; // running work refers to this object
    LatestJob& operator=(const LatestJob&) = delete;

    /// Runs `work(std::stop_token)` on a worker thread, then `deliver(its result)` on the owner's thread,
    /// if no newer request was started, nothing was stopped, and `receiver` still lives.
    template <typename Work, typename Deliver>
    void start(QObject* receiver, Work work, Deliver deliver) {
        const std::uint64_t number = begin();
        pool_.start([this, number, token = stop_.get_token(), receiver = QPointer<QObject>(receiver),
                     work = std::move(work), deliver = std::move(deliver)]() mutable {
            if (token.stop_requested()) {
                return;
            }
            try {
                using Value = decltype(work(token));
                const auto value = std::make_shared<Value>(work(token));
                if (!token.stop_requested()) {
                    post(number, receiver,
                         [value, deliver = std::move(deliver)]() mutable { deliver(std::move(*value)); });
                }
            } catch (const std::exception& exception) {
                postFailure(number, exception.what());
            }
        });
    }

    /// Stops what is under way; its result is dropped.
    void stop();

    /// Between start() and the delivery (or stop()).
    [[nodiscard]] bool isRunning() const { return running_; }

    /// Called on the owner's thread when work threw (out of memory): the only way a job can fail by itself.
    void onFailure(std::function<void(const Error&)> handler) { failed_ = std::move(handler); }

private:
    std::uint64_t begin();
    void post(std::uint64_t number, QPointer<QObject> receiver, std::function<void()> deliver);
    void postFailure(std::uint64_t number, const char* why);

    QObject context_; ///< lives in the owner's thread; calls queued for it die with it
    QThreadPool pool_;
    std::stop_source stop_;
    std::function<void(const Error&)> failed_;
    std::uint64_t newest_ = 0;
    bool running_ = false;
};

} // namespace loadline::app
