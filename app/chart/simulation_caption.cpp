// The small print of a simulated chart, by worth.
#include "app/chart/simulation_caption.h"

#include "app/chart/session_chart.h"
#include "app/options/cost_option.h"
#include "core/simulate/answer/comparison.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace loadline::app {
namespace {

/// "reference", "all 45 sessions, 2026-01-05 to 2026-02-01".
std::string workloadWords(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    Source workload = request.simulation.workload;
    workload.resolveAuto(corpus != nullptr);
    if (!workload.isOpen() || !corpus) {
        return workload.name;
    }
    ChartRequest sessions = request;
    sessions.scope = workload.scope.value_or(request.scope);
    return scopeCaption(sessions, corpus);
}

/// "2 048 (auto)": what "auto" comes to with these kernel times and shapes; as it is written where they
/// cannot be read.
std::string inForce(const char* key, const SimulationRequest& now) {
    const ask::Field& field = simulationField(key);
    const Result<TimesChoice> times = resolveTimes(now.profile);
    const Result<ModelShapes> shapes = resolveShapes(now.shapes);
    if (numberOf(field, &now) || !times || !shapes) {
        return wordOf(field, &now);
    }
    SimulationSources sources;
    sources.profile = times->profile;
    sources.hardware = times->hardware;
    sources.shapes = *shapes;
    const SimulationRequest inForce = resolved(now, inputsOf(now, sources));
    return wordOf(field, &inForce) + " (auto)";
}

/// Who decides what a step holds, as far as the policy knows it.
std::vector<std::string> policyWords(const SimulationRequest& now) {
    const PolicySpec& spec = specOf(now.policy.policy);
    const Tokens chunk = chunkOf(now.policy);
    std::vector<std::string> words;
    words.push_back(chunk > 0 ? "chunk " + formatExact(chunk) : "no chunk limit");
    if (now.workload.name != "reference" && now.arrivals.order != TurnOrder::Sampled) {
        words.emplace_back(now.policy.prefixCache ? "prefix cache" : "no prefix cache");
    }
    if (spec.whyNoBudget.empty()) {
        words.push_back("budget " + inForce("budget", now));
    }
    words.push_back(fmt::format("at most {} sequences", inForce("max-seqs", now)));
    return words;
}

/// ", modelled, unvalidated" of times that nobody took.
std::string modelledWords(const std::string& profile) {
    const Result<TimesChoice> times = resolveTimes(profile);
    return times && times->profile && isUnvalidated(*times->profile) ? ", modelled, unvalidated" : "";
}

/// Returns the other choices that differ from their defaults.
std::vector<std::string> otherWords(const SimulationRequest& now) {
    SimulationRequest usual;
    usual.workload = now.workload;
    usual.arrivals.kind = now.arrivals.kind;
    usual.arrivals.users = now.arrivals.users;
    usual.arrivals.ratePerS = now.arrivals.ratePerS;
    usual.shapes = now.shapes;
    usual.weights = now.weights;
    usual.profile = now.profile;
    usual.timeScale = now.timeScale;
    usual.policy.policy = now.policy.policy;
    usual.policy.chunkTokens = now.policy.chunkTokens;
    usual.policy.prefixCache = now.policy.prefixCache;
    usual.policy.budgetTokens = now.policy.budgetTokens;
    usual.policy.maxSeqs = now.policy.maxSeqs;
    std::vector<std::string> words;
    for (const ChoiceDifference& other : differencesOf(now, usual)) {
        words.push_back(other.choice + " " + other.now);
    }
    return words;
}

} // namespace

std::string simulationCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    const SimulationRequest& now = request.simulation;
    const ArrivalSetup& arrivals = now.arrivals;
    std::vector<std::string> words = {
        "workload " + workloadWords(request, corpus),
        describe(arrivals),
        std::string(nameOf(now.policy.policy)),
        fmt::format("shapes {}, {}", now.shapes, specOf(now.weights).name),
        "kernel times " + now.profile + modelledWords(now.profile),
    };
    for (const Kernel kernel : allKernels) {
        const double scale = now.timeScale[static_cast<std::size_t>(kernel)];
        if (scale != 1) { // never elided at the end
            words.push_back(fmt::format("{} times dragged: \u00d7 {:g}", nameOf(kernel), scale));
        }
    }
    if (request.against && request.chart->compares) {
        std::vector<ChoiceDifference> differences = differencesOf(now, *request.against);
        if (request.against->workload.scope) {
            differences.insert(differences.begin(), {"sessions", "", "others"});
        }
        words.push_back("against " + pinnedNameOf(differences));
    }
    for (const auto& more : {policyWords(now), otherWords(now)}) {
        words.insert(words.end(), more.begin(), more.end());
    }
    return fmt::format("{}", fmt::join(words, "; "));
}

} // namespace loadline::app
