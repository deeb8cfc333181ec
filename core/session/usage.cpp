#include "core/session/usage.h"

#include "core/text/enum_words.h"

#include <algorithm>

namespace loadline {

std::string_view keyOf(OutputQuality quality) {
    return wordOf(quality, {"", "final", "lower_bound", "start_only", "mixed"});
}

Usage maxOf(const Usage& a, const Usage& b) {
    return {.input = std::max(a.input, b.input),
            .cacheWrite = std::max(a.cacheWrite, b.cacheWrite),
            .cacheWrite5m = std::max(a.cacheWrite5m, b.cacheWrite5m),
            .cacheWrite1h = std::max(a.cacheWrite1h, b.cacheWrite1h),
            .cacheRead = std::max(a.cacheRead, b.cacheRead),
            .output = std::max(a.output, b.output)};
}

void UsageTotals::add(const Usage& callUsage, OutputQuality quality, Tokens callContentEstimate,
                      double callCostUsd) {
    ++calls;
    usage.input += callUsage.input;
    usage.cacheWrite += callUsage.cacheWrite;
    usage.cacheWrite5m += callUsage.cacheWrite5m;
    usage.cacheWrite1h += callUsage.cacheWrite1h;
    usage.cacheRead += callUsage.cacheRead;
    usage.output += callUsage.output;
    contentEstimate += callContentEstimate;
    if (callCostUsd == unpriced) {
        ++callsUnpriced;
    } else {
        costUsd += callCostUsd;
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
    usage.input += other.usage.input;
    usage.cacheWrite += other.usage.cacheWrite;
    usage.cacheWrite5m += other.usage.cacheWrite5m;
    usage.cacheWrite1h += other.usage.cacheWrite1h;
    usage.cacheRead += other.usage.cacheRead;
    usage.output += other.usage.output;
    callsFinalOutput += other.callsFinalOutput;
    outputOfFinalCalls += other.outputOfFinalCalls;
    callsStartOnly += other.callsStartOnly;
    contentEstimate += other.contentEstimate;
    costUsd += other.costUsd;
    callsUnpriced += other.callsUnpriced;
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

double UsageTotals::hitRate() const {
    const Tokens context = usage.context();
    return context == 0 ? 0.0 : static_cast<double>(usage.cacheRead) / static_cast<double>(context);
}

} // namespace loadline
