// vLLM's own options to and from a simulated policy.
#pragma once

#include "core/base/result.h"
#include "core/simulate/setup/setup.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// An option that was taken over.
struct OptionTaken {
    std::string option; ///< as written
    std::string means;  ///< "token budget 8 192"
    bool operator==(const OptionTaken&) const = default;
};

/// An option that was not, and why.
struct OptionLeft {
    std::string option;
    std::string why; ///< "not part of the simulation", "not an option of vLLM known here", ...
    bool operator==(const OptionLeft&) const = default;
};

/// Settings of the scheduler in an engine's command line or config.
struct EngineOptions {
    PolicySetup policy;                ///< `base` with the options applied
    std::optional<std::string> model;  ///< as written: "meta-llama/Llama-3.1-8B"
    std::optional<std::string> shapes; ///< key of the shapes that this model has, where they are known
    std::optional<double> gpuMemoryUtilisation;
    std::string memoryWord; ///< as it was written
    std::optional<int> tensorParallel;
    std::vector<OptionTaken> taken;
    std::vector<OptionLeft> left;
};

/// Reads options over `base`, which becomes VllmV1. Nothing is guessed: what has no meaning here is listed in
/// `left`, and a value that is not of its kind is the Error, with the option's name. A prefix cache is set,
/// but listed in `left` where turns come in an `order` in which they share no prefix; where they do, a `vllm
/// serve` command that does not speak of it has one, as vLLM V1. That such a command without max_model_len
/// has the model's own is listed in `left`, where that is shorter than the policy's.
Result<EngineOptions> engineOptionsIn(std::string_view text, const PolicySetup& base = {},
                                      TurnOrder order = TurnOrder::Replayed);

/// `vllm serve MODEL --max-num-batched-tokens ...` with what the policy holds. For a policy that is not
/// vLLM's, an Error that says so.
Result<std::string> vllmServeCommand(const PolicySetup& policy, std::string_view model = "MODEL");

/// A whole number as vLLM reads it: "8192", "8k" (8 000), "8K" (8 192), "1.5M"; nothing for anything else.
std::optional<std::int64_t> engineNumber(std::string_view text);

} // namespace loadline
