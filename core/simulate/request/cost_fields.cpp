// The fields of what a step costs, and of the run.
#include "core/cost/kernel/kernel.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/request/field_row.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
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

/// In the order of Storage.
constexpr auto storageChoices = [] {
    std::array<ask::Choice, storageSpecs.size()> choices;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        choices[i] = {storageSpecs[i].key, storageSpecs[i].name};
    }
    return choices;
}();

/// "As the weights", then storageChoices.
constexpr auto expertChoices = [] {
    std::array<ask::Choice, storageSpecs.size() + 1> choices;
    choices[0] = {"as-weights", "as the weights"};
    std::ranges::copy(storageChoices, choices.begin() + 1);
    return choices;
}();

/// Those that hold a KV cache are the first of Storage.
constexpr std::size_t kvStorages = 2;
static_assert(std::ranges::all_of(storageSpecs, [](const StorageSpec& spec) {
    return spec.holdsKv == (static_cast<std::size_t>(spec.storage) < kvStorages);
}));
constexpr std::span<const ask::Choice> kvChoices = std::span(storageChoices).first(kvStorages);

/// Powers of two.
constexpr std::array<ask::Choice, 7> gpuChoices = {{{"1"}, {"2"}, {"4"}, {"8"}, {"16"}, {"32"}, {"64"}}};
static_assert(1 << (gpuChoices.size() - 1) == mostServedGpus);
constexpr std::string_view storageLimits = "fp16 or bf16, fp8, fp8-block, nvfp4, int8, int4, mxfp4, k2 to k5";
constexpr std::string_view gpuLimits = "1, 2, 4, 8, 16, 32, 64";

/// Keys of storages, and "bf16".
template <auto member>
bool readStorage(R& r, std::string_view text) {
    const auto storage = storageFrom(text);
    if (storage) {
        r.*member = *storage;
    }
    return storage.has_value();
}

bool readKv(R& r, std::string_view text) {
    const auto storage = storageFrom(text);
    const bool holds = storage && specOf(*storage).holdsKv;
    r.kv = holds ? *storage : r.kv;
    return holds;
}

bool readExperts(R& r, std::string_view text) {
    if (text != expertChoices[0].key) {
        return readStorage<&R::experts>(r, text);
    }
    r.experts.reset();
    return true;
}

ask::Access expertsAccess() {
    return {ask::Access::Type::Chosen,
            false,
            [](const void* question) {
                const auto& experts = static_cast<const R*>(question)->experts;
                return ask::Value(experts ? static_cast<std::int64_t>(*experts) + 1 : std::int64_t{0});
            },
            [](void* question, const ask::Value& value) {
                const auto chosen = std::get<std::int64_t>(value);
                auto& experts = static_cast<R*>(question)->experts;
                experts = chosen > 0 ? std::optional(static_cast<Storage>(chosen - 1)) : std::nullopt;
            },
            expertChoices,
            &typeid(R)};
}

/// The exponents of GPUs that are a power of two.
template <int R::*gpus>
ask::Access gpusAccess() {
    return {ask::Access::Type::Chosen,
            false,
            [](const void* question) {
                const auto held = static_cast<unsigned>(
                    std::clamp(static_cast<const R*>(question)->*gpus, 1, mostServedGpus));
                return ask::Value(std::int64_t{std::bit_width(held)} - 1);
            },
            [](void* question, const ask::Value& value) {
                static_cast<R*>(question)->*gpus = 1 << std::get<std::int64_t>(value);
            },
            gpuChoices,
            &typeid(R)};
}

ask::Access kAccess() {
    return {ask::Access::Type::Whole,
            false,
            [](const void* question) {
                const auto k = quantisedK(static_cast<const R*>(question)->weights);
                return k ? ask::Value(std::int64_t{*k}) : ask::Value();
            },
            [](void* question, const ask::Value& value) {
                const auto* const k = std::get_if<std::int64_t>(&value);
                if (k != nullptr && *k >= minKBits && *k <= maxKBits) {
                    static_cast<R*>(question)->weights = storageOfBits(static_cast<int>(*k));
                }
            },
            {},
            &typeid(R)};
}

