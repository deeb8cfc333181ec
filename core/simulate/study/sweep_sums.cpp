// Adds up runs, and compares those of two formats.
#include "core/simulate/study/sweep_sums.h"

#include "core/simulate/run/settle_judge.h"

#include <algorithm>
#include <iterator>

namespace loadline {
namespace {

Banded bandOfMean(const std::vector<double>& sample) {
    double sum = 0;
    for (const double value : sample) {
        sum += value;
    }
    return sample.empty() ? Banded{} : bandedOf(sum / static_cast<double>(sample.size()), sample);
}

std::vector<double> quotients(const std::vector<double>& above, const std::vector<double>& below) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(above.size(), below.size()); ++i) {
        ratios.push_back(below[i] > 0 ? above[i] / below[i] : 0);
    }
    return ratios;
}

Banded scaled(const Banded& band, double factor) {
    return {band.value * factor, band.low * factor, band.high * factor};
}

std::vector<RowsCount> withoutEmpty(std::span<const RowsCount> counts) {
    std::vector<RowsCount> some;
    std::ranges::copy_if(counts, std::back_inserter(some),
                         [](const RowsCount& one) { return one.steps > 0 || one.headSteps > 0; });
    return some;
}

} // namespace

void SweepSums::addRows(double moreRows, double moreSteps, double moreDecodeOnly) {
    rows += moreRows;
    steps += moreSteps;
    decodeOnly += moreDecodeOnly;
    averageM.push_back(moreSteps > 0 ? moreRows / moreSteps : 0);
    decodeOnlyShare.push_back(moreSteps > 0 ? moreDecodeOnly / moreSteps : 0);
}

void SweepSums::addCounts(std::span<const RowsCount> more) {
    for (const RowsCount& one : keepsRows ? more : std::span<const RowsCount>()) {
        const auto place = static_cast<std::size_t>(one.rows);
        counts.resize(std::max(counts.size(), place + 1));
        counts[place].rows = one.rows;
        counts[place].steps += one.steps;
        counts[place].decodeOnly += one.decodeOnly;
        counts[place].headSteps += one.headSteps;
    }
}

ReplicaRows SweepSums::alone() const {
    constexpr double usPerS = 1e6;
    return {.counts = withoutEmpty(counts), .restUs = simulatedS * usPerS - gemm.us, .restFp16Us = 0};
}

ReplicaRows SweepSums::sameBatches() const {
    return {withoutEmpty(counts), wholeUs - gemm.us, wholeFp16Us - gemm.fp16Us};
}

ReplicaRows SweepSums::beside(const SweepSums& other) const {
    constexpr double usPerS = 1e6;
    return {.counts = withoutEmpty(counts),
            .restUs = simulatedS * usPerS - gemm.us,
            .restFp16Us = other.simulatedS * usPerS - other.gemm.us,
            .otherCounts = withoutEmpty(other.counts),
            .otherScale = other.tokensOut > 0 ? tokensOut / other.tokensOut : 1};
}

void SweepSums::add(const RowsRun& run, const GemmRates& rates) {
    addCounts(run.counts);
    const GemmTime time = rates.timeOf(run.counts);
    gemm += time;
    wholeUs += time.us;
    wholeFp16Us += time.fp16Us;
    ratios.push_back(time.ratio());
    double rowsOfRun = 0;
    for (const RowsCount& count : run.counts) {
        rowsOfRun += static_cast<double>(count.rows) * static_cast<double>(count.steps);
    }
    addRows(rowsOfRun, static_cast<double>(run.iterations), static_cast<double>(run.decodeOnly));
}

void SweepSums::add(const SimulationResult& result) {
    if (keepsRows) {
        addCounts(countsOf(result.rows));
    }
    gemm += result.gemm;
    wholeUs += result.wholeUs;
    wholeFp16Us += result.wholeFp16Us;
    ratios.push_back(result.timeVsFp16());
    const auto stepsOfRun = static_cast<double>(result.rows.iterations());
    addRows(result.averageM() * stepsOfRun, stepsOfRun,
            static_cast<double>(result.rows.decodeOnlyIterations()));
    simulatedS += result.simulatedS;
    growingQueues += result.growingQueues;
    peakKvBlocks = std::max(peakKvBlocks, result.peakKvBlocks);
    tokensOut += static_cast<double>(result.tokensOut);
    turns += static_cast<double>(result.served.value_or(result.turns));
    throughput.push_back(result.throughputTokensPerS());
    turnsPerS.push_back(result.turnsPerS());
    ttftP50.push_back(result.ttftS.p50);
    ttftP90.push_back(result.ttftS.p90);
    ttftP99.push_back(result.ttftS.p99);
    tpotP50.push_back(result.tpotS.p50);
    tpotP90.push_back(result.tpotS.p90);
    tpotP99.push_back(result.tpotS.p99);
    e2eMean.push_back(result.e2eS.mean);
}

