// The rates of decoding that a log tells, of one stream each.
#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/log_concurrency.h"
#include "core/text/parse_number.h"

#include <algorithm>
#include <map>

namespace loadline {
namespace {

constexpr double microsecond = 1e-6;

double orElse(double value, double other) {
    return isTold(value) ? value : other;
}

/// How many requests steps held on average, of those logged in a time.
class StepsInTime {
public:
    explicit StepsInTime(const ServerLog& log) {
        for (const LogStep& step : log.steps) {
            if (isTold(step.active) && isTold(step.timeS)) {
                steps_.emplace_back(step.timeS, step.active);
            }
        }
        std::ranges::sort(steps_);
        sums_.push_back(0);
        for (const auto& [timeS, active] : steps_) {
            sums_.push_back(sums_.back() + active);
        }
    }

    /// Returns the mean number of requests in the steps of a time; not told if no step was logged in it.
    [[nodiscard]] double between(double fromS, double toS) const {
        const auto at = [this](auto place) { return static_cast<std::size_t>(place - steps_.begin()); };
        constexpr auto timeOf = &std::pair<double, double>::first;
        const std::size_t from = at(std::ranges::lower_bound(steps_, fromS, {}, timeOf));
        const std::size_t to = at(std::ranges::upper_bound(steps_, toS, {}, timeOf));
        return from < to ? (sums_[to] - sums_[from]) / static_cast<double>(to - from) : notTold;
    }

private:
    std::vector<std::pair<double, double>> steps_; ///< time, requests in the batch
    std::vector<double> sums_;                     ///< of the requests, of the first so many
};

/// The requests that share the batch with a request: by steps that were logged meanwhile, else by the
/// beginnings and ends of other requests.
class Company {
public:
    explicit Company(const ServerLog& log)
        : levels_(concurrencyOf(log)), decoding_(decodingOf(log)), steps_(log) {}

