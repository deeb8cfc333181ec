// Reads a scenario and says what is wrong with it.
#include "core/schedule/json/scenario_json.h"

#include "core/base/read_json.h"
#include "core/text/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace loadline {
namespace {

using Json = nlohmann::json;

bool isWhole(const Json& value) {
    return value.is_number_integer() &&
           (!value.is_number_unsigned() ||
            value.get<std::uint64_t>() <= static_cast<std::uint64_t>(JsonFields::unbounded));
}

void read(JsonFields& fields, VllmConfig& config) {
    fields.whole("max_num_batched_tokens", config.maxNumBatchedTokens);
    fields.whole("max_num_seqs", config.maxNumSeqs);
    fields.whole("long_prefill_token_threshold", config.longPrefillTokenThreshold);
    fields.truth("enable_chunked_prefill", config.enableChunkedPrefill);
    fields.truth("enable_prefix_caching", config.enablePrefixCaching);
    fields.whole("block_size", config.blockSize);
    fields.whole("num_gpu_blocks", config.numGpuBlocks);
    fields.whole("max_model_len", config.maxModelLen);
    fields.word<VllmPolicy>("policy", config.policy,
                            {{"fcfs", VllmPolicy::Fcfs}, {"priority", VllmPolicy::Priority}});
    fields.truth("async_scheduling", config.asyncScheduling);
    fields.truth("scheduler_reserve_full_isl", config.schedulerReserveFullIsl);
    fields.number("watermark", config.watermark);
    fields.word<VllmVersion>("version", config.version,
                             {{"latest", VllmVersion::Latest},
                              {"2026-03", VllmVersion::March2026},
                              {"2025-10", VllmVersion::October2025}});
}

void read(JsonFields& fields, MlxConfig& config) {
    fields.whole("completion_batch_size", config.completionBatchSize);
    fields.whole("prefill_batch_size", config.prefillBatchSize);
    fields.whole("prefill_step_size", config.prefillStepSize);
    fields.truth("reuse_cache", config.reuseCache);
}

void read(JsonFields& fields, VidurConfig& config) {
    fields.word<VidurScheduler>("scheduler", config.scheduler,
                                {{"sarathi", VidurScheduler::Sarathi}, {"vllm", VidurScheduler::VllmV0}});
    fields.whole("chunk_size", config.chunkSize);
    fields.whole("max_tokens_in_batch", config.maxTokensInBatch);
    fields.whole("batch_size_cap", config.batchSizeCap);
    fields.whole("block_size", config.blockSize);
    fields.whole("num_blocks", config.numBlocks);
    fields.number("watermark_blocks_fraction", config.watermarkBlocksFraction);
}

void readPrompt(JsonFields& fields, std::vector<TokenRun>& prompt) {
    for (const Json& run : fields.list("prompt")) {
        const bool wellFormed = run.is_array() && run.size() == 2 && isWhole(run[0]) && isWhole(run[1]);
        if (!wellFormed) {
            fields.fail("a prompt is not a list of runs [first, count] of whole numbers");
            return;
        }
        prompt.push_back({run[0].get<std::int64_t>(), run[1].get<std::int64_t>()});
    }
}

ScheduleRequest requestIn(JsonFields& fields, std::size_t index, const ScheduleConfig& config) {
    ScheduleRequest request;
    if (!fields.whole("id", request.id)) {
        fields.fail("it has no id", "a whole number of its own");
    }
    fields.whole("arrival_step", request.arrivalStep);
    fields.whole("after", request.after);
    fields.whole("delay", request.delay);
    const bool counted = fields.whole("prompt_tokens", request.promptTokens);
    fields.whole("output_tokens", request.outputTokens);
    if (std::holds_alternative<MlxConfig>(config)) {
        fields.whole("cached_tokens", request.cachedTokens);
    }
    if (std::holds_alternative<VllmConfig>(config)) {
        fields.whole("priority", request.priority);
        // Ids that nobody writes: requests that name no tokens share none.
        const std::int64_t own = -(static_cast<std::int64_t>(index) + 1) * (std::int64_t{1} << 31);
        if (fields.find("prompt") != nullptr) {
            readPrompt(fields, request.prompt);
            for (const TokenRun& run : request.prompt) {
                const bool sane = !counted && run.count > 0 && run.count <= maxTokensPerCount;
                request.promptTokens += sane ? run.count : 0;
            }
        } else if (request.promptTokens > 0) {
            request.prompt.push_back({own, request.promptTokens});
        }
        if (!fields.whole("first_output_token", request.firstOutputToken)) {
            request.firstOutputToken = own + (std::int64_t{1} << 30);
        }
    }
    fields.refuseOthers();
    return request;
}

Scenario scenarioIn(JsonFields& fields) {
    Scenario scenario;
    for (const char* key : {"source", "notes", "totals", "summary_columns", "summary", "steps"}) {
        fields.find(key);
    }
    std::string schema = "batching-oracle/1";
    fields.text("schema", schema);
    if (schema != "batching-oracle/1") {
        fields.fail(fmt::format("the schema \"{}\" is not known", schema), "batching-oracle/1");
    }
    fields.text("name", scenario.name);
    fields.text("description", scenario.description);
    if (fields.find("engine") == nullptr) {
        fields.fail("it names no engine", "\"engine\": \"vllm\", \"mlx\" or \"vidur\"");
    }
    fields.word<ScheduleConfig>("engine", scenario.config,
                                {{"vllm", VllmConfig{}}, {"mlx", MlxConfig{}}, {"vidur", VidurConfig{}}});
    JsonFields config = fields.object("config");
    std::visit([&](auto& given) { read(config, given); }, scenario.config);
    config.refuseOthers();
    if (fields.find("requests") == nullptr || !fields.find("requests")->is_array()) {
        fields.fail("it has no list of requests", "\"requests\": [...]");
    }
    fields.each("requests", "request number", [&](JsonFields& entry) {
        scenario.requests.push_back(requestIn(entry, scenario.requests.size(), scenario.config));
    });
    fields.refuseOthers();
    return scenario;
}

} // namespace

Result<Scenario> scenarioFromJson(std::string_view json, const std::string& path) {
    JsonProblem problem;
    const Json document = jsonFrom(json);
    JsonFields fields(document, problem);
    Scenario scenario = scenarioIn(fields);
    if (problem) {
        return problem.error("not a scenario: ", path, "an object with engine, config and requests");
    }
    return scenario;
}

} // namespace loadline
