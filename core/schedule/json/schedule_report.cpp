// Turns a trace's indices into the scenario's ids.
#include "core/schedule/json/schedule_report.h"

#include "core/ask/table_of.h"
#include "core/schedule/run/engines.h"
#include "core/text/number_format.h"
#include "core/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline::ask {
namespace {

using Indices = std::vector<RequestIndex>;
using IdList = std::vector<std::int64_t>;

constexpr std::size_t listedQueues = 40;     ///< requests up to which running and waiting are listed
constexpr std::size_t listedGeneration = 60; ///< the same for gen
constexpr std::size_t listWidth = 60;        ///< for people

/// Adds the fields of a configuration.
class ConfigFields {
public:
    explicit ConfigFields(Report& report) : report_(report) {}

    void operator()(std::string_view key, std::int64_t value, const EngineBounds& /*bounds*/) {
        add(key, value);
    }

    template <typename T>
    void operator()(std::string_view key, T value) {
        add(key, value);
    }

    /// A version is said where it is not the latest.
    template <typename T, std::size_t n>
    void operator()(std::string_view key, T value, const EngineWordList<T, n>& words) {
        const auto word = std::ranges::find(words, value, &std::pair<std::string_view, T>::second);
        if (key != "version" || word != words.begin()) {
            add(key, word->first);
        }
    }

private:
    void add(std::string_view key, Cell cell) { report_.add("config." + std::string(key), std::move(cell)); }

    Report& report_;
};

std::string_view keyOfForward(ForwardKind kind) {
    return kind == ForwardKind::Decode ? "decode" : kind == ForwardKind::Last ? "last" : "prefill";
}

std::string idsText(const Scenario& scenario, std::span<const RequestIndex> requests) {
    std::string text;
    for (const RequestIndex request : requests) {
        text += fmt::format("{}{}", text.empty() ? "" : " ", scenario.requests[request].id);
    }
    return text;
}

/// "7:8 9:1", "prefill 2x64 [7 9]"
std::string workText(const Scenario& scenario, const Step& step) {
    std::string text;
    for (const RequestTokens& scheduled : step.scheduled) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", scenario.requests[scheduled.request].id,
                            scheduled.tokens);
    }
    for (const MlxForward& forward : step.forwards) {
        text += fmt::format("{}{} {}x{} [{}]", text.empty() ? "" : ", ", keyOfForward(forward.kind),
                            forward.rows.size(), forward.length, idsText(scenario, forward.rows));
    }
    return text;
}

/// "arrived 9, 7 hit 16, finished 3"
std::string eventText(const Scenario& scenario, const Step& step) {
    std::string text;
    const auto add = [&](const char* what, std::span<const RequestIndex> requests) {
        if (!requests.empty()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, idsText(scenario, requests));
        }
    };
    add("arrived", step.arrived);
    add("preempted", step.preempted);
    add("resumed", step.resumed);
    for (const RequestTokens& hit : step.hits) {
        if (hit.tokens > 0) {
            text += fmt::format("{}{} hit {}", text.empty() ? "" : ", ", scenario.requests[hit.request].id,
                                hit.tokens);
        }
    }
    add("finished", step.finished);
    return text;
}

class ScheduleWriter {
public:
    ScheduleWriter(Report& report, const Scenario& scenario, const ScheduleTrace& trace)
        : report_(report), scenario_(scenario), trace_(trace),
          vllm_(std::get_if<VllmConfig>(&scenario.config)), mlx_(vllm_ == nullptr) {}

