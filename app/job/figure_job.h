// One figure that is recomputed when its inputs differ from those it was computed from.
#pragma once

#include "app/job/latest_job.h"
#include "app/job/shared_value.h"

#include <memory>
#include <optional>
#include <utility>

namespace loadline::app {

/// `Key` is everything the value depends on. The old value stays until the new one arrives.
template <typename Key, typename Value>
class FigureJob {
public:
    /// Asks for the value of `key`, computed by `work(key, std::stop_token)`; `arrived(value)` follows when
    /// it is new. False, and nothing happens, when it is already there or under way.
    template <typename Work, typename Arrived>
    bool request(QObject* receiver, Key key, Work work, Arrived arrived) {
        if (wanted_ == key) {
            return false;
        }
        wanted_ = key;
        job_.start(
            receiver,
            [key = std::move(key), work = std::move(work)](std::stop_token stop) {
                return shareValue(work(key, stop));
            },
            [this, arrived = std::move(arrived)](std::shared_ptr<const Value> value) {
                value_ = std::move(value);
                arrived(value_);
            });
        return true;
    }

    /// Gives up what is under way; the same is not asked for again by itself.
    void stop() { job_.stop(); }

    /// The same, but it may be asked for again.
    void giveUp() {
        job_.stop();
        wanted_.reset();
    }

    /// The value that arrived last; null before the first.
    [[nodiscard]] const std::shared_ptr<const Value>& value() const { return value_; }

    [[nodiscard]] bool isRunning() const { return job_.isRunning(); }

    /// Forgets value and request.
    void clear() {
        job_.stop();
        wanted_.reset();
        value_.reset();
    }

    void onFailure(std::function<void(const Error&)> handler) {
        job_.onFailure([this, handler = std::move(handler)](const Error& error) {
            wanted_.reset(); // may be asked for again
            handler(error);
        });
    }

private:
    LatestJob job_;
    std::optional<Key> wanted_;
    std::shared_ptr<const Value> value_;
};

} // namespace loadline::app
