// Whether turns of an open loop come faster than they are answered: what each of them found waiting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace loadline {

/// Turns wait from their arrival to their first token.
class QueueWatch {
public:
    void arrived() {
        found_.push_back(waiting_);
        ++waiting_;
    }

    void began() { --waiting_; }

    [[nodiscard]] std::uint32_t waiting() const { return waiting_; }

    /// Over the arrivals' last three quarters the queue that they found grew from each to the next, by half
    /// and ten turns in all, and did not empty again: one that has a mean does not do so.
    [[nodiscard]] bool grows() const { return grewTo(waiting_); }
    /// True if the queue of a trace grew up to its last arrival: the run goes on to its last answer.
    [[nodiscard]] bool grewToLastArrival() const { return !found_.empty() && grewTo(found_.back()); }

private:
    /// `waiting`: turns at the time of judging.
    [[nodiscard]] bool grewTo(std::uint32_t waiting) const {
        constexpr std::size_t fewest = 40;
        if (found_.size() < fewest) {
            return false;
        }
        const double second = meanOf(1);
        const double third = meanOf(2);
        const double last = meanOf(3);
        return second < third && third < last && last > 1.5 * second && last - second >= 10 &&
               waiting >= last;
    }

    [[nodiscard]] double meanOf(std::size_t quarter) const {
        const std::size_t begin = quarter * found_.size() / 4;
        const std::size_t end = (quarter + 1) * found_.size() / 4;
        const auto part = std::span(found_).subspan(begin, end - begin);
        return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
    }

    std::uint32_t waiting_ = 0;
    std::vector<std::uint32_t> found_; ///< by arrival
};

} // namespace loadline
