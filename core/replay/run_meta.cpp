// Reads meta.json of a recorded run: what vLLM resolved, else what it was asked for, else its defaults.
#include "core/replay/run_meta.h"

#include "core/base/read_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t mostCount = std::int64_t{1} << 30;
constexpr std::int64_t mostRanks = 1024;
constexpr double mostMemoryBytes = 1e15;
constexpr std::size_t mostCaptureSizes = 4096;

/// Looks a key up in several sections, the first that has it decides.
class MetaReader {
public:
    explicit MetaReader(const std::string& path) : path_(path) {}

    Result<RunMeta> read(std::string_view text) {
        const Json document = jsonFrom(text);
        if (document.is_discarded() || !document.is_object()) {
            fail(document.is_discarded() ? "it is not JSON" : "it is not a JSON object");
            return *error_;
        }
        const Json& asked = part(document, "engine_kwargs");
        const Json& resolved = part(document, "resolved_config");
        const Json& scheduler = part(resolved, "scheduler_config");
        const Json& cache = part(resolved, "cache_config");
        const Json& kv = part(document, "kv_cache");
        const Json& parallel = part(resolved, "parallel_config");
        const Json& model = part(resolved, "model_config");
        const Json& compilation = part(resolved, "compilation_config");
        const Json& hardware = part(document, "hardware");

        RunMeta meta;
        words("model", {&document, &asked, &model}, meta.model);
        words("vllm_version", {&document}, meta.vllmVersion);
        words("device_name", {&hardware}, meta.device);
        words("dtype", {&asked}, meta.dtype);
        words("kv_cache_dtype", {&asked}, meta.kvCacheDtype);
        meta.deviceBytes = real("device_total_memory_bytes", {&hardware}, mostMemoryBytes);
        meta.gpuMemoryUtilization =
            real("gpu_memory_utilization", {&kv, &cache, &asked}, 1).value_or(meta.gpuMemoryUtilization);
        count("tensor_parallel_size", {&parallel, &asked}, 1, mostRanks, meta.tensorParallel);
        count("max_num_seqs", {&scheduler, &asked}, 1, mostCount, meta.maxNumSeqs);
        count("max_num_batched_tokens", {&scheduler, &asked}, 1, mostCount, meta.maxNumBatchedTokens);
        count("long_prefill_token_threshold", {&scheduler}, 0, mostCount, meta.longPrefillTokenThreshold);
        count("block_size", {&kv, &cache, &asked}, 1, mostCount, meta.blockSize);
        meta.maxModelLen = count("max_model_len", {&model, &asked}, 2, mostCount);
        meta.kvBlocks = count("num_gpu_blocks", {&kv, &cache}, 2, mostKvBlocks);
        flag("enable_prefix_caching", {&kv, &cache, &asked}, meta.prefixCaching);
        flag("enable_chunked_prefill", {&scheduler, &asked}, meta.chunkedPrefill);
        flag("async_scheduling", {&scheduler, &asked}, meta.asyncScheduling);
        flag("scheduler_reserve_full_isl", {&scheduler}, meta.reserveFullPrompt);
        bool eager = false;
        flag("enforce_eager", {&model, &asked}, eager);
        meta.graphs = !eager;
        std::string policy = "fcfs";
        words("policy", {&scheduler}, policy);
        meta.priorityPolicy = policy == "priority";
        readCaptureSizes(compilation, meta);
        refuseOthers({&parallel, &asked});
        if (meta.model.empty()) {
            fail("its \"model\" is missing");
        }
        if (error_) {
            return *error_;
        }
        return meta;
    }

private:
    using Sections = std::initializer_list<const Json*>;

    void fail(const std::string& what) {
        if (!error_) {
            error_ = Error{"not the description of a recorded run: " + what, path_,
                           "meta.json as LLMServingSim's bench writes it"};
        }
    }

    static const Json& part(const Json& object, const char* key) {
        static const Json none = Json::object();
        const auto found = object.find(key);
        return found != object.end() && found->is_object() ? *found : none;
    }

    static const Json* find(const char* key, Sections sections) {
        for (const Json* section : sections) {
            const auto found = section->find(key);
            if (found != section->end() && !found->is_null()) {
                return &*found;
            }
        }
        return nullptr;
    }

