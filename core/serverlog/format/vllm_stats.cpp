// Statistics of vLLM's engines: V1 by engine, summed or without a number, and V0.
#include "core/serverlog/format/vllm_stats.h"

#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace loadline::vllm {
namespace {

bool matchRates(TextCursor& c, LogMatch& m, std::size_t group) {
    return c.skip("Avg prompt throughput: ") && c.number(m.groups[group]) &&
           c.skip(" tokens/s, Avg generation throughput: ") && c.number(m.groups[group + 1]) &&
           c.skip(" tokens/s, Running: ") && c.digits(m.groups[group + 2]);
}

/// Matches a line from the rates on, groups 1 to 10.
bool matchV1Rest(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    const bool there = matchRates(c, m, 1) && c.skip(" reqs, Waiting: ") && c.digits(g[4]) &&
                       c.skip(" reqs") &&
                       c.maybe([&] { return c.skip(", Deferred: ") && c.digits(g[5]) && c.skip(" reqs"); }) &&
                       c.maybe([&] { return c.skip(", Preemptions: ") && c.digits(g[6]); }) &&
                       c.skip(", GPU KV cache usage: ") && c.number(g[7]) &&
                       c.skip("%, Prefix cache hit rate: ") && c.number(g[8]) && c.skip("%");
    if (!there) {
        return false;
    }
    const auto share = [&](std::string_view text, std::size_t group) {
        std::string_view found;
        c.maybe([&] {
            const bool isFound = c.skip(text) && c.number(found) && c.skip("%");
            g[group] = isFound ? found : std::string_view();
            return isFound;
        });
    };
    share(", External prefix cache hit rate: ", 9);
    share(", MM cache hit rate: ", 10);
    m.begin = at;
    m.end = c.at();
    return true;
}

bool matchV0StatsOf(std::string_view line, std::size_t at, LogMatch& m, bool onGpu) {
    auto& g = m.groups;
    TextCursor c(line, at);
    std::string_view device; // "GPU", "NPU"
    const auto requests = [&] { return c.skip(" reqs"); };
    const bool there = matchRates(c, m, 0) && c.maybe(requests) && c.skip(", Swapped: ") && c.digits(g[3]) &&
                       c.maybe(requests) && c.skip(", Pending: ") && c.digits(g[4]) && c.maybe(requests) &&
                       c.skip(", ") && c.word(device) && c.skip(" KV cache usage: ") && c.number(g[5]) &&
                       c.skip("%, CPU KV cache usage: ") && c.number(g[6]) && c.skip("%");
    m.begin = at;
    m.end = c.at();
    return there && (device == "GPU") == onGpu;
}

struct Engine {
    double lastS = notTold;  ///< when it wrote its last line
    double usualS = notTold; ///< between two lines
};

struct Engines {
    std::map<int, Engine> byKey;

    void shiftTimes(double seconds) {
        for (auto& [key, engine] : byKey) {
            engine.lastS += seconds;
        }
    }
};

/// Rates are means since the last line, which there is each interval but for idle ones.
void takeStats(LogAssembly& a, LogInterval interval) {
    Engine& engine = a.memory.of<Engines>().byKey[a.engineKey(interval.engine)];
    const double since = a.now - engine.lastS;
    if (since > 0) { // false where one is not told
        engine.usualS = isTold(engine.usualS) ? std::min(engine.usualS, since) : since;
        interval.spanS = std::min(since, engine.usualS);
    }
    engine.lastS = a.now;
    a.addInterval(interval);
}

void takeV1Line(LogAssembly& a, const LogMatch& m, LogInterval interval) {
    interval.promptTokensPerS = numberOf(m[1]);
    interval.outputTokensPerS = numberOf(m[2]);
    interval.running = numberOf(m[3]);
    interval.waiting = numberOf(m[4]);
    interval.kvUse = numberOf(m[7]) / 100;
    interval.prefixHit = numberOf(m[8]) / 100;
    interval.preemptions = numberOf(m[6]);
    takeStats(a, interval);
    if (interval.preemptions > 0) {
        a.addPreemption(interval.preemptions, std::string(m[6]) + " preemptions");
    }
}

} // namespace

bool matchV1Stats(std::string_view line, std::size_t at, LogMatch& m) {
    constexpr std::string_view name = "Engine ";
    if (!endsBefore(line, at, ": ")) {
        return false;
    }
    const std::size_t engine = digitsBefore(line, at - 2);
    if (engine == at - 2 || !endsBefore(line, engine, name) || !matchV1Rest(line, at, m)) {
        return false;
    }
    m.groups[0] = line.substr(engine, at - 2 - engine);
    m.begin = engine - name.size();
    return true;
}

/// "4 Engines Aggregated: Avg ...": group 0 is how many.
bool matchV1Aggregated(std::string_view line, std::size_t at, LogMatch& m) {
    constexpr std::string_view name = " Engines Aggregated: ";
    const std::size_t digits = endsBefore(line, at, name) ? at - name.size() : 0;
    const std::size_t engines = digitsBefore(line, digits);
    if (engines == digits || !matchV1Rest(line, at, m)) {
        return false;
    }
    m.groups[0] = line.substr(engines, digits - engines);
    m.begin = engines;
    return true;
}

/// Matches the line of the first versions of V1: "[loggers.py:79] Avg ...".
bool matchV1Plain(std::string_view line, std::size_t at, LogMatch& m) {
    return (at == 0 || endsBefore(line, at, "] ") || !endsBefore(line, at, ": ")) && matchV1Rest(line, at, m);
}

bool matchV0Stats(std::string_view line, std::size_t at, LogMatch& m) {
    return matchV0StatsOf(line, at, m, true);
}

bool matchV0OtherDevice(std::string_view line, std::size_t at, LogMatch& m) {
    return matchV0StatsOf(line, at, m, false);
}

void takeV1Stats(LogAssembly& a, const LogMatch& m) {
    LogInterval interval;
    interval.engine = static_cast<int>(std::fmin(numberOf(m[0]), LogAssembly::lastEngine));
    takeV1Line(a, m, interval);
}

void takeV1Aggregated(LogAssembly& a, const LogMatch& m) {
    LogInterval interval;
    interval.engines = static_cast<int>(std::clamp(numberOf(m[0]), 1.0, LogAssembly::lastEngine + 1.0));
    takeV1Line(a, m, interval);
}

void takeV1Plain(LogAssembly& a, const LogMatch& m) {
    takeV1Line(a, m, {});
}

void takeV0Stats(LogAssembly& a, const LogMatch& m) {
    LogInterval interval;
    interval.promptTokensPerS = numberOf(m[0]);
    interval.outputTokensPerS = numberOf(m[1]);
    interval.running = numberOf(m[2]);
    interval.waiting = numberOf(m[3]) + numberOf(m[4]);
    interval.kvUse = numberOf(m[5]) / 100;
    takeStats(a, interval);
}

} // namespace loadline::vllm
