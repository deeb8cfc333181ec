// Newest request wins: the part that does not depend on the type of the work.
#include "app/job/latest_job.h"

namespace loadline::app {

LatestJob::LatestJob(int threads) {
    pool_.setMaxThreadCount(threads);
}

LatestJob::~LatestJob() {
    stop();
    pool_.waitForDone();
}

std::uint64_t LatestJob::begin() {
    stop_.request_stop();
    stop_ = std::stop_source();
    running_ = true;
    return ++newest_;
}

void LatestJob::stop() {
    stop_.request_stop();
    running_ = false;
    ++newest_;
}

void LatestJob::post(std::uint64_t number, QPointer<QObject> receiver, std::function<void()> deliver) {
    QMetaObject::invokeMethod(
        &context_,
        [this, number, receiver = std::move(receiver), deliver = std::move(deliver)] {
            if (number != newest_) {
                return;
            }
            running_ = false;
            if (receiver) {
                deliver();
            }
        },
        Qt::QueuedConnection);
}

void LatestJob::postFailure(std::uint64_t number, const char* why) {
    QMetaObject::invokeMethod(
        &context_,
        [this, number,
         error = Error{std::string("the computation failed: ") + why, "",
                       "close other programs to free memory, then reload"}] {
            if (number != newest_) {
                return;
            }
            running_ = false;
            if (failed_) {
                failed_(error);
            }
        },
        Qt::QueuedConnection);
}

} // namespace loadline::app