std::string whyNoK(const R& r, const F& /*facts*/) {
    return quantisedK(r.weights) ? "" : fmt::format("Weights are {}", specOf(r.weights).name);
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
            {.part = Part::Costs, .rank = 4, .label = "Profile", .editor = "file"}, {}, {}, {.text = {"P"}}),
        row("shapes", costsGroup, ask::bound<&R::shapes>(), {"shapes", shapesHelp()}, {},
            {.part = Part::Costs, .rank = 3, .label = "Shapes", .editor = "file"}, {}, {}, {.text = {"S"}}),
        row("rule", costsGroup, ask::bound<&R::rule>(), {"kernels", ruleHelp(), "the dispatch rule"}, {},
            {.part = Part::Costs, .rank = 5, .label = "Kernels", .editor = "list"}, {}, {}, {.text = {"R"}}),
        row("k", costsGroup, kAccess(), {"k", "Bits of the quantised weights (4)", "k"}, {minKBits, maxKBits},
            {Part::Costs, 2, "k, bits", "Bits of a quantised weight; fp16 has 16", nullptr, byFacts<whyNoK>},
            {.each = "Weights of {} bits"}, {}, {.takesList = true}),
        row("weights", costsGroup, ask::bound<&R::weights>(storageChoices),
            {"weights",
             "How the weights are stored (k4): fp16 or bf16, fp8, fp8-block, nvfp4, int8,\nint4, mxfp4, k2 "
             "to "
             "k5. k2 to k5 are --k 2 to --k 5; fp8 to mxfp4 are an\nengine's formats, which a GPU of the "
             "atlas has"},
            {},
            {.part = Part::Costs,
             .rank = 1,
             .label = "Weights",
             .tip = "How the weights are stored; the embedding stays fp16",
             .editor = "list"},
            {}, {},
            {.takesList = true,
             .text = {.form = "F",
                      .read = ask::readBy<readStorage<&R::weights>, R>,
                      .limits = storageLimits}}),
        row("experts", costsGroup, expertsAccess(),
            {"experts", "How experts are stored, as --weights has them (as-weights)",
             "how experts are stored"},
            {},
            {.part = Part::More,
             .rank = 14,
             .label = "Experts",
             .tip = "How the weights of experts are stored",
             .editor = "list"},
            {}, {}, {.text = {.form = "F", .read = ask::readBy<readExperts, R>, .limits = storageLimits}}),
        row("kv", costsGroup, ask::bound<&R::kv>(kvChoices),
            {"KV cache", "How the KV cache is stored (fp16)", "how the KV cache is stored"}, {},
            {Part::More, 13, "KV cache", "How keys and values are stored"}, {}, {},
            {.text = {.read = ask::readBy<readKv, R>}}),
        row("against", costsGroup, ask::bound<&R::against>(storageChoices),
            {"against",
             "How weights and experts are stored in the format compared with (fp16); its KV\ncache is fp16 "
             "beside fp16 and k-bit weights, else stored as --kv",
             "the format compared with"},
            {},
            {.part = Part::Costs,
             .rank = 6,
             .label = "Against",
             .tip = "Weights and experts of the format compared with",
             .editor = "list"},
            {}, {},
            {.text = {.form = "F",
                      .read = ask::readBy<readStorage<&R::against>, R>,
                      .limits = storageLimits}}),
        row("tp", costsGroup, gpusAccess<&R::tensorParallel>(),
            {"tensor parallel", "GPUs that each matrix is split over (1)", "tensor parallelism"}, {},
            {.part = Part::More,
             .rank = 11,
             .label = "GPUs, tensor parallel",
             .tip = "GPUs that each matrix is split over",
             .editor = "list"},
            {}, {}, {.text = {.form = "GPUS", .limits = gpuLimits}}),
        row("ep", costsGroup, gpusAccess<&R::expertParallel>(),
            {"expert parallel", "GPUs that experts are dealt to (1)", "expert parallelism"}, {},
            {.part = Part::More,
             .rank = 12,
             .label = "GPUs, expert parallel",
             .tip = "GPUs that experts are dealt to",
             .editor = "list"},
            {}, {}, {.text = {.form = "GPUS", .limits = gpuLimits}}),
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
            {}, {Part::Costs, 9, "Counts", "What of a step is timed", nullptr, byFacts<whyNoWholeStep>}),
        row("host-us", costsGroup, ask::bound<&R::hostUs>(),
            {"host \u00b5s", "whole-step: the host's share of a step in microseconds (0)",
             "the host's share of a step", "the host's share"},
            {0, 1e9}, {Part::Costs, 10, "Host", "Sampling and host overhead of a step", byFacts<isWholeStep>},
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