ServedFigures SweepSums::figures() const {
    const auto perS = [this](double count) { return simulatedS > 0 ? count / simulatedS : 0; };
    const bool byTokens = known.meanAnswerTokens > 0;
    return {.turnsPerS = byTokens ? scaled(bandedOf(perS(tokensOut), throughput), 1 / known.meanAnswerTokens)
                                  : bandedOf(perS(turns), turnsPerS),
            .throughputTokensPerS = bandedOf(perS(tokensOut), throughput),
            .ttftP50S = bandOfMean(ttftP50),
            .ttftP90S = bandOfMean(ttftP90),
            .ttftP99S = bandOfMean(ttftP99),
            .tpotP50S = bandOfMean(tpotP50),
            .tpotP90S = bandOfMean(tpotP90),
            .tpotP99S = bandOfMean(tpotP99),
            .e2eMeanS = bandOfMean(e2eMean),
            .queueGrows = 2 * growingQueues > ratios.size()};
}

void SweepSums::put(SweepPoint& point) const {
    static_cast<ServedFigures&>(point) = figures();
    point.standardError = relativeStandardError(ratios);
    point.timeVsFp16 = bandedOf(wholeFp16Us > 0 ? wholeUs / wholeFp16Us : 0, ratios);
    point.replicaRatios = ratios;
    if (point.users > 0 && !ratios.empty()) {
        point.answersOfUser = turns / static_cast<double>(ratios.size()) / static_cast<double>(point.users);
    }
    point.averageM = bandedOf(steps > 0 ? rows / steps : 0, averageM);
    point.decodeOnlyFraction = bandedOf(steps > 0 ? decodeOnly / steps : 0, decodeOnlyShare);
    point.modelled = modelledSharesOf(gemm);
    for (std::size_t i = 0; i < kernelCount; ++i) {
        point.kernelShare[i] = gemm.us > 0 ? gemm.kernelUs[i] / gemm.us : 0;
    }
}

std::optional<PointAgainst> SweepSums::against(const SweepSums& other, bool atRate) const {
    PointAgainst against{.figures = other.figures(), .turnsPerS = {}, .pace = {}, .replicaPaces = {}};
    const ServedFigures own = figures();
    const bool byTurns =
        !(known.meanAnswerTokens > 0) && own.turnsPerS.value > 0 && against.figures.turnsPerS.value > 0;
    const auto rate = byTurns ? &ServedFigures::turnsPerS : &ServedFigures::throughputTokensPerS;
    const auto runs = byTurns ? &SweepSums::turnsPerS : &SweepSums::throughput;
    const double ofOwn = (own.*rate).value;
    const double ofOther = (against.figures.*rate).value;
    if (!(ofOwn > 0) || !(ofOther > 0)) {
        return std::nullopt;
    }
    against.turnsPerS = pairedRatioOf(ofOwn / ofOther, this->*runs, other.*runs);
    const bool byLatency = atRate && against.figures.e2eMeanS.value > 0;
    against.replicaPaces =
        byLatency ? quotients(e2eMean, other.e2eMean) : quotients(other.*runs, this->*runs);
    const double pace = byLatency ? own.e2eMeanS.value / against.figures.e2eMeanS.value : ofOther / ofOwn;
    against.pace = bandedOf(pace, against.replicaPaces);
    against.standardError = relativeStandardError(against.replicaPaces);
    return against;
}

void widenByKernelErrors(SweepPoint& point) {
    point.timeVsFp16OfRuns = point.timeVsFp16; // 5th to 95th percentile
    point.timeVsFp16 = withKernelError(point.timeVsFp16, point.kernelError.deviation, z90);
    if (!point.against) {
        return;
    }
    PointAgainst& against = *point.against;
    const double deviation = against.kernelError.deviation;
    against.paceOfRuns = against.pace;
    if (!(point.ratePerS > 0)) { // else a ratio of latencies
        against.pace = withKernelError(against.pace, deviation);
    }
    against.turnsPerS = withKernelError(against.turnsPerS, deviation);
}

