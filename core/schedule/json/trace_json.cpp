// Writes a scenario with its trace in the schema batching-oracle/1.
#include "core/schedule/json/scenario_json.h"
#include "core/schedule/run/engines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace loadline {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t listedQueues = 40;     ///< requests up to which running and waiting are listed
constexpr std::size_t listedGeneration = 60; ///< the same for gen

/// Writes the fields of a configuration.
class FieldWriter {
public:
    explicit FieldWriter(OrderedJson& json) : json_(json) {}

    void operator()(std::string_view key, std::int64_t value, const EngineBounds& /*bounds*/) {
        json_[std::string(key)] = value;
    }

    template <typename T>
    void operator()(std::string_view key, T value) {
        json_[std::string(key)] = value;
    }

    /// A version is said where it is not the latest.
    template <typename T, std::size_t n>
    void operator()(std::string_view key, T value, const EngineWordList<T, n>& words) {
        const auto word = std::ranges::find(words, value, &std::pair<std::string_view, T>::second);
        if (key != "version" || word != words.begin()) {
            json_[std::string(key)] = word->first;
        }
    }

private:
    OrderedJson& json_;
};

OrderedJson configOf(const ScheduleConfig& config) {
    OrderedJson json;
    withEngine(config, [&](auto engine, const auto& own) { engine.fields(FieldWriter(json), own); });
    return json;
}

/// Writes one scenario's requests and steps, indices turned into ids.
class Writer {
public:
    explicit Writer(const Scenario& scenario)
        : scenario_(scenario), vllm_(std::get_if<VllmConfig>(&scenario.config)),
          mlx_(withEngine(scenario.config, [](auto engine, const auto&) { return engine.inRectangles; })) {}

    [[nodiscard]] OrderedJson request(const ScheduleRequest& request) const {
        OrderedJson json{{"id", request.id}};
        request.arrivalStep ? json["arrival_step"] = *request.arrivalStep : json["arrival_step"] = nullptr;
        if (request.after) {
            json["after"] = *request.after;
            json["delay"] = request.delay;
        }
        if (vllm_ != nullptr) {
            json["prompt"] = OrderedJson::array();
            for (const TokenRun& run : request.prompt) {
                json["prompt"].push_back({run.first, run.count});
            }
            json["first_output_token"] = request.firstOutputToken;
            json["priority"] = request.priority;
        }
        json["prompt_tokens"] = request.promptTokens;
        json["output_tokens"] = request.outputTokens;
        if (request.cachedTokens != 0) {
            json["cached_tokens"] = request.cachedTokens;
        }
        return json;
    }

    [[nodiscard]] OrderedJson step(const Step& step) const {
        OrderedJson json{{"t", step.t}};
        optional(json, "arrive", step.arrived);
        mlx_ ? writeMlx(json, step) : writeBlocks(json, step);
        return json;
    }

    [[nodiscard]] OrderedJson summaryColumns() const {
        OrderedJson columns{"id", "arrival_t", mlx_ ? "first_forward_t" : "first_scheduled_t",
                            "first_token_t", "finish_t"};
        if (vllm_ != nullptr) {
            columns.push_back("preemptions");
            columns.push_back("prefix_hit_tokens_at_first_admission");
        } else if (!mlx_) {
            columns.push_back("restarts");
        }
        return columns;
    }

    [[nodiscard]] OrderedJson summary(std::size_t index, const RequestSummary& summary) const {
        OrderedJson row{scenario_.requests[index].id};
        for (const std::int64_t step :
             {summary.arrivalStep, summary.firstScheduledStep, summary.firstTokenStep, summary.finishStep}) {
            row.push_back(step < 0 ? OrderedJson() : OrderedJson(step));
        }
        if (!mlx_) {
            row.push_back(summary.preemptions);
        }
        if (vllm_ != nullptr) {
            row.push_back(summary.firstHitTokens);
        }
        return row;
    }

