#include "core/session/usage.h"

#include "core/text/enum_words.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// Adds field by field.
void addUsage(Usage& sum, const Usage& usage) {
    sum.input += usage.input;
    sum.cacheWrite += usage.cacheWrite;
    sum.cacheWrite5m += usage.cacheWrite5m;
    sum.cacheWrite1h += usage.cacheWrite1h;
    sum.cacheRead += usage.cacheRead;
    sum.output += usage.output;
    sum.webSearches += usage.webSearches;
    sum.earlierTries += usage.earlierTries;
    sum.fast = sum.fast || usage.fast;
}

/// Wider than a double, so that neither the sum nor the product is rounded before.
double roundedUsd(long double usd) {
    constexpr long double perUsd = 1e12L;
    return static_cast<double>(std::round(usd * perUsd) / perUsd);
}

} // namespace

double exactUsd(double usd) {
    return roundedUsd(usd);
}

std::string_view keyOf(OutputQuality quality) {
    return wordOf(quality, {"", "final", "lower_bound", "start_only", "mixed"});
}

Usage maxOf(const Usage& a, const Usage& b) {
    return {.input = std::max(a.input, b.input),
            .cacheWrite = std::max(a.cacheWrite, b.cacheWrite),
            .cacheWrite5m = std::max(a.cacheWrite5m, b.cacheWrite5m),
            .cacheWrite1h = std::max(a.cacheWrite1h, b.cacheWrite1h),
            .cacheRead = std::max(a.cacheRead, b.cacheRead),
            .output = std::max(a.output, b.output),
            .webSearches = std::max(a.webSearches, b.webSearches),
            .earlierTries = std::max(a.earlierTries, b.earlierTries),
            .fast = a.fast || b.fast,
            .cacheUntold = a.cacheUntold && b.cacheUntold};
}

void UsageTotals::add(const Usage& callUsage, OutputQuality quality, Tokens callContentEstimate,
                      const CallCost& callCost) {
    ++calls;
    addUsage(usage, callUsage);
    untoldContext += callUsage.cacheUntold ? callUsage.context() : 0;
    contentEstimate += callContentEstimate;
    callsFast += callUsage.fast ? 1 : 0;
    if (callCost.usd < 0) {
        ++callsUnpriced;
    } else {
        costUsd = roundedUsd(static_cast<long double>(costUsd) + callCost.usd);
        callsFastUnpriced += callCost.fastAsStandard ? 1 : 0;
        const bool more = callCost.fastAsStandard || callUsage.webSearches + callUsage.earlierTries > 0;
        callsPartlyUnpriced += more ? 1 : 0;
    }
    if (quality == OutputQuality::Final) {
        ++callsFinalOutput;
        outputOfFinalCalls += callUsage.output;
    } else if (quality == OutputQuality::StartOnly) {
        ++callsStartOnly;
    }
}

UsageTotals& UsageTotals::operator+=(const UsageTotals& other) {
    calls += other.calls;
    addUsage(usage, other.usage);
    untoldContext += other.untoldContext;
    callsFinalOutput += other.callsFinalOutput;
    outputOfFinalCalls += other.outputOfFinalCalls;
    callsStartOnly += other.callsStartOnly;
    contentEstimate += other.contentEstimate;
    costUsd = roundedUsd(static_cast<long double>(costUsd) + other.costUsd);
    callsUnpriced += other.callsUnpriced;
    callsFast += other.callsFast;
    callsFastUnpriced += other.callsFastUnpriced;
    callsPartlyUnpriced += other.callsPartlyUnpriced;
    return *this;
}

OutputQuality UsageTotals::outputQuality() const {
    if (calls == 0) {
        return OutputQuality::None;
    }
    if (callsFinalOutput == calls) {
        return OutputQuality::Final;
    }
    if (callsStartOnly == calls) {
        return OutputQuality::StartOnly;
    }
    return callsFinalOutput == 0 && callsStartOnly == 0 ? OutputQuality::LowerBound : OutputQuality::Mixed;
}

bool UsageTotals::costIsLeast() const {
    return callsUnpriced > 0 || callsPartlyUnpriced > 0 || callsFinalOutput < calls;
}

double UsageTotals::hitRate() const {
    const Tokens context = toldContext();
    return context == 0 ? 0.0 : static_cast<double>(usage.cacheRead) / static_cast<double>(context);
}

} // namespace loadline