    void addTotals() {
        std::int64_t tokens = 0, preemptions = 0;
        std::size_t emitted = 0, forwards = 0, mostGenerating = 0;
        Tokens padded = 0, real = 0;
        for (const Step& step : trace_.steps) {
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
        const Below below(report_, "totals");
        below.add("steps", trace_.steps.size());
        if (mlx_) {
            below.add("forwards", forwards);
            below.add("emitted", emitted);
            below.add("max_gen", mostGenerating);
            below.add("padded_prefill_tokens", padded);
            below.add("real_prefill_tokens", real);
        } else {
            below.add("scheduled_tokens", tokens);
            below.add("preemptions", preemptions);
            below.add("emitted", emitted);
            below.add("max_t", trace_.steps.empty() ? std::int64_t{0} : trace_.steps.back().t);
        }
        totals_ = fmt::format("{} requests, {} steps, {} tokens computed{}, {} output tokens, {} preemptions",
                              scenario_.requests.size(),
                              formatExact(static_cast<std::int64_t>(trace_.steps.size())),
                              formatExact(tokens), mlx_ ? " with padding" : "",
                              formatExact(static_cast<std::int64_t>(emitted)), preemptions);
    }

    void addRequests() {
        using R = ScheduleRequest;
        TableOf table("requests", scenario_.requests);
        const auto follows = [](const R& request) { return request.after.has_value(); };
        table.document("id", &R::id)
            .document("arrival_step", &R::arrivalStep)
            .where(follows, "after", [](const R& request) { return request.after; })
            .where(follows, "delay", [](const R& request) { return request.delay; });
        if (!mlx_) {
            table.with({groupOf("prompt", [](std::size_t) { return true; })})
                .document("first_output_token", &R::firstOutputToken)
                .document("priority", &R::priority);
        }
        table.document("prompt_tokens", &R::promptTokens)
            .document("output_tokens", &R::outputTokens)
            .ifThere("cached_tokens", [](const R& request) {
                return request.cachedTokens != 0 ? Cell(request.cachedTokens) : Cell();
            });
        report_.add(std::move(table));
        if (!mlx_) {
            Grouped<TokenRun> runs;
            for (const R& request : scenario_.requests) {
                for (const TokenRun& run : request.prompt) {
                    runs.add(run);
                }
                runs.endGroup();
            }
            report_.add(tableWithin("requests.prompt", report_.keep(std::move(runs)), Shape::Lists)
                            .document("first", &TokenRun::first)
                            .document("count", &TokenRun::count));
        }
    }

    void addSummary() {
        using S = RequestSummary;
        const auto step = [](std::int64_t S::*member) {
            return [member](const S& one) { return one.*member < 0 ? Cell() : Cell(one.*member); };
        };
        TableOf table("summary", trace_.requests, Shape::Lists);
        table
            .with(
                {columnAt("id", [&requests = scenario_.requests](std::size_t i) { return requests[i].id; })})
            .document("arrival_t", step(&S::arrivalStep))
            .document(mlx_ ? "first_forward_t" : "first_scheduled_t", step(&S::firstScheduledStep))
            .document("first_token_t", step(&S::firstTokenStep))
            .document("finish_t", step(&S::finishStep));
        if (!mlx_) {
            table.document("preemptions", &S::preemptions)
                .document("prefix_hit_tokens_at_first_admission", &S::firstHitTokens);
        }
        std::vector<std::string> names;
        for (const Column& column : table->columns) {
            names.push_back(column.key);
        }
        report_.add(listOf("summary_columns", std::move(names)));
        report_.add(std::move(table));
    }

    void addSteps() {
        TableOf table("steps", trace_.steps);
        table.titled("Steps", trace_.steps.size()).column("t", "Step", &Step::t);
        addIds(table, "arrive", &Step::arrived);
        mlx_ ? addRectangles(table) : addBlocks(table);
        const auto addTextColumn = [&](const char* title,
                                       std::string (*words)(const Scenario&, const Step&)) {
            table.textColumn(
                title,
                [&scenario = scenario_, words](const Step& step) {
                    return shortened(words(scenario, step), listWidth);
                },
                Form::Text);
        };
        addTextColumn(mlx_ ? "Forwards" : "Request:tokens", workText);
        addTextColumn("What happened", eventText);
        report_.add(std::move(table));
        for (Table& list : within_) {
            report_.add(std::move(list));
        }
        report_.say(totals_);
    }

private:
    using Steps = TableOf<Step>;

    [[nodiscard]] IdList idsOf(std::span<const RequestIndex> requests) const {
        IdList ids;
        for (const RequestIndex request : requests) {
            ids.push_back(scenario_.requests[request].id);
        }
        return ids;
    }

    /// A list in each row of a table of `rows`; left out where it is empty, unless `always`.
    template <typename Row, typename Of>
    void addList(TableOf<Row>& table, const std::string& key, const std::vector<Row>& rows, Of of,
                 bool always) {
        Grouped<std::int64_t> lists;
        for (const Row& row : rows) {
            for (const std::int64_t value : of(row)) {
                lists.add(value);
            }
            lists.endGroup();
        }
        const auto& held = report_.keep(std::move(lists));
        Column name = groupOf(key, [](std::size_t) { return true; });
        name.isThere = [&held, always](std::size_t row) {
            return always || held.range(row).first < held.range(row).second;
        };
        table.with({std::move(name)});
        within_.push_back(listsWithin(table->path + "." + key, held));
    }

    void addIds(Steps& table, const char* key, Indices Step::*ids, bool always = false) {
        addList(
            table, key, trace_.steps, [&](const Step& step) { return idsOf(step.*ids); }, always);
    }

    /// [id, tokens, id, tokens, ..]
    void addPairs(Steps& table, const char* key, std::vector<RequestTokens> Step::*pairs, bool always) {
        const auto listOfPairs = [&](const Step& step) {
            IdList list;
            for (const RequestTokens& pair : step.*pairs) {
                list.insert(list.end(), {scenario_.requests[pair.request].id, std::int64_t{pair.tokens}});
            }
            return list;
        };
        addList(table, key, trace_.steps, listOfPairs, always);
    }

    void addBlocks(Steps& table) {
        addPairs(table, "sched", &Step::scheduled, true);
        addIds(table, "new", &Step::admitted);
        addIds(table, "resumed", &Step::resumed);
        addPairs(table, "hits", &Step::hits, false);
        addIds(table, "preempted", &Step::preempted);
        table.column("total", "Tokens", &Step::total)
            .document("free_sched", &Step::freeScheduled)
            .column("n_running", "Running", &Step::runningCount)
            .column("n_waiting", "Waiting", &Step::waitingCount);
        if (scenario_.requests.size() <= listedQueues) {
            addIds(table, "running", &Step::running, true);
            addIds(table, "waiting", &Step::waiting, true);
        }
        if (vllm_->asyncScheduling) {
            table.document("update_of", &Step::updateOf);
        }
        addIds(table, "emit", &Step::emitted);
        addIds(table, "finished", &Step::finished);
        table.column("free", "Free blocks", &Step::free);
    }

    void addRectangles(Steps& table) {
        table.with({groupOf("fwd", [](std::size_t) { return true; })}).textColumn("Tokens", &Step::total);
        addForwards();
        addIds(table, "emit", &Step::emitted);
        addIds(table, "finished", &Step::finished);
        table.document("n_gen", [](const Step& step) { return step.generating.size(); })
            .document("n_prompt", [](const Step& step) { return step.prompting.size(); })
            .textColumn("Running", &Step::runningCount)
            .column("n_waiting", "Waiting", &Step::waitingCount);
        if (scenario_.requests.size() <= listedGeneration) {
            addIds(table, "gen", &Step::generating, true);
        }
        addIds(table, "prompt", &Step::prompting, true);
        table.document("kv_gen", &Step::generationKvWidth);
    }

    void addForwards() {
        using F = MlxForward;
        Grouped<F> all;
        for (const Step& step : trace_.steps) {
            for (const F& forward : step.forwards) {
                all.add(forward);
            }
            all.endGroup();
        }
        const Grouped<F>& forwards = report_.keep(std::move(all));
        TableOf table = tableWithin("steps.fwd", forwards);
        table.document("k", [](const F& forward) { return keyOfForward(forward.kind); });
        addList(
            table, "ids", forwards.values(), [&](const F& forward) { return idsOf(forward.rows); }, true);
        table.document("B", [](const F& forward) { return forward.rows.size(); })
            .document("L", &F::length)
            .document("kv", &F::kvWidth);
        const auto lengths = [](const F& forward) {
            return forward.kind == ForwardKind::Prefill ? forward.tokens : std::vector<Tokens>();
        };
        addList(table, "lens", forwards.values(), lengths, false);
        report_.add(std::move(table));
    }

    Report& report_;
    const Scenario& scenario_;
    const ScheduleTrace& trace_;
    const VllmConfig* vllm_;
    bool mlx_;
    std::string totals_;
    std::vector<Table> within_; ///< lists within the steps
};

} // namespace

Report scheduleReport(const Scenario& scenario, const ScheduleTrace& trace) {
    Report report;
    report.schema = "batching-oracle/1";
    report.add("engine", withEngine(scenario.config, [](auto engine, const auto&) { return engine.name; }));
    report.add("name", scenario.name);
    report.add("description", scenario.description);
    withEngine(scenario.config,
               [&](auto engine, const auto& own) { engine.fields(ConfigFields(report), own); });
    ScheduleWriter writer(report, scenario, trace);
    writer.addTotals();
    writer.addRequests();
    writer.addSummary();
    writer.addSteps();
    return report;
}

} // namespace loadline::ask
