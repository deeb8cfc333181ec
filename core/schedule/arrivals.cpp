// Open arrivals sorted once, followers in a heap.
#include "core/schedule/arrivals.h"

#include <algorithm>
#include <unordered_map>

namespace loadline {

Arrivals::Arrivals(const std::vector<ScheduleRequest>& requests)
    : followersOf_(requests.size()), requests_(requests) {
    std::unordered_map<std::int64_t, RequestIndex> indexOf;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        indexOf.emplace(requests[i].id, static_cast<RequestIndex>(i));
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const ScheduleRequest& request = requests[i];
        const auto index = static_cast<RequestIndex>(i);
        if (request.after) {
            followersOf_[indexOf.at(*request.after)].push_back(index);
        } else {
            open_.push_back({request.arrivalStep.value_or(0), index, index});
        }
    }
    std::ranges::sort(open_);
}

std::optional<std::int64_t> Arrivals::next() const {
    std::optional<std::int64_t> first;
    if (nextOpen_ < open_.size()) {
        first = open_[nextOpen_].step;
    }
    if (!followers_.empty()) {
        first = std::min(first.value_or(followers_.top().step), followers_.top().step);
    }
    return first;
}

std::optional<RequestIndex> Arrivals::take(std::int64_t t) {
    if (nextOpen_ < open_.size() && open_[nextOpen_].step <= t) {
        return open_[nextOpen_++].request;
    }
    if (!followers_.empty() && followers_.top().step <= t) {
        const RequestIndex request = followers_.top().request;
        followers_.pop();
        return request;
    }
    return std::nullopt;
}

void Arrivals::finished(RequestIndex request, std::int64_t t) {
    for (const RequestIndex follower : followersOf_[request]) {
        followers_.push({t + 1 + requests_[follower].delay, order_++, follower});
    }
}

} // namespace loadline
