// The engines whose scheduler runs on scenarios: each its name, the fields of its configuration, its
// scheduler.
#pragma once

#include "core/schedule/policy/mlx_batch.h"
#include "core/schedule/policy/vllm_v1.h"
#include "core/schedule/scenario.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

namespace loadline {

/// The range of a whole number in a configuration.
struct EngineBounds {
    std::int64_t least = 0;
    std::int64_t most = std::int64_t{1} << 31; ///< tokens of a step, a block, a context
};

/// One of some words.
template <typename T, std::size_t n>
using EngineWordList = std::array<std::pair<std::string_view, T>, n>;

/// fields(field, config) calls field(name, value, EngineBounds) for whole numbers, field(name, value) for
/// flags and shares, field(name, value, EngineWordList) for words; begin(config, listQueues, run) calls
/// run(scheduler).
template <typename Config>
struct Engine;

template <>
struct Engine<VllmConfig> {
    static constexpr std::string_view name = "vllm";

    template <typename Field, typename Config>
    static void fields(Field&& field, Config& config) {
        field("max_num_batched_tokens", config.maxNumBatchedTokens, EngineBounds{1, EngineBounds{}.most - 1});
        field("max_num_seqs", config.maxNumSeqs, EngineBounds{1});
        field("long_prefill_token_threshold", config.longPrefillTokenThreshold, EngineBounds{});
        field("enable_chunked_prefill", config.enableChunkedPrefill);
        field("enable_prefix_caching", config.enablePrefixCaching);
        field("block_size", config.blockSize, EngineBounds{1});
        field("num_gpu_blocks", config.numGpuBlocks, EngineBounds{2, std::int64_t{1} << 24});
        field("max_model_len", config.maxModelLen, EngineBounds{2});
        field(
            "policy", config.policy,
            EngineWordList<VllmPolicy, 2>{{{"fcfs", VllmPolicy::Fcfs}, {"priority", VllmPolicy::Priority}}});
        field("async_scheduling", config.asyncScheduling);
        field("scheduler_reserve_full_isl", config.schedulerReserveFullIsl);
        field("watermark", config.watermark);
        field("version", config.version,
              EngineWordList<VllmVersion, 3>{{{"latest", VllmVersion::Latest},
                                              {"2026-03", VllmVersion::March2026},
                                              {"2025-10", VllmVersion::October2025}}});
    }

    template <typename Run>
    static auto begin(const VllmConfig& config, bool listQueues, Run&& run) {
        return run(VllmV1(config, listQueues));
    }
};

template <>
struct Engine<MlxConfig> {
    static constexpr std::string_view name = "mlx";

    template <typename Field, typename Config>
    static void fields(Field&& field, Config& config) {
        field("completion_batch_size", config.completionBatchSize, EngineBounds{1});
        field("prefill_batch_size", config.prefillBatchSize, EngineBounds{1});
        field("prefill_step_size", config.prefillStepSize, EngineBounds{1});
        field("reuse_cache", config.reuseCache);
    }

    template <typename Run>
    static auto begin(const MlxConfig& config, bool /*listQueues*/, Run&& run) {
        return run(MlxBatch(config));
    }
};

/// use(Engine<C>(), config) with the configuration that the scenario has.
template <typename Config, typename Use>
auto withEngine(Config& config, Use&& use) {
    return std::visit([&](auto& own) { return use(Engine<std::remove_cvref_t<decltype(own)>>(), own); },
                      config);
}

/// use(Engine<C>(), C()) for every engine there is.
template <typename Use, std::size_t... i>
void forEachEngine(Use&& use, std::index_sequence<i...> /*all*/) {
    (use(Engine<std::variant_alternative_t<i, ScheduleConfig>>(),
         std::variant_alternative_t<i, ScheduleConfig>()),
     ...);
}

template <typename Use>
void forEachEngine(Use&& use) {
    forEachEngine(use, std::make_index_sequence<std::variant_size_v<ScheduleConfig>>());
}

} // namespace loadline
