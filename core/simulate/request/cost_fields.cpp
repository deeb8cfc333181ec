// The fields of what a step costs, and of the run.
#include "core/cost/kernel/kernel.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/request/field_row.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace loadline {
namespace {

using R = SimulationRequest;
using F = SourceFacts;

constexpr double mostRunLength = 1e9; // steps or turns, which take hours

constexpr std::array<ask::Choice, 3> scopes = {
    {{"auto", "auto", "Whole steps where the shapes are of a model and its device is known, else GEMMs"},
     {"gemm", "GEMMs", "The matrix products alone, as the published study"},
     {"whole-step", "whole step", "And attention, and the host's share"}}};

bool isWholeStep(const R& r, const F& facts) {
    return r.scope == StepScope::WholeStep || (r.scope == StepScope::Auto && facts.knowsAttention);
}

std::string whyNoWholeStep(const R& r, const F& facts) {
    return facts.knowsAttention || r.scope == StepScope::WholeStep
               ? ""
               : "These shapes say nothing of attention: choose the shapes of a model for the whole step";
}

std::string_view factorLimits() {
    static const std::string words = fmt::format("KERNEL={}..{}", timeScales.least, timeScales.most);
    return words;
}

std::string_view shapesHelp() {
    static const std::string words = "Matrix products of the model (" + R().shapes +
                                     "): a JSON file of shapes, its text, or\n" +
                                     brokenAfterCommas(keyList(shapePresets()));
    return words;
}

std::string_view ruleHelp() {
    static const std::string words =
        "Which kernel serves which M (auto): auto, " + keyList(dispatchPresets()) +
        ",\nor kernels with the M up to which each serves, experts' after a semicolon:\n"
        "'scalar:4,mma:16,dequant_cublas;grouped_mma:16,grouped_dequant'.\n"
        "A side that is left out is as in code. auto: code where the kernel times hold\n"
        "just its kernels, else fastest.\n"
        "None serves more rows than it was timed at or is built for: above, the next does";
    return words;
}

/// Names the kernels that have times of their own.
std::string_view timeScaleHelp() {
    static const std::string words = [] {
        std::string list;
        for (const Kernel kernel : allKernels) {
            if (!partsOf(kernel).second) {
                list += (list.empty() ? "" : ", ") + std::string(keyOf(kernel));
            }
        }
        return fmt::format("A kernel's times multiplied, 0: free; may be given several times [{}..{}]:\n{}",
                           timeScales.least, timeScales.most, brokenAfterCommas(list));
    }();
    return words;
}

std::vector<double> timeScalesOf(const void* question) {
    const auto& scales = static_cast<const R*>(question)->timeScale;
    return {scales.begin(), scales.end()};
}

/// By hand: within what a chart can show.
void setTimeScale(void* question, std::size_t kernel, double factor) {
    static_cast<R*>(question)->timeScale.at(kernel) = std::clamp(factor, 0.01, 100.0);
}

} // namespace

ask::Fields costFields() {
    using Part = ask::FormPart;
    using Scale = ask::SliderScale;
    static const std::array rows = {
        row("profile", costsGroup, ask::bound<&R::profile>(), {"profile"}, {},
            {.part = Part::Costs, .rank = 3, .label = "Profile", .editor = "file"}, {}, {}, {.text = {"P"}}),
        row("shapes", costsGroup, ask::bound<&R::shapes>(), {"shapes", shapesHelp()}, {},
            {.part = Part::Costs, .rank = 2, .label = "Shapes", .editor = "file"}, {}, {}, {.text = {"S"}}),
        row("rule", costsGroup, ask::bound<&R::rule>(), {"kernels", ruleHelp(), "the dispatch rule"}, {},
            {.part = Part::Costs, .rank = 4, .label = "Kernels", .editor = "list"}, {}, {}, {.text = {"R"}}),
        row("k", costsGroup, ask::bound<&R::kBits>(), {"k", "Bits of the quantised weights (4)", "k"},
            {minKBits, maxKBits}, {Part::Costs, 1, "k, bits", "Bits of a quantised weight; fp16 has 16"},
            {.each = "Weights of {} bits"}, {}, {.takesList = true}),
        row("time-scale", costsGroup, ask::inWords<R>(), {"kernel times", timeScaleHelp()}, {}, {}, {}, {},
            {.text = {.form = "KERNEL=FACTOR",
                      .read = ask::readBy<readFactor, R>,
                      .limits = factorLimits(),
                      .several =
                          [](const void* question) { return factorsOf(*static_cast<const R*>(question)); }},
             .parts = timeScalesOf,
             .setPart = setTimeScale}),
        row("model-missing", costsGroup, ask::bound<&R::modelMissing>(),
            {"missing kernels modelled", "Model kernels that the profile has no times of"}),
        row("step", costsGroup, ask::bound<&R::scope>(scopes),
            {"counts",
             "Count GEMMs alone, or attention and host too; auto: whole steps where the\nshapes are of a "
             "model (auto)",
             "what a step counts"},
            {}, {Part::Costs, 5, "Counts", "What of a step is timed", nullptr, byFacts<whyNoWholeStep>}),
        row("host-us", costsGroup, ask::bound<&R::hostUs>(),
            {"host \u00b5s", "whole-step: the host's share of a step in microseconds (0)",
             "the host's share of a step", "the host's share"},
            {0, 1e9}, {Part::Costs, 6, "Host", "Sampling and host overhead of a step", byFacts<isWholeStep>},
            {0, 20'000, Scale::Linear, "\u00b5s"}),
        row("iterations", runGroup, ask::bound<&R::length, &RunLength::iterations>(),
            {"iterations",
             "Steps of a run, which then begins empty and is counted from its first step\n(none: warm-up is "
             "left out, and the run lasts until its figures are settled)",
             "the number of iterations"},
            {1, mostRunLength}),
        row("turns", runGroup, ask::bound<&R::length, &RunLength::turns>(),
            {"turns answered", "Turns answered in a run, which then ends (none)", "the number of turns"},
            {1, mostRunLength}),
        row("replicas", runGroup, ask::bound<&R::replicas>(),
            {"seeds", "Seeds: runs of one setting, each with a seed of its own (16)",
             "the number of replicas", "the seeds"},
            {1, 1000},
            {Part::More, 9, "Seeds",
             "Runs of one setting, each with a seed of its own; bands show their spread"},
            {1, 64}),
        row("seed", runGroup, ask::bound<&R::seed>(),
            {"seed", "Seed of the first run; each other has the next (1)"}, {},
            {Part::More, 10, "First seed", "Of the first run: the same seed gives the same result"},
            {1, 100, Scale::Linear}),
    };
    return rows;
}

std::string_view keyOf(StepScope scope) {
    return scopes[static_cast<std::size_t>(scope)].key;
}

} // namespace loadline
