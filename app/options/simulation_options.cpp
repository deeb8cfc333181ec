// What each option of a simulation accepts.
#include "app/options/simulation_options.h"

#include "app/options/literal_words.h"
#include "app/options/number_option.h"
#include "app/options/simulation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace loadline::app {
namespace {

template <typename Value>
void addChoice(CLI::App& app, const std::string& name, Value& value, const std::vector<Value>& values,
               const std::string& help, const char* group) {
    std::map<std::string, Value, std::less<>> byKey;
    std::string form;
    for (const Value each : values) {
        byKey.emplace(keyOf(each), each);
        form += (form.empty() ? "" : "|") + std::string(keyOf(each));
    }
    addTaken(app, name, form, help, "", [name, form, byKey, &value](const std::string& text) {
        const auto found = byKey.find(text);
        if (found == byKey.end()) {
            throw notTaken(name, form, text);
        }
        value = found->second;
    })->group(group);
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

void readArrivals(const std::string& text, ArrivalSetup& arrivals) {
    constexpr std::string_view prefix = "poisson:";
    if (text.starts_with(prefix)) {
        const auto rate = parseNumber(std::string_view(text).substr(prefix.size()), limits::ratePerS);
        if (!rate) {
            throw notTaken("--arrivals", fmt::format("poisson:{}", wordsOf(limits::ratePerS)), text);
        }
        arrivals.kind = ArrivalKind::Poisson;
        arrivals.ratePerS = *rate;
        return;
    }
    if (text != "trace" && text != "closed") {
        throw notTaken("--arrivals", "closed, poisson:RATE or trace", text);
    }
    arrivals.kind = text == "trace" ? ArrivalKind::Trace : ArrivalKind::Closed;
}

void readThink(const std::string& text, ArrivalSetup& arrivals) {
    if (text == "none" || text == "data") {
        arrivals.think = text == "none" ? ThinkTime::None : ThinkTime::FromData;
        return;
    }
    const auto seconds = parseNumber(text, limits::thinkS);
    if (!seconds) {
        throw notTaken("--think", fmt::format("{} s, none or data", wordsOf(limits::thinkS)), text);
    }
    arrivals.think = ThinkTime::Fixed;
    arrivals.thinkS = *seconds;
}

void readTimeScale(const std::string& text, SimulationRequest& request) {
    constexpr NumberRange<double> factors{0, maxTimeScale};
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::optional<Kernel> kernel = kernelFromKey(text.substr(0, equals));
    const auto factor =
        parseNumber(std::string_view(text).substr(std::min(equals + 1, text.size())), factors);
    if (!kernel || !factor) {
        throw notTaken("--time-scale", fmt::format("KERNEL={}", wordsOf(factors)), text);
    }
    request.timeScale[static_cast<std::size_t>(*kernel)] = *factor;
}

void addArrivals(CLI::App& app, ArrivalSetup& arrivals, bool singles) {
    const char* group = "Who asks";
    if (singles) {
        addNumber(app, "--users", arrivals.users, limits::users, "closed loop: how many users (8)")
            ->group(group);
    }
    addTaken(app, "--arrivals", "closed|poisson:RATE|trace",
             "Each user waits for the answer (closed), turns come at RATE a\nsecond, or at the trace's times",
             "RATE: " + wordsOf(limits::ratePerS),
             [&arrivals](const std::string& text) { readArrivals(text, arrivals); })
        ->group(group);
    addTaken(app, "--think", "none|SECONDS|data",
             "closed loop: time from an answer to the next turn; data: as recorded (none)",
             "SECONDS: " + wordsOf(limits::thinkS),
             [&arrivals](const std::string& text) { readThink(text, arrivals); })
        ->group(group);
    addChoice(app, "--turn-order", arrivals.order, {TurnOrder::Sampled, TurnOrder::Replayed},
              "Turns drawn one by one, or sessions played in order (sampled)", group);
}

void addPolicy(CLI::App& app, PolicySetup& policy, bool singles) {
    const char* group = "Who decides what a step holds";
    addChoice(app, "--policy", policy.policy, {Policy::VllmV1, Policy::SinglePrefill, Policy::Mlx},
              "The batching policy (vllm-v1)", group);
    if (singles) {
        addOptionalNumber(
            app, "--chunk", policy.chunkTokens, limits::chunkTokens,
            "Most prompt tokens of one request in a step (vllm-v1: none,\nsingle-prefill: 512, mlx: 2048)")
            ->group(group);
    }
    addNumber(app, "--budget", policy.budgetTokens, limits::budgetTokens,
              "Most tokens in a step; not mlx (8192)")
        ->group(group);
    addNumber(app, "--max-seqs", policy.maxSeqs, limits::maxSeqs, "Most requests that run at once (256)")
        ->group(group);
    app.add_flag("--prefix-cache", policy.prefixCache, "vllm-v1: prompts that begin alike are computed once")
        ->group(group);
    addNumber(app, "--block-size", policy.blockTokens, limits::blockTokens,
              "vllm-v1: tokens in a KV block (16)")
        ->group(group);
    addOptionalNumber(app, "--kv-blocks", policy.kvBlocks, limits::kvBlocks,
                      "vllm-v1: KV blocks there are (none: enough; with\n--prefix-cache 1048576)")
        ->group(group);
    addOptionalNumber(app, "--gpu-memory-utilization", policy.memoryShare, limits::memoryShare,
                      "vllm-v1: as many KV blocks as this share of the device's\nmemory holds beside the "
                      "weights (none)")
        ->group(group);
    addNumber(app, "--max-model-len", policy.maxModelLen, limits::maxModelLen,
              "vllm-v1: tokens at which requests end; longer prompts are refused (1048576)")
        ->group(group);
    addNumber(app, "--watermark", policy.watermark, limits::watermark,
              "vllm-v1: share of the blocks kept free (0)")
        ->group(group);
    addChoice(app, "--order", policy.order, {VllmPolicy::Fcfs, VllmPolicy::Priority},
              "vllm-v1: who is served first (fcfs)", group);
    app.add_flag("--async", policy.async, "vllm-v1: the next step is scheduled while one runs")->group(group);
    addChoice(app, "--engine-version", policy.version,
              {VllmVersion::Latest, VllmVersion::March2026, VllmVersion::October2025},
              "vllm-v1: whose rules (latest)", group);
    addNumber(app, "--prefill-batch", policy.prefillBatch, limits::prefillBatch,
              "mlx: prompts in a prefill (8)")
        ->group(group);
    addNumber(app, "--prompt-cap", policy.fit.promptCap, limits::fittedPrompt,
              "single-prefill, study-like fit: prompts of more tokens are cut (0: never)")
        ->group(group);
    addNumber(app, "--free-prompt", policy.fit.freePrompt, limits::fittedPrompt,
              "single-prefill, study-like fit: prompts of up to N tokens cost no step (0)")
        ->group(group);
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
        addNumber(app, "--k", request_.kBits, {minKBits, maxKBits}, "Bits of the quantised weights (4)")
            ->group(cost);
    }
    app.add_option_function<std::vector<std::string>>(
           "--time-scale",
           [this](const std::vector<std::string>& texts) {
               for (const std::string& text : texts) {
                   readTimeScale(text, request_);
               }
           },
           "A kernel's times multiplied, 0: free; may be given several times [0..1000000]:\n" +
               timedKernels())
        ->option_text("KERNEL=FACTOR")
        ->allow_extra_args(false)
        ->group(cost);
    app.add_flag("--model-missing", request_.modelMissing, "Model kernels that the profile has no times of")
        ->group(cost);
    addChoice(app, "--step", request_.scope, {StepScope::GemmOnly, StepScope::WholeStep},
              "Count GEMMs alone, or attention and host too (gemm)", cost);
    addNumber(app, "--host-us", request_.hostUs, limits::hostUs,
              "whole-step: the host's share of a step in microseconds (0)")
        ->group(cost);
    const char* run = "The run";
    addOptionalNumber(app, "--iterations", request_.length.iterations, limits::iterations,
                      "Steps of a run (10000; none where --turns is given)")
        ->each([this](const std::string&) { iterationsGiven_ = true; })
        ->group(run);
    addOptionalNumber(app, "--turns", request_.length.turns, limits::turns,
                      "Turns answered in a run, which then ends (none)")
        ->group(run);
    addNumber(app, "--replicas", request_.replicas, limits::replicas, "Runs with seeds of their own (16)")
        ->group(run);
    addNumber(app, "--seed", request_.seed, limits::seed,
              "Seed of the first run; each other has the next (1)")
        ->group(run);
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
