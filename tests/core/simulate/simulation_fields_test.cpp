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
            const bool isTaken = numberOf(field, &request) == outside; // k names a storage, or none
            EXPECT_EQ(problemOf(field, &request).has_value(), isTaken) << field.key;
            EXPECT_EQ(problemOf(request).has_value(), isTaken) << field.key;
            EXPECT_TRUE(isTaken || field.key == "k") << field.key;
        }
        if (!*isWhole(field)) {
            setNumber(field, std::nan(""), &request);
            EXPECT_TRUE(problemOf(field, &request)) << field.key;
        }
    }
}

TEST(StorageFields, ReadEachKeyAndWriteItBack) {
    for (const StorageSpec& spec : storageSpecs) {
        for (const char* key : {"weights", "experts", "against", "kv"}) {
            SimulationRequest request;
            const bool takes = std::string_view(key) != "kv" || spec.holdsKv;
            EXPECT_EQ(readText(simulationField(key), spec.key, &request), takes) << key << ' ' << spec.key;
            EXPECT_EQ(textOf(simulationField(key), &request) == spec.key, takes) << key << ' ' << spec.key;
            EXPECT_FALSE(problemOf(request)) << key << ' ' << spec.key;
        }
    }
    SimulationRequest request;
    for (const char* key : {"weights", "experts", "against"}) {
        EXPECT_TRUE(readText(simulationField(key), "bf16", &request));
        EXPECT_EQ(textOf(simulationField(key), &request), "fp16") << key;
        EXPECT_FALSE(readText(simulationField(key), "fp4", &request)) << key;
    }
    EXPECT_TRUE(readText(simulationField("experts"), "as-weights", &request));
    EXPECT_FALSE(request.experts);
}

TEST(StorageFields, KAndWeightsSayTheSame) {
    SimulationRequest byK;
    SimulationRequest byWeights;
    EXPECT_TRUE(readText(simulationField("k"), "3", &byK));
    EXPECT_TRUE(readText(simulationField("weights"), "k3", &byWeights));
    EXPECT_TRUE(byK == byWeights);
    EXPECT_TRUE(isSaid(simulationField("k"), byK));
    EXPECT_FALSE(isSaid(simulationField("weights"), byK));
    EXPECT_EQ(whyNot(simulationField("k"), &byK, {}), "");

    EXPECT_TRUE(readText(simulationField("weights"), "fp8", &byK));
    EXPECT_FALSE(numberOf(simulationField("k"), &byK));
    EXPECT_FALSE(isSaid(simulationField("k"), byK));
    EXPECT_TRUE(isSaid(simulationField("weights"), byK));
    EXPECT_EQ(whyNot(simulationField("k"), &byK, {}), "Weights are fp8");
    setNumber(simulationField("k"), 2, &byK);
    EXPECT_EQ(byK.weights, Storage::K2);
}

TEST(StorageFields, MakeTheFormatsThatAreServed) {
    SimulationRequest request;
    SimulationInputs inputs = inputsOf(request, {});
    EXPECT_EQ(inputs.cost.format, Format(4));
    EXPECT_EQ(inputs.against, fp16Format);
    EXPECT_EQ(inputs.engine.parallel, Parallel{});

    request.weights = Storage::Fp8;
    request.experts = Storage::Mxfp4;
    request.kv = Storage::Fp8;
    request.tensorParallel = 4;
    request.expertParallel = 2;
    inputs = inputsOf(request, {});
    EXPECT_EQ(keyOf(inputs.cost.format), "fp8,experts=mxfp4,kv=fp8");
    EXPECT_EQ(inputs.against, fp16Format) << "its KV cache is fp16";
    EXPECT_EQ(inputs.engine.parallel, (Parallel{4, 2}));
    request.experts.reset();
    EXPECT_EQ(inputsOf(request, {}).cost.format.experts, Storage::Fp8);

    request.against = Storage::Nvfp4;
    EXPECT_EQ(keyOf(inputsOf(request, {}).against), "nvfp4,kv=fp8");
    request.against = Storage::K3;
    EXPECT_EQ(inputsOf(request, {}).against, Format(3));
}

TEST(StorageFields, GpusArePowersOfTwo) {
    for (const char* key : {"tp", "ep"}) {
        for (const auto& [text, takes] :
             {std::pair("1", true), std::pair("8", true), std::pair("64", true), std::pair("0", false),
              std::pair("3", false), std::pair("128", false), std::pair("", false)}) {
            SimulationRequest request;
            EXPECT_EQ(readText(simulationField(key), text, &request), takes) << key << ' ' << text;
            EXPECT_EQ(textOf(simulationField(key), &request), takes ? text : "1") << key;
        }
    }
    for (const int gpus : {-1, 0, 3, 65, 128}) {
        SimulationRequest tensor;
        tensor.tensorParallel = gpus;
        EXPECT_TRUE(problemOf(tensor)) << gpus;
        SimulationRequest expert;
        expert.expertParallel = gpus;
        EXPECT_TRUE(problemOf(expert)) << gpus;
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
