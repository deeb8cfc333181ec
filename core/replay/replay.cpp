// Sets the simulated engine up as the recorded one was, and gathers how each request fared.
#include "core/replay/replay.h"

#include "core/replay/replay_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

/// Ids of tokens that nobody shares: beyond every vocabulary, a range of its own for each request.
constexpr std::int64_t ownTokens = std::int64_t{1} << 32;

VllmConfig configOf(const EngineRun& run, std::int64_t blocks) {
    const RunMeta& meta = run.meta;
    Tokens longest = 2;
    std::int64_t most = 2; // blocks that all requests together can fill: more of them change nothing
    for (const RecordedRequest& request : run.requests) {
        const Tokens length = request.input + request.output;
        longest = std::max(longest, length);
        most += length / meta.blockSize + 1;
    }
    return {.maxNumBatchedTokens = meta.maxNumBatchedTokens,
            .maxNumSeqs = meta.maxNumSeqs,
            .longPrefillTokenThreshold = meta.longPrefillTokenThreshold,
            .enableChunkedPrefill = meta.chunkedPrefill,
            .enablePrefixCaching = meta.prefixCaching,
            .blockSize = meta.blockSize,
            .numGpuBlocks = std::min(blocks, most),
            .maxModelLen = meta.maxModelLen.value_or(longest),
            .policy = meta.priorityPolicy ? VllmPolicy::Priority : VllmPolicy::Fcfs,
            .asyncScheduling = meta.asyncScheduling,
            .schedulerReserveFullIsl = meta.reserveFullPrompt,
            .freedBlocksToBack = meta.freesBlocksToBack()};
}

Scenario scenarioOf(const EngineRun& run, std::int64_t blocks) {
    Scenario scenario{.name = run.name, .description = "", .config = configOf(run, blocks), .requests = {}};
    scenario.requests.reserve(run.requests.size());
    for (std::size_t i = 0; i < run.requests.size(); ++i) {
        const RecordedRequest& recorded = run.requests[i];
        const std::int64_t own = static_cast<std::int64_t>(i + 1) * ownTokens;
        ScheduleRequest request;
        request.id = static_cast<std::int64_t>(i);
        request.arrivalStep = 0; // the driver adds it when it arrives
        request.prompt =
            recorded.prompt.empty() ? std::vector<TokenRun>{{own, recorded.input}} : recorded.prompt;
        request.promptTokens = recorded.input;
        request.outputTokens = recorded.output;
        request.firstOutputToken = own + recorded.input;
        scenario.requests.push_back(std::move(request));
    }
    return scenario;
}

/// Returns an Error for the first request that is too long for the engine, with the request's own name, which
/// a Scenario does not know.
Status checkLengths(const EngineRun& run, const VllmConfig& config) {
    for (const RecordedRequest& request : run.requests) {
        if (request.input >= config.maxModelLen) {
            return Error{fmt::format("the request {} has a prompt of {} tokens, and max_model_len is {}",
                                     request.id, request.input, config.maxModelLen),
                         run.name, "the run's own meta.json"};
        }
        const Tokens kept = std::min(request.input + request.output, config.maxModelLen) - 1;
        const std::int64_t needed = (kept + config.blockSize - 1) / config.blockSize;
        if (needed > config.numGpuBlocks - 1) {
            return Error{
                fmt::format("the request {} is longer than the cache: its {} tokens need {} KV blocks "
                            "of {}, and {} can be used",
                            request.id, kept, needed, config.blockSize, config.numGpuBlocks - 1),
                run.name, fmt::format("--blocks {} or more", needed + 1)};
        }
    }
    return Done{};
}

Latencies latenciesOf(double arrivalS, double firstS, double lastS, Tokens outputs) {
    return {.ttftS = firstS - arrivalS,
            .tpotS = outputs > 1 ? (lastS - firstS) / static_cast<double>(outputs - 1) : 0,
            .e2eS = lastS - arrivalS};
}

