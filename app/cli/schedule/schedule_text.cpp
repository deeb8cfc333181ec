// Steps as a table: who computes how many tokens, and what happened.
#include "app/cli/schedule/schedule_text.h"

#include "app/cli/terminal/text_table.h"
#include "core/schedule/engines.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace loadline::app {
namespace {

constexpr std::size_t listWidth = 60;

/// Turns a trace's indices into the scenario's ids.
class Words {
public:
    explicit Words(const Scenario& scenario) : scenario_(scenario) {}

    [[nodiscard]] std::string work(const Step& step) const {
        std::string text;
        for (const RequestTokens& scheduled : step.scheduled) {
            text += fmt::format("{}{}:{}", text.empty() ? "" : " ", id(scheduled.request), scheduled.tokens);
        }
        for (const MlxForward& forward : step.forwards) {
            const char* kind = forward.kind == ForwardKind::Decode ? "decode"
                               : forward.kind == ForwardKind::Last ? "last"
                                                                   : "prefill";
            text += fmt::format("{}{} {}x{} [{}]", text.empty() ? "" : ", ", kind, forward.rows.size(),
                                forward.length, ids(forward.rows));
        }
        return shortened(text, listWidth);
    }

    [[nodiscard]] std::string events(const Step& step) const {
        std::string text;
        append(text, "arrived", step.arrived);
        append(text, "preempted", step.preempted);
        append(text, "resumed", step.resumed);
        for (const RequestTokens& hit : step.hits) {
            if (hit.tokens > 0) {
                text += fmt::format("{}{} hit {}", text.empty() ? "" : ", ", id(hit.request), hit.tokens);
            }
        }
        append(text, "finished", step.finished);
        return shortened(text, listWidth);
    }

private:
    [[nodiscard]] std::int64_t id(RequestIndex request) const { return scenario_.requests[request].id; }

    [[nodiscard]] std::string ids(std::span<const RequestIndex> requests) const {
        std::string text;
        for (const RequestIndex request : requests) {
            text += fmt::format("{}{}", text.empty() ? "" : " ", id(request));
        }
        return text;
    }

    void append(std::string& text, const char* what, std::span<const RequestIndex> requests) const {
        if (!requests.empty()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, ids(requests));
        }
    }

    const Scenario& scenario_;
};

} // namespace

std::string scheduleText(const Scenario& scenario, const ScheduleTrace& trace) {
    const Words words(scenario);
    const bool blocks =
        withEngine(scenario.config, [](auto engine, const auto&) { return !engine.inRectangles; });
    TextTable table;
    table.columns = {{"Step", true}, {"Tokens", true}, {"Running", true}, {"Waiting", true}};
    if (blocks) {
        table.columns.push_back({"Free blocks", true});
    }
    table.columns.push_back({blocks ? "Request:tokens" : "Forwards"});
    table.columns.push_back({"What happened"});
    Tokens tokens = 0;
    std::size_t preemptions = 0;
    std::size_t outputs = 0;
    for (const Step& step : trace.steps) {
        std::vector<std::string> row{fmt::format("{}", step.t), formatExact(step.total),
                                     fmt::format("{}", step.runningCount),
                                     fmt::format("{}", step.waitingCount)};
        if (blocks) {
            row.push_back(formatExact(step.free));
        }
        row.push_back(words.work(step));
        row.push_back(words.events(step));
        table.rows.push_back(std::move(row));
        tokens += step.total;
        preemptions += step.preempted.size();
        outputs += step.emitted.size();
    }
    return alignedText(table) +
           fmt::format("\n{} requests, {} steps, {} tokens computed{}, {} output tokens, "
                       "{} preemptions\n",
                       scenario.requests.size(), formatExact(static_cast<std::int64_t>(trace.steps.size())),
                       formatExact(tokens), blocks ? "" : " with padding",
                       formatExact(static_cast<std::int64_t>(outputs)), preemptions);
}

} // namespace loadline::app
