// One recorded step: its rows and kernels, in words and as a table.
#include "core/simulate/answer/batch.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/cost_tables.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/study/remarks.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadline {
namespace {

std::string_view nameOf(ForwardKind kind, bool several) {
    return several ? wordOf(kind, {"decode", "last prompt token", "prefill"}) : "step";
}

std::string whoOf(const BatchRecording& recording, RequestIndex index) {
    const BatchRequest& request = recording.requests[static_cast<std::size_t>(index)];
    const bool closed = recording.inputs.arrivals.kind == ArrivalKind::Closed;
    return fmt::format("{} {}", closed ? "user" : "request", formatExact(request.user + 1));
}

std::string prefillWords(const BatchRecording& recording, const BatchStep& step) {
    std::int64_t prefills = 0;
    std::int64_t tokens = 0;
    const BatchRow* only = nullptr;
    for (const BatchRow& row : step.rows) {
        if (row.kind == BatchRow::Kind::Prefill) {
            ++prefills;
            tokens += row.tokens;
            only = &row;
        }
    }
    if (prefills == 0) {
        return "";
    }
    if (prefills > 1) {
        return fmt::format("{} prefill {} tokens together", formatExact(prefills), formatExact(tokens));
    }
    const BatchRequest& request = recording.requests[static_cast<std::size_t>(only->request)];
    const Tokens all = request.promptTokens + only->emittedBefore; // again after a preemption
    return fmt::format("{} prefills {} of {} tokens", whoOf(recording, only->request),
                       formatExact(only->tokens), formatExact(all));
}

std::string waitWords(const BatchStep& step) {
    std::int64_t waiting = 0;
    const BatchRow* head = nullptr;
    for (const BatchRow& row : step.rows) {
        if (row.kind == BatchRow::Kind::Waiting) {
            head = head == nullptr ? &row : head;
            ++waiting;
        }
    }
    return waiting == 0 ? ""
                        : fmt::format(" {} {}: {}.", formatExact(waiting), waiting == 1 ? "waits" : "wait",
                                      describe(head->reason));
}

/// "qkv: mma 12.3; lm_head: cublas_fp16 98": each GEMM's microseconds in the whole step.
std::string kernelsOf(const BatchRecording& recording, const BatchStep& step) {
    std::string text;
    for (const BatchForward& forward : step.forwards) {
        for (std::size_t i = 0; i < forward.services.size(); ++i) {
            const LayerGemm& gemm = recording.inputs.cost.model.gemms[i];
            if (forward.rowsOf(gemm) > 0) {
                const GemmService& service = forward.services[i];
                text += fmt::format("{}{}{}: {} {}", text.empty() ? "" : "; ",
                                    step.forwards.size() > 1 ? forward.name + ", " : "", gemm.name,
                                    keyOf(service.kernel), formatReal(service.us));
            }
        }
    }
    return text;
}

} // namespace

std::string_view describe(WaitReason reason) {
    return wordOf(reason, {"", "as many sequences run as may", "the step's token budget is used up",
                           "the free KV blocks do not hold the prompt",
                           "behind the head of the queue, which does not fit",
                           "preempted in this step: its KV blocks were needed",
                           "one prompt at a time is prefilled", "the prompt batch is full"});
}

std::string_view nameOf(BatchRow::Kind kind) {
    return wordOf(kind, {"decode", "prefill", "idle", "waiting", "preempted"});
}

BatchStep batchStepOf(const BatchRecording& recording, std::int64_t step) {
    const auto at = static_cast<std::size_t>(step);
    const BatchStrip& strip = recording.strip;
    BatchStep result;
    result.step = step;
    result.startS = strip.startS[at];
    result.us = strip.us[at];
    result.fp16Us = strip.fp16Us[at];
    result.rowsM = strip.rowsM[at];
    result.usedBlocks = strip.usedBlocks[at];
    result.totalBlocks = recording.totalBlocks;
    const std::span<const BatchRow> rows = recording.rowsOf(step);
    result.rows.assign(rows.begin(), rows.end());
    const std::size_t end = at + 1 < recording.firstForward.size() ? recording.firstForward[at + 1]
                                                                   : recording.allForwards.size();
    const CostTable& table = recording.inputs.tables->at(recording.inputs.cost.format).table();
    const bool several = specOf(recording.inputs.policy.policy).severalForwards;
    for (std::size_t i = recording.firstForward[at]; i < end; ++i) {
        const BatchRecording::Forward& forward = recording.allForwards[i];
        const ForwardRows forwardRows(forward.rowsM, forward.headRows);
        result.forwards.push_back({std::string(nameOf(forward.kind, several)), forwardRows.m,
                                   forwardRows.head, table.services(forwardRows)});
        result.gemmUs += table.us(forwardRows);
    }
    if (recording.inputs.scope == StepScope::WholeStep) {
        result.hostUs = recording.inputs.policy.async ? 0 : std::min(recording.inputs.hostUs, result.us);
        result.attentionUs = std::max(0.0, result.us - result.gemmUs - result.hostUs);
    }
    return result;
}

