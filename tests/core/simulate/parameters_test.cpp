// Every parameter's row: a key and words of its own, a value that is written as it is read, a range that
// holds.
#include "core/simulate/request/parameters.h"

#include "core/simulate/policy/policy_spec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace loadline {
namespace {

bool isFactors(const ParameterSpec& spec) {
    return std::holds_alternative<FactorsPlace>(spec.field);
}

TEST(Parameters, HaveKeysAndWordsOfTheirOwn) {
    std::set<std::string_view> keys;
    std::set<std::string_view> engine;
    for (const ParameterSpec& spec : parameterSpecs()) {
        EXPECT_TRUE(keys.insert(spec.key).second) << spec.key;
        EXPECT_EQ(&parameterOf(spec.key), &spec);
        EXPECT_TRUE(spec.vllm.name.empty() || engine.insert(spec.vllm.name).second) << spec.key;
        if (!isFactors(spec)) {
            EXPECT_FALSE(spec.words.name.empty()) << spec.key;
            EXPECT_GT(nameOfChange(spec).size(), std::string("Change ").size()) << spec.key;
        }
        if (spec.form.part != FormPlace::Part::None) {
            EXPECT_FALSE(spec.form.label.empty()) << spec.key;
        }
    }
}

TEST(Parameters, AreReadAsTheyAreWritten) {
    for (const ParameterSpec& spec : parameterSpecs()) {
        SimulationRequest request;
        if (isFactors(spec)) {
            EXPECT_TRUE(readText(spec, "mma=0.5", request));
            EXPECT_EQ(factorsOf(request), std::vector<std::string>{"mma=0.5"});
            EXPECT_FALSE(readText(spec, "mma=-1", request));
            continue;
        }
        const std::string usual = textOf(spec, request);
        EXPECT_TRUE(readText(spec, usual, request)) << spec.key;
        EXPECT_TRUE(request == SimulationRequest{}) << spec.key;
        if (const auto* chosen = std::get_if<ChosenPlace>(&spec.field)) {
            for (int i = 0; i < static_cast<int>(chosen->choices.size()); ++i) {
                chosen->set(request, i);
                SimulationRequest read;
                EXPECT_TRUE(readText(spec, textOf(spec, request), read)) << spec.key;
                EXPECT_EQ(chosen->get(read), i) << spec.key;
            }
        }
        if (isWhole(spec) || std::holds_alternative<ChosenPlace>(spec.field)) {
            const SimulationRequest before = request;
            EXPECT_FALSE(readText(spec, "nonsense", request)) << spec.key;
            EXPECT_TRUE(request == before) << spec.key;
        }
    }
}

TEST(Parameters, KeepTheirRange) {
    for (const ParameterSpec& spec : parameterSpecs()) {
        if (!isWhole(spec) || spec.range.most <= 0) {
            continue;
        }
        SimulationRequest request;
        for (const double bound : {spec.range.least, spec.range.most}) {
            setNumber(spec, bound, request);
            EXPECT_EQ(numberOf(spec, request), bound) << spec.key;
            EXPECT_FALSE(problemOf(spec, request)) << spec.key;
        }
        for (const double outside : {spec.range.least - 1, spec.range.most + 1}) {
            setNumber(spec, outside, request);
            EXPECT_TRUE(problemOf(spec, request)) << spec.key;
            EXPECT_TRUE(problemOf(request)) << spec.key;
        }
        if (!*isWhole(spec)) {
            setNumber(spec, std::nan(""), request);
            EXPECT_TRUE(problemOf(spec, request)) << spec.key;
        }
    }
}

TEST(Policies, AreFoundByTheirKeys) {
    for (const PolicySpec& spec : policySpecs()) {
        SimulationRequest request;
        EXPECT_TRUE(readText(parameterOf("policy"), spec.key, request));
        EXPECT_EQ(request.policy.policy, spec.policy);
        EXPECT_EQ(&specOf(spec.policy), &spec);
        EXPECT_FALSE(spec.name.empty() || spec.label.empty() || spec.words.empty()) << spec.key;
        PolicySetup setup;
        setup.policy = spec.policy;
        EXPECT_EQ(chunkOf(setup), spec.usualChunk);
        EXPECT_FALSE(problemOf(setup)) << spec.key;
    }
    SimulationRequest request;
    EXPECT_FALSE(readText(parameterOf("policy"), "best", request));
}

} // namespace
} // namespace loadline
