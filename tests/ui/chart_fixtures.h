// Small made-up figures for the chart tests.
#pragma once

#include "core/cache/composition/composition.h"
#include "core/workload/distribution/distribution_figure.h"

#include <QRegularExpression>

#include <memory>

namespace loadline::ui::fixtures {

/// Everything but the offscreen platform's own remark is a failure.
inline QRegularExpression unexpectedWarnings() {
    return QRegularExpression(QStringLiteral("^(?!This plugin does not support)"));
}

/// Inputs 1 1 2 4 5 100 100 100 1000, outputs 1 2 3 16 16 16 17 40 0, the last but one a lower bound.
/// `hit`: only the turns with an input of 100 are behind the brush.
inline std::shared_ptr<DistributionFigure> distribution(const DistributionOptions& options = {},
                                                        bool hit = false) {
    constexpr Tokens inputs[] = {1, 1, 2, 4, 5, 100, 100, 100, 1000};
    constexpr Tokens outputs[] = {1, 2, 3, 16, 16, 16, 17, 40, 0};
    std::vector<HistogramValue> in;
    std::vector<HistogramValue> out;
    for (std::size_t i = 0; i < 9; ++i) {
        const bool isHit = !hit || inputs[i] == 100;
        in.push_back({inputs[i], i == 7, isHit}); // core marks the turn; its input is exact all the same
        out.push_back({outputs[i], i == 7, isHit});
    }
    auto figure = std::make_shared<DistributionFigure>();
    figure->options = options;
    figure->turns = 9;
    figure->sessions = 2;
    figure->input = histogramOf(in, options.bins);
    figure->output = histogramOf(out, options.bins);
    figure->inexactOutputTurns = 1;
    figure->sentence = "Half of 9 turns add at most 5 tokens.";
    return figure;
}

inline CompositionRow row(const std::string& key, const std::string& label, Tokens read, Tokens write,
                          Tokens input, Tokens output, Tokens finalOutput) {
    CompositionRow made;
    made.key = key;
    made.label = label;
    made.totals.calls = 4;
    made.totals.usage.cacheRead = read;
    made.totals.usage.cacheWrite = write;
    made.totals.usage.input = input;
    made.totals.usage.output = output;
    made.totals.outputOfFinalCalls = finalOutput;
    made.totals.callsFinalOutput = finalOutput == output ? 4 : 3;
    const auto all = static_cast<double>(read + write + input + output);
    made.tokenWeighted = {static_cast<double>(read) / all, static_cast<double>(write + input) / all,
                          static_cast<double>(output) / all};
    made.meanPerRequest = {0.5, 0.4, 0.1};
    made.hitRate = made.totals.hitRate();
    made.hitRatePerRequest = 0.55;
    made.readWriteRatio = static_cast<double>(read) / static_cast<double>(write);
    return made;
}

/// `rows` projects of falling size.
inline std::shared_ptr<Composition> composition(int rows = 3) {
    auto made = std::make_shared<Composition>();
    made->group = CompositionGroup::Project;
    for (int i = 0; i < rows; ++i) {
        const Tokens size = 1000 * (rows - i);
        made->rows.push_back(row("key" + std::to_string(i), "project " + std::to_string(i), 6 * size,
                                 2 * size, size, size, size / 2));
        made->all.totals += made->rows.back().totals;
    }
    made->all.tokenWeighted = {0.6, 0.3, 0.1};
    made->all.meanPerRequest = {0.5, 0.4, 0.1};
    made->all.hitRate = made->all.totals.hitRate();
    made->all.hitRatePerRequest = 0.55;
    made->all.readWriteRatio = 3;
    made->sentence = "66.7 % of the prompt tokens were read from the cache.";
    return made;
}

/// Three days, the second one missing, and a row without a date.
inline std::shared_ptr<Composition> days() {
    auto made = composition(0);
    made->group = CompositionGroup::Day;
    made->rows = {row("2026-01-20", "2026-01-20", 600, 200, 100, 100, 100),
                  row("2026-01-22", "2026-01-22", 1200, 400, 200, 200, 200),
                  row("", "(no time)", 6, 2, 1, 1, 1)};
    for (const CompositionRow& day : made->rows) {
        made->all.totals += day.totals;
    }
    made->all.hitRate = made->all.totals.hitRate();
    return made;
}

} // namespace loadline::ui::fixtures
