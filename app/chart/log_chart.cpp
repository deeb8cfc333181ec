// The charts of the server's log that --log names.
#include "app/chart/log_chart.h"

#include "app/asked/asked.h"
#include "app/chart/chart_request.h"
#include "app/serverlog/log_shown.h"
#include "core/text/plain_words.h"

namespace loadline::app {
namespace {

std::string logCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& /*corpus*/) {
    const std::vector<std::string> files = request.asked.log.files;
    return files.empty() ? "no log"
           : files.size() == 1
               ? "log " + nameOfFile(files.front())
               : fmt::format("log {} and {} more", nameOfFile(files.front()), files.size() - 1);
}

template <ui::LogChart chart>
ChartDrawing drawLog(const ChartRequest& request, const std::shared_ptr<const ScopedCorpus>& /*scoped*/,
                     ChartMemory* memory) {
    const std::vector<std::string> files = request.asked.log.files;
    if (files.empty()) {
        return Error{"no log is named", "", "--log PATH"};
    }
    PageProgress unseen;
    const std::stop_token stop = memory != nullptr ? memory->stop : std::stop_token();
    const LogRead read = logOf(files, stop, unseen);
    if (stop.stop_requested()) {
        return stoppedError();
    }
    if (read.error) {
        return *read.error;
    }
    const LogShown shown = shownOf({read.log, request.asked.log.served, request.asked.log.judged()}, nullptr);
    if constexpr (chart == ui::LogChart::Time) {
        return std::shared_ptr<const ui::Drawing>(
            ui::logTimeDrawing(shown.scene, {stretchOf(request.asked.log.stretch), {}}));
    } else {
        return std::shared_ptr<const ui::Drawing>(ui::logRateDrawing(shown.figure, {}));
    }
}

template <ui::LogChart chart>
ChartSpec specOfLog(std::string_view key, std::string_view description, const FieldKeys& more) {
    FieldKeys all = {"log"};
    all.insert(all.end(), more.begin(), more.end());
    return {.key = key,
            .description = description,
            .subject = ChartSubject::ServerLog,
            .caption = logCaption,
            .fields = std::move(all),
            .draw = drawLog<chart>,
            .title = [] { return ui::titleOf(chart); }};
}

} // namespace

namespace charts {

const ChartSpec logTime = specOfLog<ui::LogChart::Time>(
    "log-time", "what a server's log tells over time: throughput, queue, cache, requests",
    {"log-stretch", "clock"});
const ChartSpec logRate = specOfLog<ui::LogChart::Rate>(
    "log-rate", "rates at which a server decoded, by context, below what its memory allows",
    {"log-model", "log-bits", "log-kv-bytes", "log-device", "log-bandwidth-gb-per-s", "log-gb-per-token",
     "log-kv-bytes-per-token", "log-stretch", "log-only-stretch"});

} // namespace charts
} // namespace loadline::app
