// From a simulation request to command line words.
#include "app/options/simulation_words.h"

#include "app/files/profile_library.h"

#include <fmt/format.h>

#include <optional>

namespace loadline::app {
namespace {

/// Options that differ from the default, one after the other.
class Differences {
public:
    template <typename T>
    void add(const char* option, const T& value, const T& usual) {
        if (value != usual) {
            put(option, fmt::format("{}", value));
        }
    }

    /// An option whose absence is a value of its own.
    template <typename T>
    void add(const char* option, const std::optional<T>& value, const std::optional<T>& usual) {
        if (value != usual) {
            put(option, value ? fmt::format("{}", *value) : std::string("none"));
        }
    }

    template <typename T>
    void key(const char* option, T value, T usual) {
        if (value != usual) {
            put(option, std::string(keyOf(value)));
        }
    }

    void flag(const char* option, bool set) {
        if (set) {
            words_.emplace_back(option);
        }
    }

    void put(const char* option, std::string value) {
        words_.emplace_back(option);
        words_.push_back(std::move(value));
    }

    std::vector<std::string> take() { return std::move(words_); }

private:
    std::vector<std::string> words_;
};

void addCost(Differences& words, const SimulationRequest& request) {
    const SimulationRequest usual;
    words.add("--workload", request.workload, usual.workload);
    words.key("--outputs", request.outputs, usual.outputs);
    words.add("--profile", request.profile, usual.profile);
    words.add("--shapes", request.shapes, usual.shapes);
    words.add("--rule", request.rule, usual.rule);
    words.add("--k", request.kBits, usual.kBits);
    for (const Kernel kernel : allKernels) {
        const auto i = static_cast<std::size_t>(kernel);
        if (request.timeScale[i] != usual.timeScale[i]) {
            words.put("--time-scale", fmt::format("{}={}", keyOf(kernel), request.timeScale[i]));
        }
    }
    words.flag("--model-missing", request.modelMissing);
    words.key("--step", request.scope, usual.scope);
    words.add("--host-us", request.hostUs, usual.hostUs);
}

void addPolicy(Differences& words, const PolicySetup& policy) {
    const PolicySetup usual;
    words.key("--policy", policy.policy, usual.policy);
    words.add("--chunk", policy.chunkTokens, usual.chunkTokens);
    words.add("--budget", policy.budgetTokens, usual.budgetTokens);
    words.add("--max-seqs", policy.maxSeqs, usual.maxSeqs);
    words.flag("--no-chunked-prefill", !policy.chunkedPrefill);
    words.flag("--prefix-cache", policy.prefixCache);
    words.add("--block-size", policy.blockTokens, usual.blockTokens);
    words.add("--kv-blocks", policy.kvBlocks, usual.kvBlocks);
    words.add("--gpu-memory-utilization", policy.memoryShare, usual.memoryShare);
    words.add("--max-model-len", policy.maxModelLen, usual.maxModelLen);
    words.add("--watermark", policy.watermark, usual.watermark);
    words.flag("--no-full-reservation", !policy.reserveFullPrompt);
    words.key("--order", policy.order, usual.order);
    words.flag("--async", policy.async);
    words.key("--engine-version", policy.version, usual.version);
    words.add("--prefill-batch", policy.prefillBatch, usual.prefillBatch);
    words.add("--prompt-cap", policy.fit.promptCap, usual.fit.promptCap);
    words.add("--free-prompt", policy.fit.freePrompt, usual.fit.freePrompt);
}

void addArrivals(Differences& words, const ArrivalSetup& arrivals) {
    const ArrivalSetup usual;
    words.add("--users", arrivals.users, usual.users);
    if (arrivals.kind == ArrivalKind::Poisson) {
        words.put("--arrivals", fmt::format("poisson:{}", arrivals.ratePerS));
    } else {
        words.key("--arrivals", arrivals.kind, usual.kind);
    }
    if (arrivals.think == ThinkTime::Fixed) {
        words.put("--think", fmt::format("{}", arrivals.thinkS));
    } else {
        words.key("--think", arrivals.think, usual.think);
    }
    words.key("--turn-order", arrivals.order, usual.order);
}

} // namespace

std::string_view keyOf(VllmPolicy order) {
    return order == VllmPolicy::Fcfs ? "fcfs" : "priority";
}

std::string_view keyOf(VllmVersion version) {
    switch (version) {
    case VllmVersion::Latest:
        return "latest";
    case VllmVersion::March2026:
        return "2026-03";
    case VllmVersion::October2025:
        break;
    }
    return "2025-10";
}

std::vector<std::string> wordsOf(const SimulationRequest& request) {
    Differences words;
    addCost(words, request);
    addPolicy(words, request.policy);
    addArrivals(words, request.arrivals);
    const SimulationRequest usual;
    if (request.length.turns) { // alone it would lift the limit on iterations
        words.put("--iterations",
                  request.length.iterations ? fmt::format("{}", *request.length.iterations) : "none");
    } else {
        words.add("--iterations", request.length.iterations, usual.length.iterations);
    }
    words.add("--turns", request.length.turns, usual.length.turns);
    words.add("--replicas", request.replicas, usual.replicas);
    words.add("--seed", request.seed, usual.seed);
    return words.take();
}

std::vector<std::string> commandWordsOf(const SimulationRequest& request) {
    std::vector<std::string> words = wordsOf(request);
    if (hasSavedProfiles() && request.profile == SimulationRequest{}.profile) {
        words.insert(words.begin(), {"--profile", request.profile});
    }
    return words;
}

} // namespace loadline::app
