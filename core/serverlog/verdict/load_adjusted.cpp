// Least squares with a level for each batch.
#include "core/serverlog/verdict/load_adjusted.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace loadline {
namespace {

enum LoadColumn : std::size_t {
    AfterColumn,
    StreamsColumn,
    PromptsColumn,
    ContextColumn,
    TimeColumn,
    loadColumns
};

/// An observation: the logarithm of its rate, and what explains it.
struct LoadRow {
    std::size_t at = 0;
    bool isSlow = false;
    double value = 0;
    std::array<double, loadColumns> x{};
};

/// Observations at like batches.
struct BatchLevel {
    std::vector<LoadRow> rows;
    std::array<bool, 2> sides{};
};

double toldPrompts(const ObservedRate& rate) {
    return isTold(rate.promptTokensPerS) ? rate.promptTokensPerS : 0;
}

/// Means over all observations of a time.
struct MeanLoad {
    double streams = 0, context = 0, place = 0;

    MeanLoad(const Course& course, const Stretch& stretch) {
        const auto count = static_cast<double>(stretch.size());
        for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
            streams += course.rates[i]->streams / count;
            context += likenessOf(*course.rates[i]) / count;
            place += static_cast<double>(i) / count;
        }
    }
};

/// Rows of the batches that both times have, each less the means of its batch; returns these batches' number.
double takeRows(std::map<int, BatchLevel>& levels, std::vector<LoadRow>& rows) {
    double both = 0;
    for (auto& [batch, level] : levels) {
        if (!level.sides[0] || !level.sides[1]) {
            continue;
        }
        both += 1;
        LoadRow mean;
        const auto count = static_cast<double>(level.rows.size());
        for (const LoadRow& row : level.rows) {
            mean.value += row.value / count;
            for (std::size_t k = 0; k < loadColumns; ++k) {
                mean.x.at(k) += row.x.at(k) / count;
            }
        }
        for (LoadRow& row : level.rows) {
            row.value -= mean.value;
            for (std::size_t k = 0; k < loadColumns; ++k) {
                row.x.at(k) -= mean.x.at(k);
            }
            rows.push_back(row);
        }
    }
    return both;
}

/// Scales each column to a length of 1 and returns the lengths; those that do not vary become 0.
std::array<double, loadColumns> normalise(std::vector<LoadRow>& rows) {
    constexpr double nothing = 1e-6; // of logarithms, tokens and places: what rounding leaves
    std::array<double, loadColumns> lengths{};
    for (std::size_t k = 0; k < loadColumns; ++k) {
        for (const LoadRow& row : rows) {
            lengths.at(k) += row.x.at(k) * row.x.at(k);
        }
        lengths.at(k) = std::sqrt(lengths.at(k));
        lengths.at(k) = lengths.at(k) > nothing ? lengths.at(k) : 0;
        for (LoadRow& row : rows) {
            row.x.at(k) = lengths.at(k) > 0 ? row.x.at(k) / lengths.at(k) : 0;
        }
    }
    return lengths;
}

using Matrix = std::vector<std::vector<double>>;

/// The inverse of a symmetric positive matrix (Gauss-Jordan, without exchange of rows); empty if columns of
/// length 1 explain each other.
Matrix inverseOf(Matrix a) {
    constexpr double singular = 1e-9;
    const std::size_t n = a.size();
    for (std::size_t r = 0; r < n; ++r) {
        a[r].resize(2 * n, 0);
        a[r][n + r] = 1;
    }
    for (std::size_t c = 0; c < n; ++c) {
        if (!(a[c][c] > singular)) {
            return {};
        }
        const double pivot = a[c][c];
        for (double& value : a[c]) {
            value /= pivot;
        }
        for (std::size_t r = 0; r < n; ++r) {
            const double factor = r == c ? 0 : a[r][c];
            for (std::size_t k = 0; k < 2 * n; ++k) {
                a[r][k] -= factor * a[c][k];
            }
        }
    }
    for (std::vector<double>& row : a) {
        row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
    }
    return a;
}

/// Coefficients of columns, and the inverse that their errors are of; empty where they have no solution.
struct LoadFit {
    std::vector<std::size_t> columns;
    Matrix inverse;
    std::vector<double> coefficients;
};

