// Tokens of all streams over the time that they ran.
#include "core/serverlog/verdict/stream_rate.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/ratio_of_sums.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// Time between two lines of decoding of an engine that tells each prompt, from stamps: streams that run
/// while a prompt is computed wait for it.
struct BetweenDecodes {
    double atS = notTold;     ///< of the last line
    double running = notTold; ///< beside the last prompt; not told before the first one
    double streamS = 0;       ///< seconds x streams up to the last line
    double busyS = 0;
    bool any = false;
    bool idle = false; ///< none ran beside one of them

    void addUntil(double timeS, double beside) {
        const double seconds = isTold(timeS - atS) ? std::max(timeS - atS, 0.0) : 0;
        streamS += seconds * beside;
        busyS += beside > 0 ? seconds : 0;
        atS = isTold(timeS) ? timeS : atS;
    }

    void addPrompt(const LogInterval& line) {
        const double beside = isTold(line.running) ? line.running : 0;
        addUntil(line.timeS, isTold(running) ? running : beside);
        running = beside;
        any = any || line.computesPrompts();
        idle = idle || line.running == 0;
    }

    /// The last prompt, then steps of a stream each at this rate: they take no less time than that, where
    /// stamps of whole seconds leave them less.
    void addDecode(const LogInterval& line, double stepsPerS) {
        const double tokens = line.outputTokensPerS * line.spanS;
        const double stepsS = tokens / (std::max(line.running, 1.0) * stepsPerS);
        const double seconds = std::max(line.timeS - atS, 0.0);
        addUntil(atS + seconds - std::min(seconds, stepsS), running);
        addUntil(line.timeS, line.running);
        streamS = std::max(streamS, tokens / stepsPerS);
        busyS = std::max(busyS, stepsS);
    }
};

/// Returns the middle rate of a stream on lines without prompts, of a server that tells prompts in lines of
/// their own; not told else.
double rateWithoutPrompts(const ServerLog& log) {
    std::map<int, bool> prompts;
    std::vector<double> rates;
    bool tellsPrompts = false;
    for (const LogInterval& line : log.intervals) {
        if (!isTold(line.outputTokensPerS)) {
            tellsPrompts = prompts[line.engine] = true;
        } else if (!std::exchange(prompts[line.engine], false) && line.running >= 1 &&
                   line.outputTokensPerS > 0) {
            rates.push_back(line.outputTokensPerS / line.running);
        }
    }
    return tellsPrompts ? medianOf(std::move(rates)) : notTold;
}

/// Requests that begin and end together between idle lines of an engine.
struct Wave {
    double first = notTold; ///< tokens of its first line
    int lines = 0;
};

/// True if the first lines of waves hold alike shares of what a line can hold. Of waves that begin at any
/// moment these shares are uniform: the middle 80 % of twelve of them span less than a quarter of all shares
/// in one log of thousands (a beta distribution with 9 and 4).
bool meetLinesInStep(std::vector<double> firsts, double most) {
    constexpr std::size_t enough = 12;
    constexpr std::size_t tenth = 10;
    constexpr double quarter = 0.25;
    if (firsts.size() < enough || !(most > 0)) {
        return false;
    }
    std::ranges::sort(firsts);
    const std::size_t aside = firsts.size() / tenth;
    return firsts[firsts.size() - 1 - aside] - firsts[aside] < quarter * most;
}

/// Tells whether waves meet the lines in step, and what bounds the rate then. A line tells the streams at
/// its end: between two ends at most the larger number ran, if all of a wave begin at once.
void tellSteps(const ServerLog& log, StreamRate& rate) {
    std::map<int, std::pair<Wave, double>> engines; // the wave, and who runs at the last line
    std::vector<double> firsts;
    double most = 0;
    double tokens = 0;
    double mostS = 0;
    double waves = 0;
    for (const LogInterval& line : log.intervals) {
        if (!isTold(line.outputTokensPerS) || !(line.spanS > 0) || !isTold(line.running)) {
            continue;
        }
        auto& [wave, before] = engines.try_emplace(line.engine, Wave(), notTold).first->second;
        const double given = line.outputTokensPerS * line.spanS;
        wave = before == 0 ? Wave{given, 0} : wave;
        ++wave.lines;
        most = std::max(most, given);
        const double ran = std::fmax(line.running, before);
        tokens += ran > 0 ? given : 0;
        mostS += ran * line.spanS;
        if (line.running == 0 && given > 0) {
            ++waves;
            if (wave.lines > 1 && isTold(wave.first) && wave.first > 0) {
                firsts.push_back(wave.first);
            }
        }
        before = line.running;
    }
    constexpr double nearlyAll = 0.9;
    const bool several = static_cast<double>(firsts.size()) >= nearlyAll * waves;
    rate.inStep = several && meetLinesInStep(std::move(firsts), most);
    rate.atLeast = mostS > 0 ? tokens / mostS : notTold;
}

} // namespace

std::optional<StreamRate> streamRateOf(const ServerLog& log) {
    constexpr double enough = 12;
    const double alone = rateWithoutPrompts(log);
    const bool byStamps = alone > 0 && !clockGoesBack(log);
    std::map<int, BetweenDecodes> since;
    RatioOfSums all;
    double promptS = 0;
    double busyS = 0;
    StreamRate rate;
    for (const LogInterval& line : log.intervals) {
        BetweenDecodes& between = since[line.engine];
        if (!isTold(line.outputTokensPerS)) {
            between.addPrompt(line);
            continue;
        }
        const bool idle = !byStamps && between.idle;
        if (idle || line.isStuck() || !isTold(line.running)) {
            between = {.atS = line.timeS};
            continue;
        }
        ++rate.lines; // lines of one second share its time: the first of them has it
        if (!(line.spanS > 0)) {
            continue;
        }
        const bool timed = byStamps && between.any && isTold(between.atS);
        if (timed) {
            between.addDecode(line, alone);
        }
        const double streamS = timed ? between.streamS : line.running * line.spanS;
        all.add(line.outputTokensPerS * line.spanS, streamS);
        promptS += line.computesPrompts() || between.any ? streamS : 0;
        busyS += timed ? between.busyS : line.running > 0 ? line.spanS : 0;
        between = {.atS = line.timeS};
    }
    if (all.lines < enough || !(all.tokens > 0) || !(all.streams > 0)) {
        return std::nullopt;
    }
    rate.tokensPerS = all.rate();
    rate.withPrompts = promptS / all.streams;
    rate.together = byStamps && busyS > 0 && since.size() == 1 ? all.tokens / busyS : notTold;
    rate.error = std::sqrt(all.variance());
    tellSteps(log, rate);
    return rate;
}

} // namespace loadline
