// Autocorrelation, standard error, Student's t.
#include "core/serverlog/verdict/fall_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace loadline {
namespace {

/// Sum of products of residuals that are `lag` apart, of each side by itself.
double productsApart(const BothSides& sides, std::size_t lag) {
    double sum = 0;
    for (const std::vector<Residual>& side : sides) {
        for (std::size_t i = 0; i + lag < side.size(); ++i) {
            sum += side[i].distance * side[i + lag].distance;
        }
    }
    return sum;
}

/// Observations that tell as much together as an independent one alone.
double autocorrelationTime(const BothSides& sides) {
    constexpr double rounding = 1e-9; // of logarithms: equal rates differ by less
    const double squares = productsApart(sides, 0);
    const std::size_t most = std::max(sides[0].size(), sides[1].size());
    double time = -1;
    for (std::size_t lag = 0; lag < most && squares > rounding * rounding; lag += 2) {
        const double pair = (productsApart(sides, lag) + productsApart(sides, lag + 1)) / squares;
        if (pair <= 0) {
            break;
        }
        time += 2 * pair;
    }
    return std::max(time, 1.0);
}

/// The value that a normal distribution exceeds with a probability, by Newton's method.
double normalQuantile(double probability) {
    constexpr int enough = 20;
    double z = std::sqrt(-2 * std::log(probability)); // lies above it
    for (int i = 0; i < enough; ++i) {
        const double tail = std::erfc(z / std::numbers::sqrt2) / 2;
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        z += (tail - probability) / density;
    }
    return z;
}

} // namespace

StandardError standardErrorOf(BothSides sides, double freedom) {
    double squares = 0;
    double told = 0;
    for (std::vector<Residual>& side : sides) {
        std::ranges::sort(side, {}, &Residual::at);
        for (Residual& residual : side) {
            residual.distance = residual.isAlone ? 0 : residual.distance;
            squares += residual.distance * residual.distance;
            told += residual.isAlone ? 0 : 1;
        }
    }
    const double typical = told > 0 ? squares / told : 0;
    double variance = 0;
    double ofFreedoms = 0;
    for (const std::vector<Residual>& side : sides) {
        double own = 0;
        double asAll = 0;
        for (const Residual& one : side) {
            own += one.weight * one.weight * (one.isAlone ? typical : one.distance * one.distance);
            asAll += one.weight * one.weight * typical;
        }
        own = std::max(own, asAll);
        variance += own;
        ofFreedoms += own * own / std::max(static_cast<double>(side.size()) - 1, 1.0);
    }
    const double welch = ofFreedoms > 0 ? variance * variance / ofFreedoms : freedom;
    const double time = autocorrelationTime(sides);
    return {std::sqrt(variance * time), std::min(freedom, welch) / time, std::sqrt(typical * time)};
}

double studentQuantile(double probability, double freedom) {
    const double z = normalQuantile(probability);
    const double wide = (8 * freedom + 3) / (8 * freedom + 1);
    return std::sqrt(freedom * std::expm1(z * z * wide * wide / freedom));
}

double surelyOver(double comparisons, double freedom) {
    return studentQuantile(falseAlarms / std::max(comparisons, 1.0), std::max(freedom, 1.0));
}

double enoughKinds(double comparisons) {
    return std::log2(std::max(comparisons, 1.0) / falseAlarms);
}

} // namespace loadline
