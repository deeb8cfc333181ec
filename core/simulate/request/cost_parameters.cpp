// The parameters of what a step costs, and of the run.
#include "core/cost/kernel/kernel.h"
#include "core/simulate/request/parameter_places.h"

#include <array>

namespace loadline {
namespace {

using R = SimulationRequest;
using F = SourceFacts;

constexpr double mostRunLength = 1e9; // steps or turns, which take hours

constexpr std::array<ParameterChoice, 3> scopes = {
    {{"auto", "auto", "Whole steps where the shapes are of a model and its device is known, else GEMMs"},
     {"gemm", "GEMMs", "The matrix products alone, as the published study"},
     {"whole-step", "whole step", "And attention, and the host's share"}}};

bool isWholeStep(const R& r, const F& facts) {
    return r.scope == StepScope::WholeStep || (r.scope == StepScope::Auto && facts.knowsAttention);
}

std::string_view whyNoWholeStep(const R& r, const F& facts) {
    return facts.knowsAttention || r.scope == StepScope::WholeStep
               ? ""
               : "These shapes say nothing of attention: choose the shapes of a model for the whole step";
}

} // namespace

std::span<const ParameterSpec> costParameters() {
    using enum ParameterGroup;
    using Part = FormPlace::Part;
    using Scale = SliderSpec::Scale;
    static const std::array rows = {
        row("profile", Costs, place<&R::profile>, {"profile"}, {}, {Part::Costs, 3, "Profile"}, {}, {},
            {.option = {"P"}}),
        row("shapes", Costs, place<&R::shapes>, {"shapes"}, {}, {Part::Costs, 2, "Shapes"}, {}, {},
            {.option = {"S"}}),
        row("rule", Costs, place<&R::rule>, {"kernels", "", "the dispatch rule"}, {},
            {Part::Costs, 4, "Kernels"}, {}, {}, {.option = {"R"}}),
        row("k", Costs, place<&R::kBits>, {"k", "Bits of the quantised weights (4)", "k"},
            {minKBits, maxKBits}, {Part::Costs, 1, "k, bits", "Bits of a quantised weight; fp16 has 16"},
            {.each = "Weights of {} bits"}, {}, {.listed = true}),
        row("time-scale", Costs, FactorsPlace{}, {}, {}, {}, {}, {}, {.option = {"KERNEL=FACTOR"}}),
        row("model-missing", Costs, place<&R::modelMissing>,
            {"missing kernels modelled", "Model kernels that the profile has no times of"}),
        row("step", Costs, chosen<&R::scope>(scopes),
            {"counts",
             "Count GEMMs alone, or attention and host too; auto: whole steps where the\nshapes are of a "
             "model (auto)",
             "what a step counts"},
            {}, {Part::Costs, 5, "Counts", "What of a step is timed", nullptr, whyNoWholeStep}),
        row("host-us", Costs, place<&R::hostUs>,
            {"host \u00b5s", "whole-step: the host's share of a step in microseconds (0)",
             "the host's share of a step", "the host's share"},
            {0, 1e9}, {Part::Costs, 6, "Host", "Sampling and host overhead of a step", isWholeStep},
            {0, 20'000, Scale::Linear, "\u00b5s"}),
        row("iterations", Run, place<&R::length, &RunLength::iterations>,
            {"iterations",
             "Steps of a run, which then begins empty and is counted from its first step\n(none: warm-up is "
             "left out, and the run lasts until its figures are settled)",
             "the number of iterations"},
            {1, mostRunLength}),
        row("turns", Run, place<&R::length, &RunLength::turns>,
            {"turns answered", "Turns answered in a run, which then ends (none)", "the number of turns"},
            {1, mostRunLength}),
        row("replicas", Run, place<&R::replicas>,
            {"seeds", "Seeds: runs of one setting, each with a seed of its own (16)",
             "the number of replicas", "the seeds"},
            {1, 1000},
            {Part::More, 9, "Seeds",
             "Runs of one setting, each with a seed of its own; bands show their spread"},
            {1, 64}),
        row("seed", Run, place<&R::seed>, {"seed", "Seed of the first run; each other has the next (1)"}, {},
            {Part::More, 10, "First seed", "Of the first run: the same seed gives the same result"},
            {1, 100, Scale::Linear}),
    };
    return rows;
}

std::string_view keyOf(StepScope scope) {
    return scopes[static_cast<std::size_t>(scope)].key;
}

} // namespace loadline
