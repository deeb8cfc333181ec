// Every field's row: a key and words of its own, a value that is written as it is read, a range that
// holds.
#include "core/simulate/request/simulation_fields.h"

#include "core/simulate/policy/policy_spec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace loadline {
namespace {

bool isFactors(const ask::Field& field) {
    return field.traits.text.several != nullptr;
}

TEST(SimulationFields, HaveKeysAndWordsOfTheirOwn) {
    std::set<std::string_view> keys;
    std::set<std::string_view> engine;
    for (const ask::Field& field : simulationFields()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_EQ(&simulationField(field.key), &field);
        EXPECT_TRUE(field.engine.name.empty() || engine.insert(field.engine.name).second) << field.key;
        if (!isFactors(field)) {
            EXPECT_FALSE(field.words.name.empty()) << field.key;
            EXPECT_GT(nameOfChange(field).size(), std::string("Change ").size()) << field.key;
        }
        if (field.form.part != ask::FormPart::None) {
            EXPECT_FALSE(field.form.label.empty()) << field.key;
        }
    }
}

TEST(SimulationFields, AreReadAsTheyAreWritten) {
    for (const ask::Field& field : simulationFields()) {
        SimulationRequest request;
        if (isFactors(field)) {
            EXPECT_TRUE(readText(field, "mma=0.5", &request));
            EXPECT_EQ(factorsOf(request), std::vector<std::string>{"mma=0.5"});
            EXPECT_FALSE(readText(field, "mma=-1", &request));
            continue;
        }
        const std::string usual = textOf(field, &request);
        EXPECT_TRUE(readText(field, usual, &request)) << field.key;
        EXPECT_TRUE(request == SimulationRequest{}) << field.key;
        const bool isChosen = field.access.type == ask::Access::Type::Chosen;
        if (isChosen) {
            for (int i = 0; i < static_cast<int>(field.access.choices.size()); ++i) {
                choose(field, i, &request);
                SimulationRequest read;
                EXPECT_TRUE(readText(field, textOf(field, &request), &read)) << field.key;
                EXPECT_EQ(chosenOf(field, &read), i) << field.key;
            }
        }
        if (isWhole(field) || isChosen) {
            const SimulationRequest before = request;
            EXPECT_FALSE(readText(field, "nonsense", &request)) << field.key;
            EXPECT_TRUE(request == before) << field.key;
        }
    }
}

TEST(SimulationFields, KeepTheirRange) {
    for (const ask::Field& field : simulationFields()) {
        if (!isWhole(field) || field.range.most <= 0) {
            continue;
        }
        SimulationRequest request;
        for (const double bound : {field.range.least, field.range.most}) {
            setNumber(field, bound, &request);
            EXPECT_EQ(numberOf(field, &request), bound) << field.key;
            EXPECT_FALSE(problemOf(field, &request)) << field.key;
        }
        for (const double outside : {field.range.least - 1, field.range.most + 1}) {
            setNumber(field, outside, &request);
            EXPECT_TRUE(problemOf(field, &request)) << field.key;
            EXPECT_TRUE(problemOf(request)) << field.key;
        }
        if (!*isWhole(field)) {
            setNumber(field, std::nan(""), &request);
            EXPECT_TRUE(problemOf(field, &request)) << field.key;
        }
    }
}

TEST(Policies, AreFoundByTheirKeys) {
    for (const PolicySpec& spec : policySpecs()) {
        SimulationRequest request;
        EXPECT_TRUE(readText(simulationField("policy"), spec.key, &request));
        EXPECT_EQ(request.policy.policy, spec.policy);
        EXPECT_EQ(&specOf(spec.policy), &spec);
        EXPECT_FALSE(spec.name.empty() || spec.label.empty() || spec.words.empty()) << spec.key;
        PolicySetup setup;
        setup.policy = spec.policy;
        EXPECT_EQ(chunkOf(setup), spec.usualChunk);
        EXPECT_FALSE(problemOf(setup)) << spec.key;
    }
    SimulationRequest request;
    EXPECT_FALSE(readText(simulationField("policy"), "best", &request));
}

} // namespace
} // namespace loadline
