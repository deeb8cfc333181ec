// One simulated step: everybody in it, and which kernel each shape took.
#include "core/simulate/plot/plot_parts.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace loadline {
namespace {

using ask::Ink;

struct StepLine {
    std::string name, words;
    std::optional<Ink> ink = {};
};

Ink inkOf(BatchRow::Kind kind) {
    return kind == BatchRow::Kind::Decode      ? Ink::Output
           : kind == BatchRow::Kind::Prefill   ? Ink::Uncached
           : kind == BatchRow::Kind::Preempted ? Ink::Error
                                               : Ink::Idle;
}

std::string wordsOf(const BatchRow& row, const BatchRequest& request) {
    const std::string name(nameOf(row.kind));
    if (row.kind == BatchRow::Kind::Prefill) {
        return fmt::format("{} {}, {} of {} before", name, formatExact(row.tokens),
                           formatExact(row.computedBefore), formatExact(request.promptTokens));
    }
    if (row.kind == BatchRow::Kind::Decode) {
        return fmt::format("{}, {} of {} emitted", name, formatExact(row.emittedBefore),
                           formatExact(request.outputTokens));
    }
    return row.reason == WaitReason::None ? name : fmt::format("{}: {}", name, describe(row.reason));
}

std::vector<StepLine> requestLines(const BatchRecording& recording, const BatchStep& step) {
    const char* who = recording.inputs.arrivals.kind == ArrivalKind::Closed ? "user" : "request";
    std::vector<StepLine> lines;
    for (const BatchRow& row : step.rows) {
        const BatchRequest& request = recording.requests[static_cast<std::size_t>(row.request)];
        lines.push_back({fmt::format("{} {}", who, formatExact(request.user + 1)), wordsOf(row, request),
                         inkOf(row.kind)});
    }
    return lines;
}

std::vector<StepLine> kernelLines(const BatchRecording& recording, const BatchStep& step) {
    std::vector<StepLine> lines;
    for (const BatchForward& forward : step.forwards) {
        lines.push_back({fmt::format("{}: M = {} rows", forward.name, formatExact(forward.rowsM)), ""});
        for (std::size_t i = 0; i < forward.services.size(); ++i) {
            const GemmService& service = forward.services[i];
            const LayerGemm& gemm = recording.inputs.cost.model.gemms[i];
            const std::int64_t rows = forward.rowsOf(gemm);
            if (rows > 0) {
                lines.push_back(
                    {gemm.name,
                     fmt::format("{}, {}{}", nameOf(service.kernel, namingOf(recording.inputs)),
                                 formatSeconds(1e-6 * service.us),
                                 rows == forward.rowsM ? ""
                                                       : fmt::format(", M = {} rows", formatExact(rows))),
                     inkOf(service.kernel)});
            }
        }
    }
    for (const auto& [name, us] :
         {std::pair("attention", step.attentionUs), std::pair("host", step.hostUs)}) {
        if (us > 0) {
            lines.push_back({name, formatSeconds(1e-6 * us), Ink::Rest});
        }
    }
    return lines;
}

void addLines(ask::Report& report, const std::string& path, std::vector<StepLine> lines) {
    const std::vector<StepLine>& rows = report.keep(std::move(lines));
    report.tables.push_back(
        {.path = path,
         .title = {},
         .rows = rows.size(),
         .columns = {ask::columnOf(rows, "name", "", &StepLine::name, ask::Form::Text),
                     ask::columnOf(rows, "words", "", &StepLine::words, ask::Form::Text)}});
    report.tables.back().columns.back().ink = [&rows](std::size_t row) {
        return rows[row].ink.value_or(Ink::Muted);
    };
}

} // namespace

ask::Report batchStepReport(const std::shared_ptr<const BatchRecording>& recording, std::int64_t at) {
    const bool isEmpty = recording->steps() == 0;
    const BatchStep step =
        isEmpty ? BatchStep()
                : batchStepOf(*recording, std::clamp<std::int64_t>(at, 0, recording->steps() - 1));
    constexpr int requestsWidth = 62, kernelsWidth = 38; // per cent
    ask::Report report =
        reportOf({.key = "batch-step",
                  .title = "One step",
                  .description = {},
                  .sentence = isEmpty ? "No step was simulated." : batchStepSentence(*recording, step),
                  .x = {},
                  .y = {},
                  .marks = {},
                  .empty = step.rows.empty() ? "no request in this step" : "",
                  .facet = "batch-step",
                  .width = requestsWidth,
                  .drawn = "requests"},
                 tableOf(*recording, step));
    ask::Plot kernels = report.plots.front();
    kernels.width = kernelsWidth;
    kernels.drawn = "kernels";
    report.plots.push_back(std::move(kernels));
    addLines(report, "requests", requestLines(*recording, step));
    addLines(report, "kernels", kernelLines(*recording, step));
    return report;
}

} // namespace loadline
