// Reads a scenario and says what is wrong with it.
#include "core/schedule/json/scenario_json.h"

#include "core/base/read_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>

namespace loadline {
namespace {

using Json = nlohmann::json;

/// Fields of one object: each is asked for once, and what nobody asked for is unknown.
class Fields {
public:
    Fields(const Json& object, std::string name, std::optional<Error>& error)
        : object_(object), name_(std::move(name)), error_(error) {}

    ~Fields() {
        for (const auto& [key, value] : object_.items()) {
            if (std::ranges::find(asked_, key) == asked_.end()) {
                fail(fmt::format("{} has a field \"{}\" that is not known", name_, key),
                     "one of " + listed());
            }
        }
    }

    Fields(const Fields&) = delete;
    Fields& operator=(const Fields&) = delete;

    void fail(const std::string& what, const std::string& remedy = "") {
        if (!error_) {
            error_ = Error{what, "", remedy};
        }
    }

    const Json* find(const char* key) {
        asked_.emplace_back(key);
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }

    void ignore(std::initializer_list<const char*> keys) {
        asked_.insert(asked_.end(), keys.begin(), keys.end());
    }

    bool number(const char* key, std::int64_t& value) {
        const Json* found = find(key);
        if (found == nullptr) {
            return false;
        }
        if (!isWhole(*found)) {
            fail(fmt::format("{}: {} is not a whole number", name_, key));
            return false;
        }
        value = found->get<std::int64_t>();
        return true;
    }

    void number(const char* key, std::optional<std::int64_t>& value) {
        const auto found = object_.find(key);
        if (found != object_.end() && found->is_null()) {
            asked_.emplace_back(key);
            return;
        }
        std::int64_t given = 0;
        if (number(key, given)) {
            value = given;
        }
    }

    void real(const char* key, double& value) {
        if (const Json* found = find(key)) {
            found->is_number() ? void(value = found->get<double>())
                               : fail(fmt::format("{}: {} is not a number", name_, key));
        }
    }

    void flag(const char* key, bool& value) {
        if (const Json* found = find(key)) {
            found->is_boolean() ? void(value = found->get<bool>())
                                : fail(fmt::format("{}: {} is neither true nor false", name_, key));
        }
    }

    void text(const char* key, std::string& value) {
        if (const Json* found = find(key)) {
            found->is_string() ? void(value = found->get<std::string>())
                               : fail(fmt::format("{}: {} is not text", name_, key));
        }
    }