/// `of` gives a request's latencies from what became of it.
template <typename Of>
LatencySummary summaryOf(const EngineRun& run, const std::vector<ReplayedRequest>& requests, Of of) {
    std::vector<double> ttft;
    std::vector<double> tpot;
    std::vector<double> e2e;
    LatencySummary summary;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Latencies& latencies = of(requests[i]);
        ttft.push_back(latencies.ttftS);
        e2e.push_back(latencies.e2eS);
        if (run.requests[i].output > 1) {
            tpot.push_back(latencies.tpotS);
        }
        summary.makespanS = std::max(summary.makespanS, run.requests[i].arrivalS + latencies.e2eS);
    }
    summary.ttftS = quantilesOf(std::move(ttft));
    summary.tpotS = quantilesOf(std::move(tpot));
    summary.e2eS = quantilesOf(std::move(e2e));
    return summary;
}

void addNotes(const EngineRun& run, Replay& replay) {
    replay.notes = run.notes;
    replay.notes.push_back(replay.capacity.origin);
    if (run.meta.prefixCaching && !run.prompted()) {
        replay.notes.emplace_back(
            "the prompts were not recorded: what requests share with each other in the prefix cache is not "
            "known and computed anew (the dataset that was served tells, as --prompts FILE)");
    }
    if (run.meta.tensorParallel > 1) {
        replay.notes.emplace_back("links as LLMServingSim describes them, all-reduce and gathering of logits "
                                  "after the algorithms of vLLM");
    }
}

} // namespace

Result<Replay> replayRun(const EngineRun& run, const ReplayOptions& options, const std::stop_token& stop) {
    Replay replay;
    if (options.kvBlocks) {
        replay.capacity.blocks = *options.kvBlocks;
        replay.capacity.blockTokens = run.meta.blockSize;
        replay.capacity.origin = fmt::format("{} KV blocks, as asked for", *options.kvBlocks);
    } else {
        Result<KvCapacity> capacity = kvCapacityOf(run);
        if (!capacity) {
            return capacity.error();
        }
        replay.capacity = std::move(*capacity);
    }
    if (replay.capacity.blocks < 2 || replay.capacity.blocks > mostKvBlocks) {
        return Error{
            fmt::format("{} KV blocks are not between 2 and {}", replay.capacity.blocks, mostKvBlocks),
            run.name, "--blocks N"};
    }
    const Scenario scenario = scenarioOf(run, replay.capacity.blocks);
    if (const Status checked = checkLengths(run, std::get<VllmConfig>(scenario.config)); !checked) {
        return checked.error();
    }
    if (const Status checked = checkScenario(scenario); !checked) {
        Error error = checked.error();
        error.where = run.name;
        return error;
    }
    ReplayDriver driver(run, scenario);
    if (const Status driven = driver.drive(stop); !driven) {
        return driven.error();
    }
    replay.steps = driver.steps();
    replay.budget = driver.budget();
    for (std::size_t i = 0; i < run.requests.size(); ++i) {
        const RecordedRequest& recorded = run.requests[i];
        const ReplayCourse& course = driver.courses()[i];
        ReplayedRequest request;
        request.predicted =
            latenciesOf(recorded.arrivalS, course.firstTokenS, course.lastTokenS, recorded.output);
        if (recorded.times) {
            request.recorded = latenciesOf(recorded.arrivalS, recorded.times->firstTokenS,
                                           recorded.times->lastTokenS, recorded.output);
        }
        request.preemptions = course.preemptions;
        request.cachedTokens = course.cachedTokens;
        replay.preemptions += course.preemptions;
        replay.cachedTokens += course.cachedTokens;
        replay.requests.push_back(request);
    }
    replay.predicted = summaryOf(run, replay.requests,
                                 [](const ReplayedRequest& r) -> const Latencies& { return r.predicted; });
    if (run.timed()) {
        replay.recorded = summaryOf(run, replay.requests,
                                    [](const ReplayedRequest& r) -> const Latencies& { return *r.recorded; });
    }
    addNotes(run, replay);
    return replay;
}

} // namespace loadline
