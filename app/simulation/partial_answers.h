// Partial answers during refinement, passed from the refining thread to the thread that shows them.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace loadline::app {

struct SimulationShown;

/// The newest only: an answer that nobody took in time is not shown.
class PartialAnswers {
public:
    /// `preview`: what they grow from; may be null, then nothing is asked for. `cameNow`: called after
    /// putNow() by its thread.
    PartialAnswers(std::shared_ptr<const SimulationShown> preview, std::function<void()> cameNow)
        : preview_(std::move(preview)), cameNow_(std::move(cameNow)) {}

    [[nodiscard]] const std::shared_ptr<const SimulationShown>& preview() const { return preview_; }

    void put(std::shared_ptr<const SimulationShown> answer) {
        const std::scoped_lock lock(mutex_);
        newest_ = std::move(answer);
    }

    /// An answer that is not to wait until somebody asks.
    void putNow(std::shared_ptr<const SimulationShown> answer) {
        put(std::move(answer));
        cameNow_();
    }

    /// Null where none came since the last one that was taken.
    [[nodiscard]] std::shared_ptr<const SimulationShown> take() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(newest_, nullptr);
    }

private:
    std::shared_ptr<const SimulationShown> preview_;
    std::function<void()> cameNow_;
    std::mutex mutex_;
    std::shared_ptr<const SimulationShown> newest_;
};

} // namespace loadline::app
