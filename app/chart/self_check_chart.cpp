// The charts of the self-check.
#include "app/chart/self_check_chart.h"

#include "app/chart/chart_request.h"
#include "app/simulation/self_check.h"
#include "ui/chart/self_check/self_check_drawings.h"

#include <fmt/format.h>

#include <filesystem>

namespace loadline::app {
namespace {

template <ui::SelfCheckChart chart>
ChartDrawing drawSelfCheck(const ChartRequest& request, const std::shared_ptr<const ScopedCorpus>& /*none*/,
                           ChartMemory* memory) {
    const ReplayQuestion choice = request.asked.selfCheck;
    if (choice.run.empty()) {
        return Error{"there is no recorded run to check", "", "--run RUN_DIR"};
    }
    const std::stop_token stop = memory != nullptr ? memory->stop : std::stop_token();
    const SelfCheckShown shown = selfCheckOf(choice, stop);
    if (stop.stop_requested()) {
        return stoppedError();
    }
    if (shown.error) {
        return *shown.error;
    }
    return std::shared_ptr<const ui::Drawing>(ui::drawingOf(chart, shown.figure));
}

std::string selfCheckCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& /*none*/) {
    const ReplayQuestion choice = request.asked.selfCheck;
    const std::filesystem::path run(choice.run);
    std::string text =
        "recorded run " + (run.has_filename() ? run.filename() : run.parent_path().filename()).string();
    text += choice.prompts.empty() ? "" : ", prompts known";
    return choice.kvBlocks ? text + fmt::format(", {} KV blocks", *choice.kvBlocks) : text;
}

template <ui::SelfCheckChart chart>
ChartSpec specOf(std::string_view key, std::string_view description) {
    return {.key = key,
            .description = description,
            .subject = ChartSubject::SelfCheck,
            .caption = selfCheckCaption,
            .fields = {"run", "prompts", "blocks"},
            .draw = drawSelfCheck<chart>,
            .title = [] { return ui::titleOf(chart); }};
}

} // namespace

namespace charts {

using ui::SelfCheckChart;

const ChartSpec selfCheckTtft = specOf<SelfCheckChart::Ttft>(
    "self-check-ttft", "time to first token of a recorded run, predicted over recorded");
const ChartSpec selfCheckTpot =
    specOf<SelfCheckChart::Tpot>("self-check-tpot", "time per output token of a recorded run, the same");
const ChartSpec selfCheckE2e =
    specOf<SelfCheckChart::E2e>("self-check-e2e", "end-to-end time of a recorded run, the same");
const ChartSpec selfCheckErrors = specOf<SelfCheckChart::Errors>(
    "self-check-errors", "errors of a recorded run's replay beside LLMServingSim's");

} // namespace charts
} // namespace loadline::app
