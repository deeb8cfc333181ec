// Mean and quantiles of real numbers of which many are equal.
#pragma once

#include <cstdint>
#include <vector>

namespace loadline {

/// Of a sample; all zero when n is 0.
struct RealSummary {
    std::uint64_t n = 0;
    double sum = 0;
    double mean = 0;
    double min = 0;
    double max = 0;
    double p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0;
    bool operator==(const RealSummary&) const = default;
};

/// Numbers with how often each came.
class WeightedSample {
public:
    struct Part {
        double value = 0;
        std::uint64_t count = 0;
    };

    /// Of no account where `count` is 0. Precondition: a finite number.
    void add(double value, std::uint64_t count = 1);
    void add(const WeightedSample& other);

    /// Ascending, each value once.
    [[nodiscard]] std::vector<Part> sorted() const;

private:
    std::vector<Part> parts_; ///< as they came
};

/// By linear interpolation between closest ranks, as in core/base/statistics.h.
RealSummary summaryOf(const std::vector<WeightedSample::Part>& sorted);
/// How many are at most `value`, as a share; 0 without any.
double shareUpTo(const std::vector<WeightedSample::Part>& sorted, double value);

} // namespace loadline
