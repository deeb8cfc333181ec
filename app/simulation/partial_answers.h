// What is known of an answer while it is refined, from the thread that refines to the one that shows.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace loadline::app {

struct SimulationShown;

/// The newest only: what nobody took in time is not shown.
class PartialAnswers {
public:
    /// `preview`: what they grow from; may be null, then nothing is asked for.
    explicit PartialAnswers(std::shared_ptr<const SimulationShown> preview) : preview_(std::move(preview)) {}

    [[nodiscard]] const std::shared_ptr<const SimulationShown>& preview() const { return preview_; }

    void put(std::shared_ptr<const SimulationShown> answer) {
        const std::scoped_lock lock(mutex_);
        newest_ = std::move(answer);
    }

    /// Null where none came since the last one that was taken.
    [[nodiscard]] std::shared_ptr<const SimulationShown> take() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(newest_, nullptr);
    }

private:
    std::shared_ptr<const SimulationShown> preview_;
    std::mutex mutex_;
    std::shared_ptr<const SimulationShown> newest_;
};

} // namespace loadline::app
