// Values in groups, for tables within the rows of another.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace loadline::ask {

/// Values of several groups, one group after the other: group i is that of the outer row i.
template <typename T>
class Grouped {
public:
    void add(T value) { values_.push_back(std::move(value)); }

    /// Ends the group of the values that were added since the last end.
    void endGroup() { ends_.push_back(values_.size()); }

    /// Returns the values of all groups.
    [[nodiscard]] const std::vector<T>& values() const { return values_; }

    /// The first value of a group and the one past its last: Table::within.
    [[nodiscard]] std::pair<std::size_t, std::size_t> range(std::size_t group) const {
        return {group == 0 ? 0 : ends_[group - 1], ends_[group]};
    }

private:
    std::vector<T> values_;
    std::vector<std::size_t> ends_;
};

} // namespace loadline::ask