std::string batchStepSentence(const BatchRecording& recording, const BatchStep& step) {
    const auto count = [&step](BatchRow::Kind kind) {
        return std::count_if(step.rows.begin(), step.rows.end(),
                             [kind](const BatchRow& row) { return row.kind == kind; });
    };
    const auto decodes = count(BatchRow::Kind::Decode);
    std::string text = fmt::format("Step {} at {}: ", formatExact(step.step), formatSeconds(step.startS));
    const std::string prefill = prefillWords(recording, step);
    if (decodes > 0) {
        text += fmt::format("{} {}{}", formatExact(decodes), decodes == 1 ? "decodes" : "decode",
                            prefill.empty() ? "" : ", ");
    }
    text += prefill;
    text += fmt::format("; M = {} rows.", formatExact(step.rowsM));
    if (recording.inputs.scope == StepScope::WholeStep && step.us > 0) {
        text += fmt::format(" Of {}, GEMMs take {}, attention {}{}.", formatSeconds(1e-6 * step.us),
                            formatShare(step.gemmUs / step.us), formatShare(step.attentionUs / step.us),
                            step.hostUs > 0 ? ", the host " + formatShare(step.hostUs / step.us) : "");
    }
    if (const auto preempted = count(BatchRow::Kind::Preempted); preempted > 0) {
        text += fmt::format(" {} {} preempted.", formatExact(preempted), preempted == 1 ? "was" : "were");
    }
    text += waitWords(step);
    const std::vector<std::int64_t>& used = recording.strip.usedBlocks; // -1 where nobody counts them
    const std::int64_t peak = used.empty() ? 0 : *std::ranges::max_element(used);
    const MemoryFit memory =
        memoryFitOf(recording.inputs, kvBytesOfBlocks(recording.inputs, std::max<std::int64_t>(peak, 0)));
    const std::string tooLarge = misfitSentence(memory);
    text = tooLarge.empty() ? text : tooLarge + " " + text;
    for (const std::string& remark : remarksOf(recording.inputs, memory)) {
        text += " " + remark;
    }
    return text;
}

Table tableOf(const BatchRecording& recording) {
    Table table = tableWith("step start_s time_us fp16_time_us rows_m decodes prefill_tokens running waiting "
                            "preempted used_kv_blocks head_rows");
    const BatchStrip& strip = recording.strip;
    for (std::size_t i = 0; i < strip.startS.size(); ++i) {
        const auto whole = [i](const std::vector<std::int32_t>& values) {
            return Cell(std::int64_t{values[i]});
        };
        table.rows.push_back(
            {static_cast<std::int64_t>(i), strip.startS[i], static_cast<double>(strip.us[i]),
             static_cast<double>(strip.fp16Us[i]), whole(strip.rowsM), whole(strip.decodes),
             whole(strip.prefillTokens), whole(strip.running), whole(strip.waiting), whole(strip.preempted),
             strip.usedBlocks[i] < 0 ? Cell() : Cell(strip.usedBlocks[i]), whole(strip.headRows)});
    }
    return table;
}

Table tableOf(const BatchRecording& recording, const BatchStep& step) {
    Table table =
        tableWith("step user request what tokens prompt_tokens output_tokens kv_tokens_before "
                  "emitted_before why_it_waits first_admitted resumed finishes preemptions kernels_us");
    const std::string kernels = kernelsOf(recording, step);
    for (const BatchRow& row : step.rows) {
        const BatchRequest& request = recording.requests[static_cast<std::size_t>(row.request)];
        table.rows.push_back({step.step, request.user + 1, std::int64_t{row.request},
                              std::string(nameOf(row.kind)), std::int64_t{row.tokens}, request.promptTokens,
                              request.outputTokens, std::int64_t{row.computedBefore},
                              std::int64_t{row.emittedBefore}, std::string(describe(row.reason)),
                              std::int64_t{row.admitted ? 1 : 0}, std::int64_t{row.resumed ? 1 : 0},
                              std::int64_t{row.finishes ? 1 : 0}, request.preemptions, kernels});
    }
    return table;
}

} // namespace loadline
