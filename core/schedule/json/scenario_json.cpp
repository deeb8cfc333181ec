// Reads a scenario and says what is wrong with it.
#include "core/schedule/json/scenario_json.h"

#include "core/base/read_json.h"
#include "core/schedule/engines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

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

    const Json* find(std::string_view key) {
        asked_.emplace_back(key);
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }

    void ignore(std::initializer_list<const char*> keys) {
        asked_.insert(asked_.end(), keys.begin(), keys.end());
    }

    bool number(std::string_view key, std::int64_t& value) {
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

    void number(std::string_view key, std::optional<std::int64_t>& value) {
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

    void real(std::string_view key, double& value) {
        if (const Json* found = find(key)) {
            found->is_number() ? void(value = found->get<double>())
                               : fail(fmt::format("{}: {} is not a number", name_, key));
        }
    }

    void flag(std::string_view key, bool& value) {
        if (const Json* found = find(key)) {
            found->is_boolean() ? void(value = found->get<bool>())
                                : fail(fmt::format("{}: {} is neither true nor false", name_, key));
        }
    }

    void text(std::string_view key, std::string& value) {
        if (const Json* found = find(key)) {
            found->is_string() ? void(value = found->get<std::string>())
                               : fail(fmt::format("{}: {} is not text", name_, key));
        }
    }

    /// One of some words; the value stays where the key is absent.
    template <typename T>
    void word(std::string_view key, T& value, std::span<const std::pair<std::string_view, T>> words) {
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

/// Reads the fields of a configuration.
class FieldReader {
public:
    explicit FieldReader(Fields& fields) : fields_(fields) {}

    void operator()(std::string_view key, std::int64_t& value, const EngineBounds& /*bounds*/) {
        fields_.number(key, value);
    }

    void operator()(std::string_view key, bool& value) { fields_.flag(key, value); }

    void operator()(std::string_view key, double& value) { fields_.real(key, value); }

    template <typename T, std::size_t n>
    void operator()(std::string_view key, T& value, const EngineWordList<T, n>& words) {
        fields_.word<T>(key, value, words);
    }

private:
    Fields& fields_;
};

template <typename Config>
void read(Fields&& fields, Config& config) {
    Engine<Config>::fields(FieldReader(fields), config);
}

/// The configurations of all engines, by their names.
auto engineWords() {
    EngineWordList<ScheduleConfig, std::variant_size_v<ScheduleConfig>> words;
    forEachEngine([&, i = std::size_t{0}](auto engine, const auto& config) mutable {
        words[i++] = {engine.name, config};
    });
    return words;
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
    fields.word<ScheduleConfig>("engine", scenario.config, engineWords());
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
