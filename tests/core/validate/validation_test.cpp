// A table of servers against predictions out of the atlas that comes with the program.
#include "core/validate/validation.h"

#include "core/ask/write_json.h"
#include "core/validate/validation_study.h"
#include "tests/core/validate/shipped_library.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

const Validation& knownModels() {
    static const Validation made = [] {
        auto result = validationOf({std::string(LOADLINE_TEST_DATA) + "/serving/known_models.csv"},
                                   shippedLibrary(), {});
        EXPECT_TRUE(result) << result.error().what;
        return result ? std::move(*result) : Validation();
    }();
    return made;
}

TEST(Validation, PredictsWhatTheAtlasHolds) {
    ASSERT_EQ(knownModels().servers.size(), 7U);
    for (const ValidatedServer& server : knownModels().servers) {
        const bool isKnown = server.row.line <= 6;
        EXPECT_EQ(server.predicted.notModelled.empty(), isKnown) << server.predicted.notModelled;
        if (isKnown) {
            EXPECT_GT(server.predicted.ttftMs, 10);
            EXPECT_LT(server.predicted.ttftMs, 200);
            EXPECT_GT(server.predicted.tpotMs, 2);
            EXPECT_LT(server.predicted.tpotMs, 30);
        }
    }
    const auto reason = [](std::size_t row) { return knownModels().servers[row].predicted.notModelled; };
    EXPECT_NE(reason(5).find("3 GPUs"), std::string::npos) << reason(5);
    EXPECT_NE(reason(6).find("tpu_v5"), std::string::npos) << reason(6);
}

TEST(Validation, ItsDocumentKeepsTheContract) {
    const auto json = nlohmann::json::parse(ask::jsonOfReport(ask::validationReport(knownModels(), {})));
    EXPECT_EQ(json.at("schema"), "loadline.validate/1");
    EXPECT_EQ(json.at("constants").at("small_kernel_us").at("value"), 2.25);
    EXPECT_TRUE(json.at("constants").at("small_kernel_us").at("fitted_on").is_string());
    EXPECT_EQ(json.at("constants").at("front_end_us").at("fitted_on"), nullptr);
    EXPECT_EQ(json.at("rows").size(), 7U);
    const auto& first = json.at("rows")[0];
    EXPECT_EQ(first.at("source"), "llama8");
    EXPECT_EQ(first.at("system"), "h100_sxm");
    EXPECT_EQ(first.at("not_modelled"), nullptr);
    EXPECT_EQ(first.at("kv_bound"), false);
    EXPECT_EQ(json.at("rows")[5].at("ttft_ms"), nullptr);
    EXPECT_TRUE(json.at("rows")[5].at("not_modelled").is_string());
    const auto& group = json.at("errors")[0];
    EXPECT_EQ(group.at("users"), "1-16");
    EXPECT_TRUE(group.at("tpot").at("p90").is_number());
    EXPECT_EQ(json.at("judged").at("n"), 4); // tier A with a measurement
    EXPECT_EQ(json.at("judged").at("not_modelled"), 0);
    EXPECT_TRUE(json.at("judged").at("ttft").at("bias").is_number());
}

TEST(Validation, NamesTheSourcesOfItsTables) {
    const ask::Report report = ask::validationReport(knownModels(), {});
    ASSERT_EQ(report.provenance.size(), 6U); // of each GPU vLLM's kernels, and NCCL's
    EXPECT_EQ(report.provenance[0].what, "h100-sxm: linear layers, decode attention, prefill attention, "
                                         "expert layers, vLLM's all-reduce by vllm "
                                         "0.24.0");
    EXPECT_NE(report.provenance[0].source.find("Apache-2.0"), std::string::npos)
        << report.provenance[0].source;
    const auto ofModules = [](const auto& used) {
        return used.what.starts_with("b200-sxm") &&
               used.what.find("MLA modules in decode") != std::string::npos;
    };
    EXPECT_EQ(std::ranges::count_if(report.provenance, ofModules), 1); // Kimi-K2.5's
    ASSERT_EQ(report.plots.size(), 2U);
    EXPECT_EQ(report.plots[0].empty, "");
}

TEST(Validation, SaysWhatIsWrongWithItsFile) {
    EXPECT_FALSE(validationOf({}, shippedLibrary(), {}));
    EXPECT_FALSE(validationOf({"/nowhere/at/all.csv"}, shippedLibrary(), {}));
    EXPECT_FALSE(
        validationOf({std::string(LOADLINE_TEST_DATA) + "/kernels/h100_router.csv"}, shippedLibrary(), {}));
}

} // namespace
} // namespace loadline