    void words(const char* key, Sections sections, std::string& value) {
        if (const Json* found = find(key, sections)) {
            found->is_string() ? void(value = found->get<std::string>())
                               : fail(fmt::format("\"{}\" is not text", key));
        }
    }

    void flag(const char* key, Sections sections, bool& value) {
        if (const Json* found = find(key, sections)) {
            found->is_boolean() ? void(value = found->get<bool>())
                                : fail(fmt::format("\"{}\" is neither true nor false", key));
        }
    }

    std::optional<std::int64_t> count(const char* key, Sections sections, std::int64_t least,
                                      std::int64_t most) {
        const Json* found = find(key, sections);
        if (found == nullptr) {
            return std::nullopt;
        }
        const double given = found->is_number() ? found->get<double>() : -1;
        if (!(given >= static_cast<double>(least) && given <= static_cast<double>(most)) ||
            std::floor(given) != given) {
            fail(fmt::format("\"{}\" is not a whole number from {} to {}", key, least, most));
            return std::nullopt;
        }
        return static_cast<std::int64_t>(given);
    }

    void count(const char* key, Sections sections, std::int64_t least, std::int64_t most,
               std::int64_t& value) {
        value = count(key, sections, least, most).value_or(value);
    }

    std::optional<double> real(const char* key, Sections sections, double most) {
        const Json* found = find(key, sections);
        if (found == nullptr) {
            return std::nullopt;
        }
        const double given = found->is_number() ? found->get<double>() : -1;
        if (!(given > 0 && given <= most)) {
            fail(fmt::format("\"{}\" is not a number above 0", key));
            return std::nullopt;
        }
        return given;
    }

    void readCaptureSizes(const Json& compilation, RunMeta& meta) {
        const auto found = compilation.find("cudagraph_capture_sizes");
        if (found == compilation.end() || !found->is_array()) {
            meta.captureTokens = defaultCaptureTokens(meta.maxNumSeqs);
            return;
        }
        const bool whole =
            found->size() <= mostCaptureSizes && std::ranges::all_of(*found, [](const Json& size) {
                return size.is_number_integer() && size.get<double>() >= 1 &&
                       size.get<double>() <= static_cast<double>(mostCount);
            });
        if (!whole) {
            fail("\"cudagraph_capture_sizes\" is not a list of token counts");
            return;
        }
        meta.captureTokens = found->get<std::vector<Tokens>>();
        std::ranges::sort(meta.captureTokens);
    }

    void refuseOthers(Sections sections) {
        for (const char* key : {"data_parallel_size", "pipeline_parallel_size"}) {
            if (count(key, sections, 1, mostRanks).value_or(1) > 1) {
                fail(fmt::format("\"{}\" is above 1, and only one engine is replayed", key));
            }
        }
        bool experts = false;
        flag("enable_expert_parallel", sections, experts);
        if (experts) {
            fail("experts are parallel, which is not replayed");
        }
    }

    const std::string& path_;
    std::optional<Error> error_;
};

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
    constexpr int lastKnownMinor = 19;
    int minor = -1;
    if (!vllmVersion.starts_with("0.")) {
        return false;
    }
    const char* const begin = vllmVersion.data() + 2;
    std::from_chars(begin, vllmVersion.data() + vllmVersion.size(), minor);
    return minor >= 0 && minor <= lastKnownMinor;
}

std::vector<Tokens> defaultCaptureTokens(std::int64_t maxNumSeqs) {
    constexpr Tokens most = 512;
    constexpr Tokens fineUpTo = 256;
    const Tokens last = std::min<Tokens>(2 * std::min(maxNumSeqs, most), most);
    std::vector<Tokens> sizes;
    for (Tokens size : {1, 2, 4}) {
        if (size <= last) {
            sizes.push_back(size);
        }
    }
    for (Tokens size = 8; size <= last; size += size < fineUpTo ? 8 : 16) {
        sizes.push_back(size);
    }
    return sizes;
}

Result<RunMeta> runMetaFromJson(std::string_view json, const std::string& path) {
    return MetaReader(path).read(json);
}

} // namespace loadline
