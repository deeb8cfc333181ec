// Errors of the cached-prefix rule by cached tokens per new token, for tests.
#pragma once

#include "core/base/statistics.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace loadline::test {

class PrefixErrors {
public:
    void add(double newTokens, double cachedTokens, double predictedUs, double measuredUs) {
        std::size_t band = 0;
        while (band < ends.size() && cachedTokens / newTokens >= ends[band]) {
            ++band;
        }
        bands_[band].push_back(predictedUs / measuredUs - 1);
        all_.push_back(predictedUs / measuredUs - 1);
    }

    void add(const PrefixErrors& other) {
        for (std::size_t band = 0; band < bands_.size(); ++band) {
            bands_[band].insert(bands_[band].end(), other.bands_[band].begin(), other.bands_[band].end());
        }
        all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    }

    [[nodiscard]] std::size_t cells() const { return all_.size(); }

    [[nodiscard]] double quantile(double q) const { return absolute(all_, q); }

    /// Returns the median error of the band that holds this ratio c0 / q.
    [[nodiscard]] double medianAt(std::size_t band) const { return absolute(bands_[band], 0.5); }

    /// "c0/q < 1: 2.1 / 7.2 % (37) ..." with median and 90 % of the errors, and the cells.
    [[nodiscard]] std::string table(const std::string& name) const {
        std::string text = fmt::format("{:<28}", name);
        for (std::size_t band = 0; band < bands_.size(); ++band) {
            const std::string head =
                band < ends.size() ? fmt::format("<{}", ends[band]) : fmt::format(">={}", ends.back());
            if (!bands_[band].empty()) {
                text += fmt::format(" | {} {:.1f}/{:.1f} ({})", head, 100 * absolute(bands_[band], 0.5),
                                    100 * absolute(bands_[band], 0.9), bands_[band].size());
            }
        }
        return text + fmt::format(" | all {:.1f}/{:.1f} %, signed {:+.1f} ({})", 100 * quantile(0.5),
                                  100 * quantile(0.9), 100 * medianOf(all_), all_.size());
    }

private:
    static constexpr std::array<double, 5> ends{1, 4, 16, 64, 256};

    static double absolute(std::vector<double> errors, double q) {
        for (double& error : errors) {
            error = std::abs(error);
        }
        return quantileOf(errors, q);
    }

    std::array<std::vector<double>, 6> bands_;
    std::vector<double> all_;
};

} // namespace loadline::test
