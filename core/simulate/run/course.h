// A run that can go on: advanced step by step, with what is needed to measure a part of it afterwards.
#pragma once

#include "core/simulate/run/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace loadline {

class GemmRates;

/// A turn that was answered. Seconds of the run's clock.
struct TurnRecord {
    double arrivalS = 0;
    double ttftS = 0;
    double tpotS = -1; ///< -1: one token, so there is no time per token after the first
    double e2eS = 0;
    bool operator==(const TurnRecord&) const = default;
};

/// The state of a run after so many steps; counts are since its beginning.
struct CourseMark {
    std::int64_t step = 0;
    double timeS = 0;
    std::uint64_t tokensOut = 0;
    std::uint64_t arrived = 0;  ///< turns, refused ones left out
    std::uint64_t answered = 0; ///< of them
    std::uint64_t waiting = 0;  ///< of them, those without their first token
    double systemS = 0;         ///< time integral of the number of turns that are not answered yet
    bool operator==(const CourseMark&) const = default;

    [[nodiscard]] std::uint64_t unfinished() const { return arrived - answered; }
};

/// One replica whose length is not known in advance.
class Course {
public:
    Course() = default;
    Course(const Course&) = delete;
    Course& operator=(const Course&) = delete;
    Course(Course&&) = delete;
    Course& operator=(Course&&) = delete;
    virtual ~Course() = default;

    /// Goes on until `steps` have passed since the beginning, or it is over, or stopped.
    virtual std::optional<Error> advance(std::int64_t steps, const std::stop_token& stop) = 0;
    /// True if no turn comes any more.
    [[nodiscard]] virtual bool isOver() const = 0;
    [[nodiscard]] virtual CourseMark mark() const = 0;
    /// Sums of the steps since the last take(), without turns and latencies.
    virtual SimulationResult take() = 0;
    /// Turns answered since the last takeTurns(), in the order of their answers.
    virtual std::vector<TurnRecord> takeTurns() = 0;
    /// Turns that arrived in [fromS, toS) and are not answered yet.
    [[nodiscard]] virtual std::uint64_t unfinishedIn(double fromS, double toS) const = 0;
};

/// A course of the exact scheduler. `inputs` and `rates` outlive it.
std::unique_ptr<Course> beginExact(const SimulationInputs& inputs, const GemmRates& rates,
                                   std::uint64_t seed);

} // namespace loadline
