// How large a fall chance makes, of observations that follow each other.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace loadline {

/// An observation's part in an estimate that is a weighted sum of observations.
struct Residual {
    std::size_t at = 0;   ///< place in the order of time
    double weight = 0;    ///< in the sum
    double distance = 0;  ///< from what the estimate explains, made larger by what its fit takes
    bool isAlone = false; ///< no other observation is under its condition: its distance is not known
};

/// Residuals of the fast side and of the slow one.
using BothSides = std::array<std::vector<Residual>, 2>;

struct StandardError {
    double error = 0;
    double freedom = 0; ///< independent observations that tell it
    /// Standard deviation of an observation: `n` independent ones err by it over the root of `n`.
    double deviation = 0;

    /// True if it is told at all.
    [[nodiscard]] bool isKnown() const { return freedom >= 1; }
};

/// Returns the standard error of an estimate. Observations that follow each other err alike (they are of the
/// same requests): the variance is multiplied by their integrated autocorrelation time, summed up to where
/// pairs of neighbouring lags cease to be positive (Geyer 1992), and the freedom divided. Both sides have a
/// scatter of their own, at least that of all, and the freedom of the one that tells least weighs most
/// (Welch 1947); `freedom` at most.
StandardError standardErrorOf(BothSides sides, double freedom);

/// Returns the value that Student's t exceeds with a probability; freedom need not be whole.
/// Precondition: 0 < probability < 0.5, freedom >= 1.
double studentQuantile(double probability, double freedom);

/// Share of healthy logs in which chance looks like a fall of one quantity: rates, or shares of the ceiling.
inline constexpr double falseAlarms = 1e-3;

/// Returns how many standard errors a fall exceeds that is none of chance: the largest of so many
/// comparisons does by chance in one log of a thousand (Bonferroni).
double surelyOver(double comparisons, double freedom);

/// Returns how many independent observations are of one of two kinds by chance in no more logs, in any of so
/// many comparisons: half as many times with each of them.
double enoughKinds(double comparisons);

} // namespace loadline
