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

/// Returns how many observations tell as much together as an independent one alone. Lags count observations
/// of a side, not seconds: the variance of their mean is the sum of the products of all pairs, whatever time
/// lies between two of them, and lags of a fixed time would be empty where observations are left out.
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

/// Returns the regularised incomplete beta function by its continued fraction (DLMF 8.17.22, Lentz's method).
/// Precondition: x < (a + 1) / (a + b + 2), beyond which it converges slowly; y = 1 - x, which may be tiny.
double incompleteBeta(double a, double b, double x, double y) {
    constexpr double exact = 1e-13;
    double above = 1;
    double below = 0;
    double fraction = 1;
    double change = 0;
    for (double m = 0; std::abs(change - 1) > exact; ++m) {
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2));
        change = 1;
        for (const double part : {odd, even}) {
            above = 1 + part / above;
            below = 1 / (1 + part * below);
            change *= above * below;
        }
        fraction *= change;
    }
    const double logarithm =
        std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(y);
    return std::exp(logarithm) / (a * fraction);
}

/// Returns the probability that Student's t exceeds a value above 0.
double studentTail(double t, double freedom) {
    const double a = freedom / 2;
    const double b = 0.5;
    const double all = freedom + t * t;
    const double x = freedom / all;
    const double y = t * t / all;
    return x < (a + 1) / (a + b + 2) ? incompleteBeta(a, b, x, y) / 2 : (1 - incompleteBeta(b, a, y, x)) / 2;
}

} // namespace

StandardError standardErrorOf(BothSides sides, double freedom) {
    double squares = 0;
    double withOthers = 0;
    for (std::vector<Residual>& side : sides) {
        std::ranges::sort(side, {}, &Residual::at);
        for (Residual& residual : side) {
            residual.distance = residual.isAlone ? 0 : residual.distance;
            squares += residual.distance * residual.distance;
            withOthers += residual.isAlone ? 0 : 1;
        }
    }
    const double typical = withOthers > 0 ? squares / withOthers : 0;
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
    constexpr double exact = 1e-12;
    double low = 0;
    double high = 1 / std::tan(std::numbers::pi * probability); // the quantile of one degree of freedom
    while (high - low > exact * high) {
        const double t = (low + high) / 2;
        (studentTail(t, freedom) > probability ? low : high) = t;
    }
    return high;
}

double surelyOver(double comparisons, double freedom) {
    return studentQuantile(falseAlarms / std::max(comparisons, 1.0), std::max(freedom, 1.0));
}

double enoughKinds(double comparisons) {
    return std::log2(std::max(comparisons, 1.0) / falseAlarms);
}

} // namespace loadline