    void describe(ObservedRate& rate, double fromS, double toS) const {
        const double inSteps = steps_.between(fromS, toS);
        rate.streams = std::max(orElse(inSteps, decoding_.between(fromS, toS)), 1.0);
        rate.streamsTold =
            isTold(inSteps) || most_.between(fromS, toS) <= std::max(least_.between(fromS, toS), 1.0);
    }

private:
    LogConcurrency levels_;
    MeanLevel decoding_; ///< a prompt that is computed shares no step of decoding
    StepsInTime steps_;
    MostAtOnce least_{levels_.atLeast};
    MostAtOnce most_{levels_.atMost};
};

/// Bounds of a prompt's length: as counted for it, or as found in the cache, which need not agree.
struct PromptLength {
    double low = notTold;
    double high = notTold;
};

/// The last prompt that was counted before each request of which the length is not told otherwise.
class CountedPrompts {
public:
    PromptLength of(const LogRequest& request) {
        if (!request.generates) {
            counted_ = orElse(request.inputTokens, counted_);
            return {};
        }
        if (isTold(request.inputTokens)) {
            return {request.inputTokens, request.inputTokens};
        }
        const double cached = request.cachedTokens;
        const double low = std::min(orElse(counted_, cached), orElse(cached, counted_));
        return {low, std::max(orElse(cached, low), low)};
    }

private:
    double counted_ = notTold;
};

std::optional<ObservedRate> rateOf(const LogRequest& request, const PromptLength& prompt) {
    ObservedRate rate;
    rate.where = request.last;
    rate.timeS = orElse(request.endS, request.arrivalS);
    rate.tokensPerS = request.decodeTokensPerS;
    constexpr double enoughS = 5; // stamps may be of seconds
    const double decoding = request.endS - request.firstTokenS;
    if (!timesDecoding(request) && decoding >= enoughS) {
        rate.tokensPerS = (request.outputTokens - 1) / decoding;
    } else if (!timesDecoding(request)) {
        const double seconds = request.endS - request.arrivalS;
        rate.tokensPerS = request.outputTokens / seconds;
        rate.source = RateSource::WholeRequest;
        rate.atLeast = true;
        if (!isTold(rate.tokensPerS) || seconds < microsecond) {
            return {};
        }
    }
    if (rate.tokensPerS <= 0 || !std::isfinite(rate.tokensPerS)) {
        return {};
    }
    if (const double steps = request.outputTokens - request.acceptedDrafts; steps > 0) {
        rate.tokensPerStep = std::max(request.outputTokens / steps, 1.0);
        rate.acceptanceTold = true;
    }
    rate.contextLow = prompt.low;
    rate.contextGrows = orElse(request.outputTokens, 0);
    rate.contextHigh = prompt.high + rate.contextGrows;
    return rate;
}

void addRequests(const ServerLog& log, std::vector<ObservedRate>& rates) {
    const Company company(log);
    CountedPrompts prompts;
    for (const LogRequest& request : log.requests) {
        const PromptLength prompt = prompts.of(request);
        if (!request.generates) {
            continue;
        }
        if (auto rate = rateOf(request, prompt)) {
            const double beginS = orElse(request.firstTokenS, request.arrivalS);
            if (isTold(beginS) && isTold(request.endS)) {
                company.describe(*rate, beginS, request.endS);
            } else {
                rate->streamsTold = false;
            }
            rates.push_back(*rate);
        }
    }
}

/// Adds rates of requests that run: what each has in the cache, and how fast it is now.
void addProgress(const ServerLog& log, std::vector<ObservedRate>& rates) {
    for (const LogProgress& progress : log.progress) {
        const double rate = orElse(progress.recentTokensPerS, progress.tokensPerS);
        if (progress.ofPrompt || !isTold(rate) || rate <= 0) {
            continue;
        }
        ObservedRate observed{.where = progress.where, .timeS = progress.timeS, .tokensPerS = rate};
        observed.source = RateSource::Running;
        observed.streamsTold = false;
        if (progress.request < log.requests.size()) {
            observed.contextLow = observed.contextHigh =
                log.requests[progress.request].inputTokens + progress.tokens;
        }
        if (!isTold(observed.contextLow)) {
            observed.contextLow = progress.tokens;
            observed.contextAtLeast = true;
        }
        rates.push_back(observed);
    }
}

/// Intervals of one engine, in their order.
class IntervalRates {
public:
    IntervalRates(const ServerLog& log, std::vector<ObservedRate>& rates) : rates_(rates) {
        kvTokens_ = parseNumber<double>(factOf(log, "kv_tokens")).value_or(notTold);
    }

    void add(const LogInterval& interval) {
        State& state = states_[interval.engine];
        const bool prefilled = interval.computesPrompts();
        const double running = interval.running;
        if (isTold(interval.outputTokensPerS) && interval.outputTokensPerS > 0 && running >= 1) {
            ObservedRate rate{.where = interval.where, .timeS = interval.timeS};
            const double shared = sharedBy(interval, state.running, prefilled || state.prefilled);
            rate.tokensPerS = interval.outputTokensPerS / shared;
            rate.streams = std::max(shared / interval.engines, 1.0); // each engine has steps of its own
            rate.engine = interval.engine;
            rate.kvUseEach = interval.kvUse / rate.streams;
            rate.promptTokensPerS = interval.promptTokensPerS;
            rate.source = RateSource::Interval;
            rate.spanS = interval.spanS;
            rate.streamsTold = running == state.running;
            describeEnds(rate, interval.outputTokensPerS, state.running, running);
            rate.filled = !(state.running < 1);
            rate.queued = interval.waiting > 0 && state.waiting > 0;
            rate.atLeast = prefilled || state.prefilled;
            rate.acceptanceTold = isTold(interval.acceptedLength);
            state.accepted = orElse(interval.acceptedLength, state.accepted);
            rate.tokensPerStep = std::max(orElse(state.accepted, 1), 1.0);
            rate.contextLow = rate.contextHigh =
                orElse(interval.contextTokens, interval.kvUse * kvTokens_ * interval.engines) / running;
            rates_.push_back(rate);
        }
        const bool decodes = isTold(interval.outputTokensPerS);
        state.prefilled =
            prefilled && !decodes; // a line of prefill alone: its time is in the next decode line
        state.running = decodes ? running : state.running;
        state.waiting = decodes ? interval.waiting : state.waiting;
        state.most = running > state.most ? running : state.most;
    }

