// The user's choices for a simulation, by name: one comparable value behind panel, settings and commands.
#pragma once

#include "core/cost/profile/default_rule.h"
#include "core/simulate/setup/inputs.h"
#include "core/workload/source/source.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

// The words of choices, in options, settings and JSON.
std::string_view keyOf(ArrivalKind kind); ///< "closed", "poisson", "trace"
std::string_view keyOf(ThinkTime think);  ///< "none", "fixed", "data"
std::string_view keyOf(TurnOrder order);  ///< "auto", "sampled", "replayed"
std::string_view keyOf(StepScope scope);  ///< "auto", "gemm", "whole-step"

/// vLLM as it is served: PolicySetup, with KV blocks in vLLM's default share of the device's memory, with the
/// token budget and the sequences that it chooses for the device, and with its prefix cache, which decides
/// nothing where turns are drawn one by one.
PolicySetup policyAsServed();

inline constexpr int mostServedGpus = 64;

/// The choices of a simulation, before anything that they name is read.
struct SimulationRequest {
    Source workload;
    OutputCounts outputs = OutputCounts::Auto;
    std::string profile = "rtx4090-published"; ///< bundled, "roofline:GPU", "model:GPU", a file
    std::string shapes = "llama-3.1-8b";       ///< a preset's key, a file, or its text (isShapesText)
    std::string rule{autoRuleKey}; ///< "auto", a dispatch preset's key, or text (dispatchRuleFromText)
    Storage weights = Storage::K4;
    std::optional<Storage> experts = std::nullopt; ///< none: as the weights
    Storage kv = Storage::Fp16;                    ///< one that holdsKv
    /// Weights and experts of the format compared with. Its KV cache is fp16 where these are fp16 or k-bit,
    /// else stored as `kv`.
    Storage against = Storage::Fp16;
    int tensorParallel = 1; ///< GPUs; powers of two up to mostServedGpus
    int expertParallel = 1;
    std::array<double, kernelCount> timeScale = unscaled(); ///< by Kernel
    PolicySetup policy = policyAsServed();
    ArrivalSetup arrivals{.order = TurnOrder::Auto};
    bool modelMissing = false; ///< a kernel the profile lacks is modelled, not an Error
    StepScope scope = StepScope::Auto;
    double hostUs = 0; ///< WholeStep: sampling and host overhead of a step
    RunLength length;
    std::int64_t replicas = 16;
    std::uint64_t seed = 1;
    bool operator==(const SimulationRequest&) const = default;
};

/// Returns the request that the window starts with: the open sessions, as soon as there are any.
inline SimulationRequest firstRequest() {
    SimulationRequest request;
    request.workload = autoWorkload;
    return request;
}

/// The names in a request that stand for something to be read.
struct SimulationNames {
    Source workload;
    std::string profile, shapes, rule;
    OutputCounts outputs = OutputCounts::Auto;
    bool operator==(const SimulationNames&) const = default;
};
SimulationNames namesOf(const SimulationRequest& request);
/// Whether what is simulated, or what it is drawn against, comes from the sessions that are open.
bool speaksOfOpen(const SimulationRequest& now, const std::optional<SimulationRequest>& against);

/// The objects that the names of a request stand for.
struct SimulationSources {
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const Profile> profile; ///< null: rooflines of `hardware` alone
    const Hardware* hardware = nullptr;
    std::shared_ptr<const AttentionTable> attention; ///< null: rooflines
    std::shared_ptr<const AtlasSurfaces> surfaces;   ///< an engine's kernels; null: none
    std::shared_ptr<const JudgedServers> judged;     ///< measured servers; null: none
    ModelShapes shapes;
    DispatchRule rule;
};

/// Returns the Error of the policy's values; nothing if they can be simulated.
std::optional<Error> problemOf(const PolicySetup& policy);

/// Returns the Error of the choices themselves, whatever their names stand for; nothing if they can be
/// simulated.
std::optional<Error> problemOf(const SimulationRequest& request);

/// The request with its names resolved, to be asked problemOf. Precondition: `sources` belong to
/// namesOf(request).
SimulationInputs inputsOf(const SimulationRequest& request, const SimulationSources& sources);

/// The request with what "auto" came to, so that it says the same again whatever "auto" will mean.
SimulationRequest resolved(SimulationRequest request, const SimulationInputs& inputs);

/// "fp16: RTX 4090, published": where kernel times come from.
std::string timesOf(const SimulationSources& sources);

} // namespace loadline
