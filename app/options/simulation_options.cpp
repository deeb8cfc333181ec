// What each option of a simulation accepts.
#include "app/options/simulation_options.h"

#include "app/options/literal_words.h"
#include "app/options/simulation_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

namespace loadline::app {
namespace {

template <typename Number>
std::optional<Number> numberFrom(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    if constexpr (std::is_floating_point_v<Number>) {
        return std::isfinite(number) ? std::optional(number) : std::nullopt;
    } else {
        return number;
    }
}

/// An option that `take` reads; false: not of the form.
CLI::Option* addRead(CLI::App& app, const std::string& name, const std::string& form, const std::string& help,
                     std::function<bool(const std::string&)> take, const char* group) {
    CLI::Option* option = app.add_option_function<std::string>(
        name,
        [name, form, take = std::move(take)](const std::string& text) {
            if (!take(text)) {
                throw CLI::ValidationError(name, "'" + text + "' is not of the form " + form);
            }
        },
        help);
    return option->option_text(form)->group(group);
}

template <typename Number>
void addNumber(CLI::App& app, const std::string& name, Number& value, const std::string& help,
               const char* group) {
    addRead(
        app, name, std::is_floating_point_v<Number> ? "X" : "N", help,
        [&value](const std::string& text) {
            const std::optional<Number> number = numberFrom<Number>(text);
            value = number.value_or(value);
            return number.has_value();
        },
        group);
}

/// A number, or "none".
template <typename Number>
CLI::Option* addOptional(CLI::App& app, const std::string& name, std::optional<Number>& value,
                         const std::string& help, const char* group) {
    return addRead(
        app, name, std::is_integral_v<Number> ? "N|none" : "X|none", help,
        [&value](const std::string& text) {
            const std::optional<Number> number = numberFrom<Number>(text);
            value = number;
            return number.has_value() || text == "none";
        },
        group);
}

template <typename Value>
void addChoice(CLI::App& app, const std::string& name, Value& value, const std::vector<Value>& values,
               const std::string& help, const char* group) {
    std::map<std::string, Value, std::less<>> byKey;
    std::string form;
    for (const Value each : values) {
        byKey.emplace(keyOf(each), each);
        form += (form.empty() ? "" : "|") + std::string(keyOf(each));
    }
    addRead(
        app, name, form, help,
        [byKey, &value](const std::string& text) {
            const auto found = byKey.find(text);
            value = found == byKey.end() ? value : found->second;
            return found != byKey.end();
        },
        group);
}

/// Kernels that have times of their own.
std::string timedKernels() {
    std::string list;
    for (const Kernel kernel : allKernels) {
        if (!partsOf(kernel).second) {
            list += (list.empty() ? "" : ", ") + std::string(keyOf(kernel));
        }
    }
    return brokenAfterCommas(list);
}

bool readArrivals(const std::string& text, ArrivalSetup& arrivals) {
    constexpr std::string_view prefix = "poisson:";
    if (text.starts_with(prefix)) {
        const std::optional<double> rate = numberFrom<double>(std::string_view(text).substr(prefix.size()));
        arrivals.kind = ArrivalKind::Poisson;
        arrivals.ratePerS = rate.value_or(arrivals.ratePerS);
        return rate.has_value();
    }
    arrivals.kind = text == "trace" ? ArrivalKind::Trace : ArrivalKind::Closed;
    return text == "trace" || text == "closed";
}

bool readThink(const std::string& text, ArrivalSetup& arrivals) {
    if (text == "none" || text == "data") {
        arrivals.think = text == "none" ? ThinkTime::None : ThinkTime::FromData;
        return true;
    }
    const std::optional<double> seconds = numberFrom<double>(text);
    arrivals.think = ThinkTime::Fixed;
    arrivals.thinkS = seconds.value_or(arrivals.thinkS);
    return seconds.has_value();
}

bool readTimeScale(const std::string& text, SimulationRequest& request) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
        return false;
    }
    const std::optional<Kernel> kernel = kernelFromKey(text.substr(0, equals));
    const std::optional<double> factor = numberFrom<double>(std::string_view(text).substr(equals + 1));
    if (!kernel || !factor || *factor < 0) {
        return false;
    }
    request.timeScale[static_cast<std::size_t>(*kernel)] = *factor;
    return true;
}

void addArrivals(CLI::App& app, ArrivalSetup& arrivals, bool singles) {
    const char* group = "Who asks";
    if (singles) {
        addNumber(app, "--users", arrivals.users, "closed loop: how many users (8)", group);
    }
    addRead(
        app, "--arrivals", "closed|poisson:RATE|trace",
        "Each user waits for the answer (closed), turns come at RATE a\nsecond, or at the trace's times",
        [&arrivals](const std::string& text) { return readArrivals(text, arrivals); }, group);
    addRead(
        app, "--think", "none|SECONDS|data",
        "closed loop: time from an answer to the next turn; data: as recorded (none)",
        [&arrivals](const std::string& text) { return readThink(text, arrivals); }, group);
    addChoice(app, "--turn-order", arrivals.order, {TurnOrder::Sampled, TurnOrder::Replayed},
              "Turns drawn one by one, or sessions played in order (sampled)", group);
}