    /// Bounds rates by the most that ever ran. If requests wait while fewer run, no limit of requests holds
    /// them, and more may have run between two ends that are alike.
    void boundByMost() {
        for (ObservedRate& rate : rates_) {
            const bool isLine = rate.source == RateSource::Interval && rate.atLeast && rate.streamsTold;
            if (const double most = states_[rate.engine].most; isLine && rate.streamsAtEnds < most) {
                rate.lowest = rate.overBothEnds * rate.streamsAtEnds / most;
            }
        }
    }

private:
    struct State {
        double running = notTold;
        double waiting = notTold;
        double most = 0;           ///< that ran at the end of any line
        double accepted = notTold; ///< as the last line that tells it: a few leave it out
        bool prefilled = false;
    };

    static void describeEnds(ObservedRate& rate, double output, double before, double after) {
        if (!isTold(before)) {
            return;
        }
        rate.streamsAtEnds = (before + after) / 2;
        rate.overBothEnds = output / rate.streamsAtEnds;
        if (before != after) {
            rate.lowest = output / std::max(before, after);
            rate.highest = std::min(before, after) >= 1 ? output / std::min(before, after) : notTold;
        }
    }

    /// Streams that a line's mean is divided by. Its `running` is of the instant at its end: where requests
    /// ended meanwhile, those of the line before made the tokens too: all of them at most, which bounds a
    /// rate that prompts bound already, and half of those that ended on average.
    static double sharedBy(const LogInterval& interval, double before, bool prefilled) {
        constexpr double longS = 5; // shorter lines are of a few steps, of one batch
        if (!(interval.spanS >= longS && before > interval.running)) {
            return interval.running;
        }
        return prefilled ? before : (before + interval.running) / 2;
    }

    std::vector<ObservedRate>& rates_;
    std::map<int, State> states_;
    double kvTokens_ = notTold;
};

void addSteps(const ServerLog& log, std::vector<ObservedRate>& rates) {
    double active = notTold;
    for (const LogStep& step : log.steps) {
        active = orElse(step.active, active);
        if (!isTold(step.seconds) || step.seconds < microsecond) {
            continue;
        }
        ObservedRate rate{.where = step.where, .timeS = step.timeS, .tokensPerS = 1 / step.seconds};
        rate.source = RateSource::Step;
        const double streams = orElse(step.responses, active);
        rate.streams = std::max(orElse(streams, 1), 1.0);
        rate.streamsTold = isTold(streams);
        rates.push_back(rate);
    }
}

} // namespace

bool timesDecoding(const LogRequest& request) {
    // A printed rate that is output over the whole time, or less, which no decoding within that time can be.
    constexpr double alike = 0.02;
    const double whole = request.outputTokens / (request.endS - request.arrivalS);
    return isTold(request.decodeS) ||
           (isTold(request.decodeTokensPerS) && !(request.decodeTokensPerS / whole - 1 < alike));
}

std::vector<ObservedRate> observedRatesOf(const ServerLog& log) {
    std::vector<ObservedRate> rates;
    addRequests(log, rates);
    addProgress(log, rates);
    IntervalRates intervals(log, rates);
    for (const LogInterval& interval : log.intervals) {
        intervals.add(interval);
    }
    intervals.boundByMost();
    addSteps(log, rates);
    const bool byLine = clockGoesBack(log);
    std::ranges::stable_sort(rates, {}, [byLine](const ObservedRate& rate) {
        return std::pair(byLine ? 0 : orElse(rate.timeS, 0), rate.where);
    });
    return rates;
}

} // namespace loadline
