// Medians and quantiles of errors.
#include "core/validate/error_table.h"

#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

/// Errors while they are collected.
class ErrorSample {
public:
    void add(const MeasuredRow& row, const ServerPrediction& prediction) {
        if (!row.measured.ttftMs && !row.measured.tpotMs) {
            return;
        }
        const bool isModelled = prediction.notModelled.empty();
        ++n_;
        notModelled_ += isModelled ? 0 : 1;
        addError(ttft_, row.measured.ttftMs, prediction.ttftMs, isModelled);
        addError(tpot_, row.measured.tpotMs, prediction.tpotMs, isModelled);
    }

    [[nodiscard]] ServerErrors errors() const {
        return {.n = n_, .notModelled = notModelled_, .ttft = figuresOf(ttft_), .tpot = figuresOf(tpot_)};
    }

private:
    static void addError(std::vector<double>& errors, const std::optional<double>& measured, double predicted,
                         bool isModelled) {
        if (measured && !(isModelled && predicted == 0)) { // answers of one token have no TPOT
            errors.push_back(isModelled ? predicted / *measured - 1 : 1);
        }
    }

    static std::optional<ErrorFigures> figuresOf(const std::vector<double>& errors) {
        if (errors.empty()) {
            return std::nullopt;
        }
        std::vector<double> sizes;
        for (const double error : errors) {
            sizes.push_back(std::abs(error));
        }
        std::ranges::sort(sizes); // so that the sum does not depend on the order of rows
        const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0);
        constexpr double high = 0.9;
        ErrorFigures figures;
        figures.n = errors.size();
        figures.median = medianOf(sizes);
        figures.mape = sum / static_cast<double>(errors.size());
        figures.bias = medianOf(errors);
        figures.p90 = quantileOf(sizes, high);
        return figures;
    }

    std::size_t n_ = 0;
    std::size_t notModelled_ = 0;
    std::vector<double> ttft_;
    std::vector<double> tpot_;
};

auto errorKeyOf(const ErrorGroup& group) {
    return std::tie(group.model, group.system, group.precision, group.tensorParallel, group.users, group.tier,
                    group.isKvBound);
}

ErrorGroup errorGroupOf(const MeasuredRow& row) {
    ErrorGroup group;
    group.model = row.settings.model;
    group.system = row.settings.system;
    group.precision = row.settings.precision;
    group.tensorParallel = row.settings.tensorParallel;
    group.users = usersClassOf(row.settings.users);
    group.tier = row.label.tier;
    group.isKvBound = row.label.isKvBound;
    return group;
}

struct ErrorGroupOrder {
    bool operator()(const ErrorGroup& one, const ErrorGroup& other) const {
        return errorKeyOf(one) < errorKeyOf(other);
    }
};

} // namespace

std::string_view usersClassOf(std::int64_t users) {
    constexpr std::int64_t few = 16;
    constexpr std::int64_t some = 128;
    return users <= few ? "1-16" : users <= some ? "17-128" : "129-";
}

bool isJudged(const MeasuredLabel& label) {
    return label.tier == "A" && !label.isKvBound;
}

ServerErrors serverErrorsOf(std::span<const MeasuredRow> rows, std::span<const ServerPrediction> predictions,
                            const std::function<bool(const MeasuredRow&)>& takes) {
    ErrorSample sample;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (takes(rows[i])) {
            sample.add(rows[i], predictions[i]);
        }
    }
    return sample.errors();
}

ErrorTable errorTableOf(std::span<const MeasuredRow> rows, std::span<const ServerPrediction> predictions) {
    std::map<ErrorGroup, std::size_t, ErrorGroupOrder> placeOf;
    std::vector<ErrorSample> samples;
    ErrorTable table;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].measured.ttftMs && !rows[i].measured.tpotMs) {
            continue;
        }
        ErrorGroup group = errorGroupOf(rows[i]);
        const auto [at, isNew] = placeOf.emplace(group, samples.size());
        if (isNew) {
            table.groups.push_back(std::move(group));
            samples.emplace_back();
        }
        samples[at->second].add(rows[i], predictions[i]);
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
        table.groups[i].errors = samples[i].errors();
    }
    table.judged =
        serverErrorsOf(rows, predictions, [](const MeasuredRow& row) { return isJudged(row.label); });
    return table;
}

std::vector<KeyedErrors> errorsBy(std::span<const MeasuredRow> rows,
                                  std::span<const ServerPrediction> predictions,
                                  const std::function<std::string(const MeasuredRow&)>& keyOfRow) {
    std::map<std::string, ErrorSample> samples;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool isMeasured = rows[i].measured.ttftMs || rows[i].measured.tpotMs;
        if (const std::string key = keyOfRow(rows[i]); isMeasured && !key.empty()) {
            samples[key].add(rows[i], predictions[i]);
        }
    }
    std::vector<KeyedErrors> keyed;
    keyed.reserve(samples.size());
    for (const auto& [key, sample] : samples) {
        keyed.push_back({.key = key, .errors = sample.errors()});
    }
    return keyed;
}

} // namespace loadline