    /// One of some words; the value stays where the key is absent.
    template <typename T>
    void word(const char* key, T& value, std::initializer_list<std::pair<const char*, T>> words) {
        std::string given;
        text(key, given);
        if (object_.find(key) == object_.end()) {
            return;
        }
        std::string known;
        for (const auto& [name, meaning] : words) {
            if (given == name) {
                value = meaning;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        fail(fmt::format("{}: {} \"{}\" is not known", name_, key, given), "one of " + known);
    }

    static bool isWhole(const Json& value) {
        return value.is_number_integer() &&
               (!value.is_number_unsigned() ||
                value.get<std::uint64_t>() <=
                    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    }

private:
    std::string listed() const {
        std::string all;
        for (const std::string& key : asked_) {
            all += (all.empty() ? "" : ", ") + key;
        }
        return all;
    }

    const Json& object_;
    std::string name_;
    std::optional<Error>& error_;
    std::vector<std::string> asked_;
};

void read(Fields&& fields, VllmConfig& config) {
    fields.number("max_num_batched_tokens", config.maxNumBatchedTokens);
    fields.number("max_num_seqs", config.maxNumSeqs);
    fields.number("long_prefill_token_threshold", config.longPrefillTokenThreshold);
    fields.flag("enable_chunked_prefill", config.enableChunkedPrefill);
    fields.flag("enable_prefix_caching", config.enablePrefixCaching);
    fields.number("block_size", config.blockSize);
    fields.number("num_gpu_blocks", config.numGpuBlocks);
    fields.number("max_model_len", config.maxModelLen);
    fields.word<VllmPolicy>("policy", config.policy,
                            {{"fcfs", VllmPolicy::Fcfs}, {"priority", VllmPolicy::Priority}});
    fields.flag("async_scheduling", config.asyncScheduling);
    fields.flag("scheduler_reserve_full_isl", config.schedulerReserveFullIsl);
    fields.real("watermark", config.watermark);
    fields.word<VllmVersion>("version", config.version,
                             {{"latest", VllmVersion::Latest},
                              {"2026-03", VllmVersion::March2026},
                              {"2025-10", VllmVersion::October2025}});
}

void read(Fields&& fields, MlxConfig& config) {
    fields.number("completion_batch_size", config.completionBatchSize);
    fields.number("prefill_batch_size", config.prefillBatchSize);
    fields.number("prefill_step_size", config.prefillStepSize);
    fields.flag("reuse_cache", config.reuseCache);
}

void read(Fields&& fields, VidurConfig& config) {
    fields.word<VidurScheduler>("scheduler", config.scheduler,
                                {{"sarathi", VidurScheduler::Sarathi}, {"vllm", VidurScheduler::VllmV0}});
    fields.number("chunk_size", config.chunkSize);
    fields.number("max_tokens_in_batch", config.maxTokensInBatch);
    fields.number("batch_size_cap", config.batchSizeCap);
    fields.number("block_size", config.blockSize);
    fields.number("num_blocks", config.numBlocks);
    fields.real("watermark_blocks_fraction", config.watermarkBlocksFraction);
}

void readPrompt(const Json& runs, Fields& fields, std::vector<TokenRun>& prompt) {
    const bool wellFormed =
        runs.is_array() && std::ranges::all_of(runs, [](const Json& run) {
            return run.is_array() && run.size() == 2 && Fields::isWhole(run[0]) && Fields::isWhole(run[1]);
        });
    if (!wellFormed) {
        fields.fail("a prompt is not a list of runs [first, count] of whole numbers");
        return;
    }
    for (const Json& run : runs) {
        prompt.push_back({run[0].get<std::int64_t>(), run[1].get<std::int64_t>()});
    }
}

ScheduleRequest readRequest(const Json& object, std::size_t index, const ScheduleConfig& config,
                            std::optional<Error>& error) {
    ScheduleRequest request;
    Fields fields(object, fmt::format("request number {}", index + 1), error);
    if (!fields.number("id", request.id)) {
        fields.fail(fmt::format("request number {} has no id", index + 1), "a whole number of its own");
    }
    fields.number("arrival_step", request.arrivalStep);
    fields.number("after", request.after);
    fields.number("delay", request.delay);
    const bool counted = fields.number("prompt_tokens", request.promptTokens);
    fields.number("output_tokens", request.outputTokens);
    if (std::holds_alternative<MlxConfig>(config)) {
        fields.number("cached_tokens", request.cachedTokens);
    }
    if (!std::holds_alternative<VllmConfig>(config)) {
        return request;
    }
    fields.number("priority", request.priority);
    // Ids that nobody writes: requests that name no tokens share none.
    const std::int64_t own = -(static_cast<std::int64_t>(index) + 1) * (std::int64_t{1} << 31);
    if (const Json* runs = fields.find("prompt")) {
        readPrompt(*runs, fields, request.prompt);
        if (!counted) {
            for (const TokenRun& run : request.prompt) {
                const bool sane = run.count > 0 && run.count <= maxTokensPerCount;
                request.promptTokens += sane ? run.count : 0;
            }
        }
    } else if (request.promptTokens > 0) {
        request.prompt.push_back({own, request.promptTokens});
    }
    if (!fields.number("first_output_token", request.firstOutputToken)) {
        request.firstOutputToken = own + (std::int64_t{1} << 30);
    }
    return request;
}

void readDocument(const Json& document, Scenario& scenario, std::optional<Error>& error) {
    Fields fields(document, "the scenario", error);
    fields.ignore({"source", "notes", "totals", "summary_columns", "summary", "steps"});
    std::string schema = "batching-oracle/1";
    fields.text("schema", schema);
    if (schema != "batching-oracle/1") {
        fields.fail(fmt::format("the schema \"{}\" is not known", schema), "batching-oracle/1");
    }
    fields.text("name", scenario.name);
    fields.text("description", scenario.description);
    if (document.find("engine") == document.end()) {
        fields.fail("the scenario names no engine", "\"engine\": \"vllm\", \"mlx\" or \"vidur\"");
    }
    fields.word<ScheduleConfig>("engine", scenario.config,
                                {{"vllm", VllmConfig{}}, {"mlx", MlxConfig{}}, {"vidur", VidurConfig{}}});
    if (const Json* config = fields.find("config")) {
        config->is_object()
            ? std::visit([&](auto& given) { read(Fields(*config, "config", error), given); }, scenario.config)
            : fields.fail("config is not an object");
    }
    const Json* requests = fields.find("requests");
    if (requests == nullptr || !requests->is_array()) {
        fields.fail("the scenario has no list of requests", "\"requests\": [...]");
        return;
    }
    for (std::size_t i = 0; i < requests->size() && !error; ++i) {
        (*requests)[i].is_object()
            ? scenario.requests.push_back(readRequest((*requests)[i], i, scenario.config, error))
            : fields.fail(fmt::format("request number {} is not an object", i + 1));
    }
}

} // namespace

Result<Scenario> scenarioFromJson(std::string_view json, const std::string& path) {
    const Json document = jsonFrom(json);
    if (document.is_discarded() || !document.is_object()) {
        return Error{document.is_discarded() ? "not a scenario: it is not JSON"
                                             : "not a scenario: it is not a JSON object",
                     path, "an object with engine, config and requests"};
    }
    Scenario scenario;
    std::optional<Error> error;
    readDocument(document, scenario, error);
    if (error) {
        error->where = path;
        return *error;
    }
    return scenario;
}

} // namespace loadline
