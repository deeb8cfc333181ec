// Names of vLLM's options, and why some are left aside.
#include "core/simulate/request/engine_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace loadline {
namespace {

struct Known {
    std::string_view name;
    std::string_view why;
};

/// Options that change what an engine does in a way that is not simulated: worth more than "not known".
constexpr std::array notSimulated = {
    Known{"max_num_partial_prefills", "vLLM V1's scheduler never read it"},
    Known{"max_long_partial_prefills", "vLLM V1's scheduler never read it"},
    Known{"pipeline_parallel_size", "pipelines are not simulated"},
    Known{"data_parallel_size", "one engine is simulated: divide the users by it"},
    Known{"speculative_config", "speculative decoding is not simulated"},
    Known{"quantization", "choose k and the kernels' profile by hand"},
    Known{"kv_cache_dtype", "KV is counted in 16-bit values"},
    Known{"dtype", "the profile says what was timed"},
    Known{"enforce_eager", "the profile says how kernels were launched"},
    Known{"cpu_offload_gb", "offloading is not simulated"},
    Known{"swap_space", "vLLM V1 recomputes; it does not swap"},
    Known{"preemption_mode", "vLLM V1 recomputes; it does not swap"},
    Known{"num_scheduler_steps", "vLLM V1 has no multi-step scheduling"},
    Known{"enable_lora", "adapters are not simulated"},
    Known{"stream_interval", "tokens are counted when they are computed"},
};

/// Options with a value, or flags, that have nothing to do with batching.
constexpr std::array elsewhere = {"port",
                                  "host",
                                  "served_model_name",
                                  "api_key",
                                  "trust_remote_code",
                                  "download_dir",
                                  "tokenizer",
                                  "tokenizer_mode",
                                  "seed",
                                  "tool_call_parser",
                                  "enable_auto_tool_choice",
                                  "reasoning_parser",
                                  "chat_template",
                                  "disable_log_requests",
                                  "disable_log_stats",
                                  "uvicorn_log_level",
                                  "load_format",
                                  "revision"};

} // namespace

bool isBareFlag(std::string_view name) {
    constexpr std::array flags = {"enable_chunked_prefill",  "enable_prefix_caching",
                                  "async_scheduling",        "scheduler_reserve_full_isl",
                                  "enforce_eager",           "trust_remote_code",
                                  "enable_auto_tool_choice", "disable_log_requests",
                                  "disable_log_stats",       "enable_lora",
                                  "enable_expert_parallel"};
    const std::string_view positive = name.starts_with("no_") ? name.substr(3) : name;
    return std::find(flags.begin(), flags.end(), positive) != flags.end();
}

std::string whyLeft(std::string_view name) {
    for (const Known& known : notSimulated) {
        if (known.name == name) {
            return std::string(known.why);
        }
    }
    const bool harmless = std::find(elsewhere.begin(), elsewhere.end(), name) != elsewhere.end();
    return harmless ? "does not touch batching" : "not an option that is known here";
}

std::string_view longName(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> shorts = {
        {{"tp", "tensor_parallel_size"},
         {"pp", "pipeline_parallel_size"},
         {"dp", "data_parallel_size"},
         {"q", "quantization"}}};
    for (const auto& [shortForm, full] : shorts) {
        if (name == shortForm) {
            return full;
        }
    }
    // a config dump nests them: "scheduler_config.max_num_seqs"
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

} // namespace loadline
