// Checks the conditions that let every scheduler run a scenario to its end.
#include "core/schedule/run/engines.h"
#include "core/schedule/run/run_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace loadline {
namespace {

constexpr std::int64_t mostRequests = 1'000'000;
constexpr Tokens mostTokensOfRequest = std::int64_t{1} << 30;
constexpr std::int64_t farthestId = std::int64_t{1} << 62; ///< of a token
constexpr std::int64_t lastStep = std::int64_t{1} << 40;

/// Collects the first thing that is wrong.
class Checker {
public:
    void between(std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most) {
        if (value < least || value > most) {
            fail(fmt::format("{} is {}, and must be between {} and {}", name, value, least, most));
        }
    }

    void share(std::string_view name, double value) {
        if (!(value >= 0 && value < 1)) {
            fail(fmt::format("{} is {}, and must be at least 0 and less than 1", name, value));
        }
    }

    void fail(const std::string& what, const std::string& remedy = "") {
        if (!error_) {
            error_ = Error{what, "", remedy};
        }
    }

    // Fields of an engine's configuration.
    void operator()(std::string_view name, std::int64_t value, const EngineBounds& bounds) {
        between(name, value, bounds.least, bounds.most);
    }

    void operator()(std::string_view name, double value) { share(name, value); }

    void operator()(std::string_view /*name*/, bool /*value*/) {}

    template <typename T, std::size_t n>
    void operator()(std::string_view /*name*/, T /*value*/, const EngineWordList<T, n>& /*words*/) {}

    void request(const ScheduleRequest& request) {
        const auto named = [&](const char* field) {
            return fmt::format("request {}: {}", request.id, field);
        };
        between(named("prompt_tokens"), request.promptTokens, 1, mostTokensOfRequest);
        between(named("output_tokens"), request.outputTokens, 1, mostTokensOfRequest);
        between(named("delay"), request.delay, 0, lastStep);
        between(named("arrival_step"), request.arrivalStep.value_or(0), 0, lastStep);
        if (request.arrivalStep.has_value() == request.after.has_value()) {
            fail(named(request.after ? "has arrival_step and after" : "has neither arrival_step nor after"),
                 "one of them");
        }
    }

    void fits(const ScheduleRequest& request, const VllmConfig& config) {
        if (request.promptTokens >= config.maxModelLen) {
            fail(fmt::format("request {} has a prompt of {} tokens, and max_model_len is {}", request.id,
                             request.promptTokens, config.maxModelLen),
                 "a shorter prompt or a larger max_model_len");
        }
        const Tokens kept = std::min(request.promptTokens + request.outputTokens, config.maxModelLen) - 1;
        holds(request, kept, config.numGpuBlocks - 1, config.blockSize, "num_gpu_blocks");
        Tokens expanded = 0;
        for (const TokenRun& run : request.prompt) {
            if (run.count < 1 || run.count > mostTokensOfRequest || run.first < -farthestId ||
                run.first > farthestId) {
                fail(fmt::format("request {} has a prompt run of {} tokens from {}", request.id, run.count,
                                 run.first),
                     "runs [first, count] of at least one token");
                return;
            }
            expanded += run.count;
        }
        if (expanded != request.promptTokens && (config.enablePrefixCaching || !request.prompt.empty())) {
            fail(fmt::format("request {} has a prompt of {} token ids, and prompt_tokens is {}", request.id,
                             expanded, request.promptTokens),
                 "runs [first, count] that add up to prompt_tokens");
        }
        between("first_output_token", request.firstOutputToken, -farthestId, farthestId);
    }

    void fits(const ScheduleRequest& request, const MlxConfig& config) {
        if (request.cachedTokens != 0 && (!config.reuseCache || !request.after)) {
            fail(fmt::format("request {} has cached_tokens without reuse_cache and after", request.id));
        }
        between("cached_tokens", request.cachedTokens, 0, request.promptTokens - 1);
    }

    void order(const std::vector<ScheduleRequest>& requests) {
        std::unordered_map<std::int64_t, std::size_t> indexOf;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (!indexOf.emplace(requests[i].id, i).second) {
                return fail(fmt::format("the id {} stands twice", requests[i].id), "ids of their own");
            }
        }
        std::vector<std::size_t> next(requests.size(), requests.size());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (!requests[i].after) {
                continue;
            }
            const auto found = indexOf.find(*requests[i].after);
            if (found == indexOf.end()) {
                return fail(fmt::format("request {} follows {}, and there is no such request", requests[i].id,
                                        *requests[i].after));
            }
            next[i] = found->second;
        }
        enum : std::uint8_t { Unknown, OnTheWay, Arrives };
        std::vector<std::uint8_t> state(requests.size(), Unknown);
        std::vector<std::size_t> way;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            std::size_t at = i;
            for (; at < requests.size() && state[at] == Unknown; at = next[at]) {
                state[at] = OnTheWay;
                way.push_back(at);
            }
            if (at < requests.size() && state[at] == OnTheWay) {
                return fail(fmt::format("request {} follows itself through after: it would never arrive",
                                        requests[at].id),
                            "an arrival_step for one of the circle");
            }
            for (; !way.empty(); way.pop_back()) {
                state[way.back()] = Arrives;
            }
        }
    }

    [[nodiscard]] Status status() const { return error_ ? Status(*error_) : Status(Done{}); }

    [[nodiscard]] bool failed() const { return error_.has_value(); }

private:
    void holds(const ScheduleRequest& request, Tokens kept, std::int64_t blocks, Tokens blockSize,
               const char* option) {
        const std::int64_t needed = (kept + blockSize - 1) / blockSize;
        if (needed > blocks) {
            fail(fmt::format("request {} is longer than the cache: its {} tokens need {} blocks of {}, and "
                             "{} can be used",
                             request.id, kept, needed, blockSize, blocks),
                 fmt::format("more {} or a shorter request", option));
        }
    }

    std::optional<Error> error_;
};

} // namespace

Status checkScenario(const Scenario& scenario) {
    Checker checker;
    withEngine(scenario.config, [&](auto engine, const auto& config) { engine.fields(checker, config); });
    if (scenario.requests.empty()) {
        checker.fail("there are no requests", "at least one");
    }
    checker.between("the number of requests", static_cast<std::int64_t>(scenario.requests.size()), 0,
                    mostRequests);
    for (const ScheduleRequest& request : scenario.requests) {
        checker.request(request);
        if (checker.failed()) {
            break;
        }
        std::visit([&](const auto& config) { checker.fits(request, config); }, scenario.config);
    }
    checker.order(scenario.requests);
    return checker.status();
}

} // namespace loadline
