// Reads a scenario and reports what is wrong with it.
#include "core/schedule/json/scenario_json.h"

#include "core/base/file/read_json.h"
#include "core/schedule/run/engines.h"
#include "core/text/json/json_fields.h"

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

/// Reads the fields of a configuration.
class FieldReader {
public:
    explicit FieldReader(JsonFields& fields) : fields_(fields) {}

    void operator()(const char* key, std::int64_t& value, const EngineBounds& /*bounds*/) {
        fields_.whole(key, value); // what it may be, checkScenario() says
    }

    void operator()(const char* key, bool& value) { fields_.truth(key, value); }

    void operator()(const char* key, double& value) { fields_.number(key, value); }

    template <typename T, std::size_t n>
    void operator()(const char* key, T& value, const EngineWordList<T, n>& words) {
        fields_.word(key, value, words);
    }

private:
    JsonFields& fields_;
};

/// The configurations of all engines, by their names.
auto engineWords() {
    EngineWordList<ScheduleConfig, std::variant_size_v<ScheduleConfig>> words;
    forEachEngine([&, i = std::size_t{0}](auto engine, const auto& config) mutable {
        words[i++] = {engine.name, config};
    });
    return words;
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
    for (const char* key : {"source", "notes", "totals", "summary_columns", "summary", "steps", "caveats"}) {
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
        fields.fail("it names no engine", "\"engine\": \"vllm\" or \"mlx\"");
    }
    fields.word("engine", scenario.config, engineWords());
    JsonFields config = fields.object("config");
    withEngine(scenario.config, [&](auto engine, auto& given) { engine.fields(FieldReader(config), given); });
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
