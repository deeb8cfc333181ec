// Counting steps by M: what both loops of the fast way write to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loadline {

/// Dense counts that remember which were touched.
class RowsTally {
public:
    /// `n` steps of `m` rows.
    void add(std::int64_t m, std::int64_t n) {
        const auto at = static_cast<std::size_t>(m);
        if (at >= counts_.size() || counts_[at] == 0) [[unlikely]] {
            see(at);
        }
        counts_[at] += n;
    }

    /// Each M that has steps, once.
    [[nodiscard]] const std::vector<std::int32_t>& seen() const { return seen_; }

    [[nodiscard]] std::int64_t steps(std::int32_t m) const {
        const auto at = static_cast<std::size_t>(m);
        return at < counts_.size() ? counts_[at] : 0;
    }

    /// Keeps its memory.
    void clear() {
        for (const std::int32_t m : seen_) {
            counts_[static_cast<std::size_t>(m)] = 0;
        }
        seen_.clear();
    }

private:
    [[gnu::noinline]] void see(std::size_t at) {
        if (at >= counts_.size()) {
            counts_.resize(2 * at + 64);
        }
        seen_.push_back(static_cast<std::int32_t>(at));
    }

    std::vector<std::int64_t> counts_;
    std::vector<std::int32_t> seen_;
};

} // namespace loadline
