// Times at which requests arrive, open or closed loop.
#pragma once

#include "core/schedule/scenario.h"
#include "core/schedule/step.h"

#include <queue>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace loadline {

/// Preconditions: those of checkScenario(). Holds on to the requests.
class Arrivals {
public:
    explicit Arrivals(const std::vector<ScheduleRequest>& requests);

    /// Returns the next step at which a request arrives; none if none is known to.
    [[nodiscard]] std::optional<std::int64_t> next() const;
    /// Returns the request that arrives at step `t` or before and comes first; none if there is none (any
    /// more).
    std::optional<RequestIndex> take(std::int64_t t);
    /// Makes the requests that follow `request` due from now on.
    void finished(RequestIndex request, std::int64_t t);

private:
    struct Due {
        std::int64_t step = 0;
        std::int64_t order = 0;
        RequestIndex request = 0;
        auto operator<=>(const Due&) const = default;
    };

    std::vector<Due> open_; ///< sorted
    std::size_t nextOpen_ = 0;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> followers_;
    std::int64_t order_ = 0;
    std::vector<std::vector<RequestIndex>> followersOf_;
    const std::vector<ScheduleRequest>& requests_;
};

} // namespace loadline