LoadFit fitOf(const std::vector<LoadRow>& rows, std::vector<std::size_t> columns) {
    const std::size_t n = columns.size();
    Matrix normal(n, std::vector<double>(n, 0));
    std::vector<double> right(n, 0);
    for (const LoadRow& row : rows) {
        for (std::size_t a = 0; a < n; ++a) {
            right[a] += row.x.at(columns[a]) * row.value;
            for (std::size_t b = 0; b < n; ++b) {
                normal[a][b] += row.x.at(columns[a]) * row.x.at(columns[b]);
            }
        }
    }
    LoadFit fit{std::move(columns), inverseOf(std::move(normal)), std::vector<double>(n, 0)};
    for (std::size_t a = 0; a < fit.inverse.size(); ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            fit.coefficients[a] += fit.inverse[a][b] * right[b];
        }
    }
    return fit;
}

/// The fit without the columns that seem to make steps faster, which none of them does.
LoadFit plausibleFit(const std::vector<LoadRow>& rows, const std::array<double, loadColumns>& lengths) {
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < loadColumns; ++k) {
        if (lengths.at(k) > 0) {
            columns.push_back(k);
        }
    }
    for (;;) {
        LoadFit fit = fitOf(rows, columns);
        if (fit.inverse.empty()) {
            return fit;
        }
        const auto most = std::max_element(fit.coefficients.begin() + 1, fit.coefficients.end());
        if (most == fit.coefficients.end() || *most <= 0) {
            return fit;
        }
        columns.erase(columns.begin() + (most - fit.coefficients.begin()));
    }
}

std::map<int, BatchLevel> levelsOf(const Course& course, const std::array<Stretch, 2>& sides,
                                   bool withContext, bool exact) {
    std::map<int, BatchLevel> levels;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const double middle = MeanLoad(course, sides.at(side)).place;
        for (std::size_t i = sides.at(side).first; i <= sides.at(side).last; ++i) {
            const ObservedRate& rate = *course.rates[i];
            if (exact && !rate.streamsTold) {
                continue;
            }
            BatchLevel& level = levels[likeBatchOf(rate.streams)];
            level.sides.at(side) = true;
            level.rows.push_back({i, side == 1, std::log(course.values[i]), {}});
            level.rows.back().x = {static_cast<double>(side), std::log(rate.streams), toldPrompts(rate),
                                   withContext ? std::log(likenessOf(rate)) : 0,
                                   static_cast<double>(i) - middle};
        }
    }
    return levels;
}

} // namespace

std::optional<AdjustedFall> adjustedFall(const Course& course, const Stretch& fast, const Stretch& slow,
                                         bool exact) {
    constexpr double rounding = 1e-9; // of means
    const MeanLoad before(course, fast);
    const MeanLoad after(course, slow);
    const bool withContext =
        std::ranges::all_of(course.rates, [](const ObservedRate* rate) { return likenessOf(*rate) > 0; });
    std::vector<LoadRow> rows;
    std::map<int, BatchLevel> levels = levelsOf(course, {fast, slow}, withContext, exact);
    const double batches = takeRows(levels, rows);
    const std::array<double, loadColumns> lengths = normalise(rows);
    if (!(lengths[AfterColumn] > 0)) {
        return std::nullopt;
    }
    const LoadFit fit = plausibleFit(rows, lengths);
    const auto count = static_cast<double>(rows.size());
    const double freedom = count - batches - static_cast<double>(fit.columns.size());
    if (fit.inverse.empty() || freedom < 1) {
        return std::nullopt;
    }
    BothSides sides;
    for (const LoadRow& row : rows) {
        double left = row.value;
        double weight = 0;
        for (std::size_t a = 0; a < fit.columns.size(); ++a) {
            left -= fit.coefficients[a] * row.x.at(fit.columns[a]);
            weight += fit.inverse[0][a] * row.x.at(fit.columns[a]);
        }
        sides.at(row.isSlow ? 1 : 0)
            .push_back({row.at, weight / lengths[AfterColumn], left * std::sqrt(count / freedom)});
    }
    AdjustedFall fall;
    fall.error = standardErrorOf(std::move(sides), freedom);
    const double growth = withContext ? std::max(std::log(after.context / before.context), 0.0) : 0;
    fall.logarithm = -fit.coefficients[0] / lengths[AfterColumn] - growth;
    fall.isBound = after.streams >= before.streams * (1 - rounding);
    fall.withoutPrompts = std::ranges::find(fit.columns, PromptsColumn) != fit.columns.end();
    return fall;
}

} // namespace loadline
