// Reads meta.json of a recorded run: what vLLM resolved, else what it was asked for, else its defaults.
#include "core/replay/run_meta.h"

#include "core/base/file/read_json.h"
#include "core/cost/engine/capture_sizes.h"
#include "core/text/json/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t mostCount = std::int64_t{1} << 30;
constexpr std::int64_t mostRanks = 1024;
constexpr double mostMemoryBytes = 1e15;
constexpr std::size_t mostCaptureSizes = 4096;

void readCaptureSizes(JsonFields compilation, RunMeta& meta) {
    const Json* const found = compilation.find("cudagraph_capture_sizes");
    if (found == nullptr || !found->is_array()) {
        meta.captureTokens = defaultCaptureTokens(meta.maxNumSeqs);
        return;
    }
    compilation.wholes("cudagraph_capture_sizes", meta.captureTokens, 1, mostCount);
    if (found->size() > mostCaptureSizes) {
        compilation.fail(fmt::format("\"cudagraph_capture_sizes\" has more than {} sizes", mostCaptureSizes));
    }
    std::ranges::sort(meta.captureTokens);
}

void refuseOthers(JsonFields parallel) {
    for (const char* key : {"data_parallel_size", "pipeline_parallel_size"}) {
        std::int64_t size = 1;
        if (parallel.whole(key, size, 1, mostRanks) && size > 1) {
            parallel.fail(fmt::format("\"{}\" is above 1, and only one engine is replayed", key));
        }
    }
    bool experts = false;
    parallel.truth("enable_expert_parallel", experts);
    if (experts) {
        parallel.fail("experts are parallel, which is not replayed");
    }
}

/// Reads the sections of meta.json; of several sections the first that has a member decides.
RunMeta metaIn(const Json& document, JsonProblem& problem) {
    const auto part = [&](const Json& object, const char* key) -> const Json& {
        static const Json none = Json::object();
        const Json& member = memberOf(object, key);
        return member.is_object() ? member : none;
    };
    const auto fieldsOf = [&](std::initializer_list<const Json*> sections) {
        return JsonFields(sections, problem);
    };
    const Json& resolvedJson = part(document, "resolved_config");
    const Json& asked = part(document, "engine_kwargs");
    const Json& kvJson = part(document, "kv_cache");
    const Json& modelJson = part(resolvedJson, "model_config");
    JsonFields whole(document, problem);
    JsonFields engine = fieldsOf({&asked});
    JsonFields hardware = fieldsOf({&part(document, "hardware")});
    JsonFields scheduler = fieldsOf({&part(resolvedJson, "scheduler_config")});
    JsonFields batching = fieldsOf({&scheduler.json(), &asked});
    JsonFields kv = fieldsOf({&kvJson, &part(resolvedJson, "cache_config"), &asked});
    JsonFields kvAlone = fieldsOf({&kvJson, &part(resolvedJson, "cache_config")});
    JsonFields parallel = fieldsOf({&part(resolvedJson, "parallel_config"), &asked});
    JsonFields model = fieldsOf({&modelJson, &asked});

    RunMeta meta;
    fieldsOf({&whole.json(), &asked, &modelJson}).text("model", meta.model);
    whole.text("vllm_version", meta.vllmVersion);
    hardware.text("device_name", meta.device);
    engine.text("dtype", meta.dtype);
    engine.text("kv_cache_dtype", meta.kvCacheDtype);
    double bytes = 0;
    if (hardware.number("device_total_memory_bytes", bytes, false, "a number above 0",
                        [](double value) { return value > 0 && value <= mostMemoryBytes; })) {
        meta.deviceBytes = bytes;
    }
    kv.number("gpu_memory_utilization", meta.gpuMemoryUtilization, false, "a number above 0, up to 1",
              [](double value) { return value > 0 && value <= 1; });
    parallel.whole("tensor_parallel_size", meta.tensorParallel, 1, mostRanks);
    batching.whole("max_num_seqs", meta.maxNumSeqs, 1, mostCount);
    batching.whole("max_num_batched_tokens", meta.maxNumBatchedTokens, 1, mostCount);
    scheduler.whole("long_prefill_token_threshold", meta.longPrefillTokenThreshold, 0, mostCount);
    kv.whole("block_size", meta.blockSize, 1, mostCount);
    model.whole("max_model_len", meta.maxModelLen, 2, mostCount);
    kvAlone.whole("num_gpu_blocks", meta.kvBlocks, 2, mostKvBlocks);
    kv.truth("enable_prefix_caching", meta.prefixCaching);
    batching.truth("enable_chunked_prefill", meta.chunkedPrefill);
    batching.truth("async_scheduling", meta.asyncScheduling);
    scheduler.truth("scheduler_reserve_full_isl", meta.reserveFullPrompt);
    bool eager = false;
    model.truth("enforce_eager", eager);
    meta.graphs = !eager;
    std::string policy = "fcfs";
    scheduler.text("policy", policy);
    meta.priorityPolicy = policy == "priority";
    readCaptureSizes(fieldsOf({&part(resolvedJson, "compilation_config")}), meta);
    refuseOthers(parallel);
    if (meta.model.empty()) {
        whole.fail("its \"model\" is missing");
    }
    return meta;
}

double bytesOf(std::string_view dtype) {
    if (dtype == "float32" || dtype == "float") {
        return 4;
    }
    return dtype.starts_with("fp8") || dtype.starts_with("int8") ? 1 : 2;
}

} // namespace

double RunMeta::valueBytes() const {
    return bytesOf(dtype);
}

double RunMeta::kvValueBytes() const {
    return bytesOf(kvCacheDtype == "auto" ? dtype : kvCacheDtype);
}

bool RunMeta::freesBlocksToBack() const {
    constexpr EngineVersion firstUnknown{.major = 0, .minor = 20};
    const std::optional<EngineVersion> version = engineVersionFrom(vllmVersion);
    return version && *version < firstUnknown;
}

std::vector<Tokens> defaultCaptureTokens(std::int64_t maxNumSeqs) {
    constexpr EngineVersion recorded{.major = 0, .minor = 19};
    constexpr Tokens noLimit = 1 << 20;
    return captureSizes(engineSettingsOf(recorded, noLimit, maxNumSeqs));
}

Result<RunMeta> runMetaFromJson(std::string_view json, const std::string& path) {
    JsonProblem problem;
    const RunMeta meta = metaIn(jsonFrom(json), problem);
    if (problem) {
        return problem.error("not the description of a recorded run: ", path,
                             "meta.json as LLMServingSim's bench writes it");
    }
    return meta;
}

} // namespace loadline