void addPolicy(CLI::App& app, PolicySetup& policy, bool singles) {
    const char* group = "Who decides what a step holds";
    addChoice(app, "--policy", policy.policy, {Policy::VllmV1, Policy::SinglePrefill, Policy::Mlx},
              "The batching policy (vllm-v1)", group);
    if (singles) {
        addOptional(
            app, "--chunk", policy.chunkTokens,
            "Most prompt tokens of one request in a step (vllm-v1: none,\nsingle-prefill: 512, mlx: 2048)",
            group);
    }
    addNumber(app, "--budget", policy.budgetTokens, "Most tokens in a step; not mlx (8192)", group);
    addNumber(app, "--max-seqs", policy.maxSeqs, "Most requests that run at once (256)", group);
    app.add_flag("--prefix-cache", policy.prefixCache, "vllm-v1: prompts that begin alike are computed once")
        ->group(group);
    addNumber(app, "--block-size", policy.blockTokens, "vllm-v1: tokens in a KV block (16)", group);
    addOptional(app, "--kv-blocks", policy.kvBlocks,
                "vllm-v1: KV blocks there are (none: enough; with\n--prefix-cache 1048576)", group);
    addOptional(app, "--gpu-memory-utilization", policy.memoryShare,
                "vllm-v1: as many KV blocks as this share of the device's\nmemory holds beside the weights "
                "(none)",
                group);
    addNumber(app, "--max-model-len", policy.maxModelLen,
              "vllm-v1: tokens at which requests end; longer prompts are refused (1048576)", group);
    addNumber(app, "--watermark", policy.watermark, "vllm-v1: share of the blocks kept free, 0 to 1 (0)",
              group);
    addChoice(app, "--order", policy.order, {VllmPolicy::Fcfs, VllmPolicy::Priority},
              "vllm-v1: who is served first (fcfs)", group);
    app.add_flag("--async", policy.async, "vllm-v1: the next step is scheduled while one runs")->group(group);
    addChoice(app, "--engine-version", policy.version,
              {VllmVersion::Latest, VllmVersion::March2026, VllmVersion::October2025},
              "vllm-v1: whose rules (latest)", group);
    addNumber(app, "--prefill-batch", policy.prefillBatch, "mlx: prompts in a prefill (8)", group);
    addNumber(app, "--prompt-cap", policy.fit.promptCap,
              "single-prefill, study-like fit: prompts of more tokens are cut (0: never)", group);
    addNumber(app, "--free-prompt", policy.fit.freePrompt,
              "single-prefill, study-like fit: prompts of up to N tokens cost no step (0)", group);
}

} // namespace

void SimulationOptions::add(CLI::App& app, bool singles) {
    addWorkload(app, workload_);
    addCost(app, cost_);
    addArrivals(app, request_.arrivals, singles);
    addPolicy(app, request_.policy, singles);
    const char* policy = "Who decides what a step holds";
    app.add_flag("--no-chunked-prefill", noChunkedPrefill_, "vllm-v1: a prompt in one step")->group(policy);
    app.add_flag("--no-full-reservation", noFullReservation_,
                 "vllm-v1: admit a prompt when its first chunk fits")
        ->group(policy);
    const char* cost = "What a step costs";
    if (singles) {
        addNumber(app, "--k", request_.kBits, "Bits of the quantised weights, 2 to 5 (4)", cost);
    }
    const std::string form = "KERNEL=FACTOR";
    app.add_option_function<std::vector<std::string>>(
           "--time-scale",
           [this, form](const std::vector<std::string>& texts) {
               for (const std::string& text : texts) {
                   if (!readTimeScale(text, request_)) {
                       throw CLI::ValidationError("--time-scale",
                                                  fmt::format("'{}' is not of the form {}", text, form));
                   }
               }
           },
           "A kernel's times multiplied, 0: free; may be given several times:\n" + timedKernels())
        ->option_text(form)
        ->allow_extra_args(false)
        ->group(cost);
    app.add_flag("--model-missing", request_.modelMissing, "Model kernels that the profile has no times of")
        ->group(cost);
    addChoice(app, "--step", request_.scope, {StepScope::GemmOnly, StepScope::WholeStep},
              "Count GEMMs alone, or attention and host too (gemm)", cost);
    addNumber(app, "--host-us", request_.hostUs, "whole-step: the host's share of a step in microseconds (0)",
              cost);
    const char* run = "The run";
    addOptional(app, "--iterations", request_.length.iterations,
                "Steps of a run (10000; none where --turns is given)", run)
        ->each([this](const std::string&) { iterationsGiven_ = true; });
    addOptional(app, "--turns", request_.length.turns, "Turns answered in a run, which then ends (none)",
                run);
    addNumber(app, "--replicas", request_.replicas, "Runs with seeds of their own, 1 to 1000 (16)", run);
    addNumber(app, "--seed", request_.seed, "Seed of the first run; each other has the next (1)", run);
}

SimulationRequest SimulationOptions::request() const {
    SimulationRequest request = request_;
    request.workload = workload_.workload;
    request.outputs = outputCountsFromKey(workload_.outputs).value_or(OutputCounts::Recorded);
    request.profile = cost_.profile;
    request.shapes = cost_.shapes;
    request.rule = cost_.rule;
    request.policy.chunkedPrefill = !noChunkedPrefill_;
    request.policy.reserveFullPrompt = !noFullReservation_;
    if (request.length.turns && !iterationsGiven_) {
        request.length.iterations.reset();
    }
    return request;
}

Result<SimulationRequest> simulationRequestFrom(const std::vector<std::string>& words) {
    CLI::App app;
    SimulationOptions options;
    options.add(app);
    try {
        parseLiterally(app, words);
    } catch (const CLI::ParseError& error) {
        return Error{error.what(), "", "the options of 'loadline simulate --help'"};
    }
    return options.request();
}

} // namespace loadline::app