void putKernelErrors(SweepPoint& point, const KernelDraws& draws, const Format& format, const SweepSums& own,
                     const Format& against, const SweepSums* other) {
    point.kernelError = draws.errorOf(format, own.sameBatches());
    if (point.against && other != nullptr) {
        const KernelError both = draws.errorOf(format, own.beside(*other));
        const KernelError none{.atGivenRate = true};
        const ServedFigures& figures = point.against->figures;
        point.against->kernelError =
            point.ratePerS > 0
                ? ratioErrorOf(point.queueGrows ? draws.clockErrorOf(format, own.alone()) : none,
                               figures.queueGrows ? draws.clockErrorOf(against, other->alone()) : none, both)
                      .value_or(none)
                : both;
    }
    widenByKernelErrors(point);
}

void setSettled(ServedFigures& figures, std::span<const SimulationResult> runs, const KnownTurns& known) {
    if (runs.empty() ||
        !std::ranges::all_of(runs, [](const auto& run) { return run.latencies != nullptr; })) {
        return;
    }
    using Sample = std::vector<double> LatencySample::*;
    const auto bandsOf = [&](Sample sample) {
        LatencyIntervals latency = intervalsOf(runs, sample);
        double most = 0; // in place of an end that is not bounded
        for (const SimulationResult& run : runs) {
            const std::vector<double>& values = (*run.latencies).*sample;
            most = std::max(most, values.empty() ? 0 : values.back());
        }
        for (Banded* band : {&latency.mean, &latency.p50, &latency.p90, &latency.p99}) {
            band->high = std::min(band->high, most);
        }
        return latency;
    };
    const LatencyIntervals ttft = bandsOf(&LatencySample::ttftS);
    const LatencyIntervals tpot = bandsOf(&LatencySample::tpotS);
    figures.ttftP50S = ttft.p50;
    figures.ttftP90S = ttft.p90;
    figures.ttftP99S = ttft.p99;
    figures.tpotP50S = tpot.p50;
    figures.tpotP90S = tpot.p90;
    figures.tpotP99S = tpot.p99;
    figures.e2eMeanS = bandsOf(&LatencySample::e2eS).mean;
    if (!(known.meanAnswerTokens > 0) || !(figures.throughputTokensPerS.value > 0)) {
        return;
    }
    std::vector<double> throughput;
    for (const SimulationResult& run : runs) {
        throughput.push_back(run.throughputTokensPerS());
    }
    const std::vector<double> ones(throughput.size(), 1);
    const PairedRatio rate = pairedRatioOf(figures.throughputTokensPerS.value, throughput, ones);
    if (rate.low && rate.high && runs.size() >= enoughForInterval) {
        figures.throughputTokensPerS = {rate.value, *rate.low, *rate.high};
    }
    figures.turnsPerS = scaled(figures.throughputTokensPerS, 1 / known.meanAnswerTokens);
    if (known.users > 0) {
        const auto timeS = [&](double turnsPerS) {
            return std::max(known.users / turnsPerS - known.thinkS, 0.0);
        };
        figures.e2eMeanS = {timeS(figures.turnsPerS.value), timeS(figures.turnsPerS.high),
                            timeS(figures.turnsPerS.low)};
    }
}

SweepPoint withRuns(const SweepPoint& place, const SimulationReplicas& runs,
                    const SimulationReplicas* other) {
    const auto sumsOf = [](const SimulationReplicas& replicas) {
        SweepSums sums;
        for (const SimulationResult& run : replicas.replicas) {
            sums.add(run);
        }
        return sums;
    };
    const SweepSums own = sumsOf(runs);
    SweepPoint point;
    point.users = place.users;
    point.chunkTokens = place.chunkTokens;
    point.ratePerS = place.ratePerS;
    point.weights = place.weights;
    point.outgrownKvBytes = place.outgrownKvBytes;
    point.againstOutgrownKvBytes = place.againstOutgrownKvBytes;
    own.put(point);
    if (runs.run) {
        setSettled(point, runs.replicas);
        point.throughputTokensPerS = runs.run->throughputTokensPerS;
        point.settled = runs.run->settled && (other == nullptr || !other->run || other->run->settled);
    }
    if (other != nullptr) {
        point.against = own.against(sumsOf(*other), place.ratePerS > 0);
        if (point.against && other->run) {
            setSettled(point.against->figures, other->replicas);
            point.against->figures.throughputTokensPerS = other->run->throughputTokensPerS;
        }
    }
    if (place.timeVsFp16OfRuns) { // the same setting, so the same kernels
        point.kernelError = place.kernelError;
        if (point.against && place.against) {
            point.against->kernelError = place.against->kernelError;
        }
        widenByKernelErrors(point);
    }
    return point;
}

} // namespace loadline