    [[nodiscard]] OrderedJson totals(const ScheduleTrace& trace) const {
        std::int64_t tokens = 0;
        std::int64_t preemptions = 0;
        std::size_t emitted = 0;
        std::size_t forwards = 0;
        std::size_t mostGenerating = 0;
        Tokens padded = 0;
        Tokens real = 0;
        for (const Step& step : trace.steps) {
            tokens += step.total;
            preemptions += static_cast<std::int64_t>(step.preempted.size());
            emitted += step.emitted.size();
            forwards += step.forwards.size();
            mostGenerating = std::max(mostGenerating, step.generating.size());
            for (const MlxForward& forward : step.forwards) {
                for (const Tokens own : forward.tokens) {
                    padded += forward.length;
                    real += own;
                }
            }
        }
        if (mlx_) {
            return {{"steps", trace.steps.size()},
                    {"forwards", forwards},
                    {"emitted", emitted},
                    {"max_gen", mostGenerating},
                    {"padded_prefill_tokens", padded},
                    {"real_prefill_tokens", real}};
        }
        OrderedJson json{
            {"steps", trace.steps.size()}, {"scheduled_tokens", tokens}, {"preemptions", preemptions}};
        if (vllm_ != nullptr) {
            json["emitted"] = emitted;
            json["max_t"] = trace.steps.empty() ? 0 : trace.steps.back().t;
        }
        return json;
    }

private:
    [[nodiscard]] OrderedJson ids(std::span<const RequestIndex> requests) const {
        OrderedJson list = OrderedJson::array();
        for (const RequestIndex request : requests) {
            list.push_back(scenario_.requests[request].id);
        }
        return list;
    }

    [[nodiscard]] OrderedJson pairs(std::span<const RequestTokens> requests) const {
        OrderedJson list = OrderedJson::array();
        for (const RequestTokens& request : requests) {
            list.push_back(scenario_.requests[request.request].id);
            list.push_back(request.tokens);
        }
        return list;
    }

    void optional(OrderedJson& json, const char* key, std::span<const RequestIndex> requests) const {
        if (!requests.empty()) {
            json[key] = ids(requests);
        }
    }

    void writeBlocks(OrderedJson& json, const Step& step) const {
        json["sched"] = pairs(step.scheduled);
        optional(json, "new", step.admitted);
        optional(json, "resumed", step.resumed);
        if (!step.hits.empty()) {
            json["hits"] = pairs(step.hits);
        }
        optional(json, "preempted", step.preempted);
        json["total"] = step.total;
        json["free_sched"] = step.freeScheduled;
        json["n_running"] = step.runningCount;
        json["n_waiting"] = step.waitingCount;
        if (scenario_.requests.size() <= listedQueues) {
            json["running"] = ids(step.running);
            json["waiting"] = ids(step.waiting);
        }
        if (vllm_ != nullptr && vllm_->asyncScheduling) {
            step.updateOf ? json["update_of"] = *step.updateOf : json["update_of"] = nullptr;
        }
        optional(json, "emit", step.emitted);
        optional(json, "finished", step.finished);
        json["free"] = step.free;
    }

    void writeMlx(OrderedJson& json, const Step& step) const {
        OrderedJson forwards = OrderedJson::array();
        for (const MlxForward& forward : step.forwards) {
            OrderedJson one{{"k", forward.kind == ForwardKind::Decode ? "decode"
                                  : forward.kind == ForwardKind::Last ? "last"
                                                                      : "prefill"},
                            {"ids", ids(forward.rows)},
                            {"B", forward.rows.size()},
                            {"L", forward.length},
                            {"kv", forward.kvWidth}};
            if (forward.kind == ForwardKind::Prefill) {
                one["lens"] = forward.tokens;
            }
            forwards.push_back(std::move(one));
        }
        json["fwd"] = std::move(forwards);
        optional(json, "emit", step.emitted);
        optional(json, "finished", step.finished);
        json["n_gen"] = step.generating.size();
        json["n_prompt"] = step.prompting.size();
        json["n_waiting"] = step.waitingCount;
        if (scenario_.requests.size() <= listedGeneration) {
            json["gen"] = ids(step.generating);
        }
        json["prompt"] = ids(step.prompting);
        json["kv_gen"] = step.generationKvWidth;
    }

    const Scenario& scenario_;
    const VllmConfig* vllm_;
    bool mlx_;
};

} // namespace

OrderedJson traceToJson(const Scenario& scenario, const ScheduleTrace& trace) {
    const Writer writer(scenario);
    OrderedJson json{
        {"schema", "batching-oracle/1"},
        {"engine", withEngine(scenario.config, [](auto engine, const auto&) { return engine.name; })},
        {"name", scenario.name},
        {"description", scenario.description},
        {"config", configOf(scenario.config)},
        {"totals", writer.totals(trace)},
        {"requests", OrderedJson::array()},
        {"summary_columns", writer.summaryColumns()},
        {"summary", OrderedJson::array()},
        {"steps", OrderedJson::array()}};
    for (const ScheduleRequest& request : scenario.requests) {
        json["requests"].push_back(writer.request(request));
    }
    for (std::size_t i = 0; i < trace.requests.size(); ++i) {
        json["summary"].push_back(writer.summary(i, trace.requests[i]));
    }
    for (const Step& step : trace.steps) {
        json["steps"].push_back(writer.step(step));
    }
    return json;
}

} // namespace loadline
