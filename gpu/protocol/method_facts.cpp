// A plan in words.
#include "gpu/protocol/method_facts.h"

#include "core/text/json/compact_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace loadline::gpu {
namespace {

using Json = nlohmann::json;

std::set<Kernel> kernelsOf(const Plan& plan) {
    std::set<Kernel> kernels;
    for (const PlannedPoint& planned : plan.points) {
        kernels.insert(planned.spec.kernel);
    }
    return kernels;
}

/// The kernels' names on this device.
Json namesOf(const Backend& backend, const Plan& plan) {
    Json names = Json::object();
    for (const Kernel kernel : kernelsOf(plan)) {
        names[std::string(keyOf(kernel))] = backend.kernelName(kernel);
    }
    for (const AttentionCall& call : plan.attention.calls) {
        names[fmt::format("{}_attention", keyOf(call.phase))] = backend.attentionName(call.phase);
    }
    return names;
}

} // namespace

std::string wordsFor(const PointSpec& spec, const KernelNaming& naming) {
    std::string words = fmt::format("{}, {}", nameOf(spec.kernel, naming), textOf(spec.size));
    if (spec.experts > 1) {
        words += fmt::format(" x {} experts", spec.experts);
    }
    if (spec.kBits != fp16Bits) {
        words += fmt::format(", k = {}", spec.kBits);
    }
    if (spec.rowsM > 0) {
        words += fmt::format(", M = {}", spec.rowsM);
    }
    return words;
}

std::vector<std::string> leftOutWords(const Plan& plan, const KernelNaming& naming) {
    std::vector<std::string> all;
    for (const PointSpec& spec : plan.leftOut) {
        all.push_back(wordsFor(spec, naming));
    }
    for (const AttentionCall& call : plan.attention.leftOut) {
        all.push_back(textOf(call));
    }
    return all;
}

Facts methodFactsOf(const Backend& backend, const Plan& plan, const KernelNaming& naming,
                    const MeasureContext& context) {
    Facts facts = context.facts;
    const auto add = [&](const std::string& key, const Json& value) { facts[key] = compactJson(value); };
    const PresetRule rule = ruleOf(plan.preset);
    add("program_version", context.version);
    add("preset", std::string(keyOf(plan.preset)));
    add("seed", plan.seed);
    add("samples_least", rule.sampling.leastSamples);
    add("samples_least_of_long", rule.sampling.leastLongSamples);
    add("samples_most", rule.sampling.mostSamples);
    add("relative_interval", rule.sampling.relativeInterval);
    add("passes", rule.passes);
    add("calls_per_sample", "as many as take 1 ms, 8 to 512; 2 of 2 ms or more, 1 of 20 ms or more");
    add("caches", "cold: calls rotate over weights of 4 times the last-level cache and 256 MB or more");
    if (plan.anchor) {
        add("anchor", wordsFor(*plan.anchor, naming));
    }
    if (const std::vector<std::string> leftOut = leftOutWords(plan, naming); !leftOut.empty()) {
        add("left_out_for_time", leftOut);
    }
    const std::set<Kernel> kernels = kernelsOf(plan);
    if (std::any_of(kernels.begin(), kernels.end(), [](Kernel k) { return partsOf(k).second; })) {
        add("pairs",
            "dequantise, then the fp16 GEMM as one call; all calls of a point write the fp16 weights "
            "to one buffer and read them there, as an engine does");
    }
    add("kernels", namesOf(backend, plan));
    return facts;
}

std::map<std::string, int> rowTilesOf(const Backend& backend, const Plan& plan) {
    std::map<std::string, int> tiles;
    for (const Kernel kernel : kernelsOf(plan)) {
        if (const int rows = backend.rowTile(kernel); rows > 0) {
            tiles[std::string(keyOf(kernel))] = rows;
        }
    }
    return tiles;
}

} // namespace loadline::gpu
