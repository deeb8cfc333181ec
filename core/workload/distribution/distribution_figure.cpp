// Turns to histograms, statistics, sentence and table.
#include "core/workload/distribution/distribution_figure.h"

#include "core/text/table_columns.h"

#include <algorithm>
#include <concepts>
#include <functional>
#include <numeric>

namespace loadline {
namespace {

bool isInexact(OutputQuality quality) {
    return quality != OutputQuality::Final && quality != OutputQuality::None;
}

TailShares tailOf(const std::vector<HistogramValue>& values) {
    std::vector<Tokens> sorted;
    sorted.reserve(values.size());
    for (const HistogramValue& v : values) {
        if (v.value > 0) {
            sorted.push_back(v.value);
        }
    }
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const auto all = static_cast<double>(std::accumulate(sorted.begin(), sorted.end(), Tokens{0}));
    const auto share = [&](std::size_t partOf) {
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() + partOf - 1) / partOf);
        return static_cast<double>(std::accumulate(sorted.begin(), end, Tokens{0})) / all;
    };
    return sorted.empty() ? TailShares{} : TailShares{share(100), share(10)};
}

struct ReferenceColumn {
    const BucketFrequencies* frequencies = nullptr; ///< null: not drawn

    [[nodiscard]] Cell at(Tokens label) const {
        const auto found = frequencies->frequency.find(label);
        return found == frequencies->frequency.end() ? 0.0 : found->second;
    }
};

void addRows(Table& table, const std::string& quantity, const Histogram& histogram,
             ReferenceColumn reference) {
    const auto whole = [](std::integral auto n) { return Cell(static_cast<std::int64_t>(n)); };
    for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
        const Bin& bin = histogram.bins[i];
        std::vector<Cell> row = {quantity,
                                 whole(bin.low),
                                 whole(bin.high),
                                 whole(bin.count),
                                 barHeight(histogram, i, Measure::Share),
                                 barHeight(histogram, i, Measure::Cumulative),
                                 whole(bin.countInexact)};
        if (reference.frequencies != nullptr) {
            row.push_back(reference.at(bin.label));
        }
        table.rows.push_back(std::move(row));
    }
}

} // namespace

DistributionFigure distributionFigure(const Corpus& corpus, const Selection& selection, const Scope& scope,
                                      const DistributionOptions& options) {
    DistributionFigure figure;
    figure.options = options;
    const std::vector<Turn> turns = turnsInScope(corpus, selection, options.method);
    std::vector<HistogramValue> input;
    std::vector<HistogramValue> output;
    input.reserve(turns.size());
    output.reserve(turns.size());
    Tokens exactOutput = 0;
    std::uint64_t exactTurns = 0;
    std::vector<std::uint8_t> hasTurn(corpus.sessions.size());
    for (const Turn& turn : turns) {
        const bool inexact = isInexact(turn.quality);
        const bool hit = isBrushed(turn, scope);
        input.push_back({turn.input, false, hit}); // input and cache counts are exact in every version
        output.push_back({turn.output, inexact, hit});
        figure.aboutInputTurns += turn.inputAbout ? 1 : 0;
        figure.inexactOutputTurns += inexact ? 1 : 0;
        figure.placeholderTurns += turn.quality == OutputQuality::StartOnly ? 1 : 0;
        if (turn.quality == OutputQuality::Final) {
            exactOutput += turn.output;
            ++exactTurns;
        }
        figure.brushedTurns += hit ? 1 : 0;
        hasTurn[turn.session] = 1;
    }
    figure.turns = turns.size();
    figure.exactOutputMean =
        exactTurns == 0 ? 0 : static_cast<double>(exactOutput) / static_cast<double>(exactTurns);
    figure.inputTail = tailOf(input);
    figure.outputTail = tailOf(output);
    figure.sessions = static_cast<std::uint64_t>(std::count(hasTurn.begin(), hasTurn.end(), 1));
    figure.input = histogramOf(input, options.bins);
    figure.output = histogramOf(output, options.bins);
    figure.sentence = distributionSentence(figure);
    figure.methodChange = methodChangeOf(figure, corpus, selection);
    return figure;
}

double barHeight(const Histogram& histogram, std::size_t bin, Measure measure) {
    const auto count = static_cast<double>(histogram.bins[bin].count);
    const auto all = static_cast<double>(histogram.summary.n);
    switch (measure) {
    case Measure::Count:
        return count;
    case Measure::Share:
        return count / all;
    case Measure::Cumulative:
        break;
    }
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i <= bin; ++i) {
        sum += histogram.bins[i].count;
    }
    return static_cast<double>(sum) / all;
}

Table tableOf(const DistributionFigure& figure) {
    Table table = tableWith("quantity bin_low_tokens bin_high_tokens count share cumulative_share "
                            "count_inexact");
    const bool reference = figure.options.reference && figure.options.bins == BinKind::PowerOfTwo;
    if (reference) {
        table.columns.emplace_back("reference_share");
    }
    addRows(table, "input", figure.input, {reference ? &publishedReference().input : nullptr});
    addRows(table, "output", figure.output, {reference ? &publishedReference().output : nullptr});
    return table;
}

} // namespace loadline
