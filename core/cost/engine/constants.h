// The numbers of the step model that are fitted, assumed or measured, each only here. Bytes counted from the
// engine's kernels stand beside their use.
#pragma once

#include <span>
#include <string_view>

namespace loadline {

struct Constant {
    std::string_view name; ///< its key in JSON
    double value = 0;
    std::string_view unit{};     ///< empty for a plain factor
    std::string_view origin{};   ///< a citation, or "assumed", "fitted", "measured" and how
    std::string_view fittedOn{}; ///< the measurements; empty if not fitted
    bool operator==(const Constant&) const = default;
};

namespace constant {

inline constexpr double bytesOfGibibyte = 1024.0 * 1024 * 1024;

inline constexpr Constant smallKernelUs{
    .name = "small_kernel_us",
    .value = 2.25,
    .unit = "us",
    .origin =
        "fitted: time of a small kernel of a layer, of grid 1.5 to 3; an H100 takes 1.2 to 2.8 us at few "
        "rows (tests/data/kernels/h100_small_kernels.csv)",
    .fittedOn = "TPOT of 28 rows, Llama-3.1-70B fp8 on H200"};

inline constexpr Constant promptTokenUs{.name = "prompt_token_us",
                                        .value = 3,
                                        .unit = "us per token",
                                        .origin = "fitted: serial tokenisation of the prompt, of grid 2 to 6",
                                        .fittedOn = "TTFT of 28 rows, Llama-3.1-70B fp8 on H200"};

inline constexpr Constant frontEndUs{
    .name = "front_end_us",
    .value = 5000,
    .unit = "us",
    .origin = "assumed: HTTP, queues and processes between client and engine, per request"};

inline constexpr Constant outputTokenUs{
    .name = "output_token_us",
    .value = 80,
    .unit = "us per token",
    .origin = "assumed: one API server process hands on some 10,000 tokens a second; 50 to 100 us predict "
              "alike"};

inline constexpr Constant bandwidthShare{
    .name = "bandwidth_share",
    .value = 0.8,
    .origin = "assumed: share of the HBM bandwidth that element-wise kernels reach"};

inline constexpr Constant expertLoadExponent{.name = "expert_load_exponent",
                                             .value = 1.2,
                                             .origin =
                                                 "assumed: the tables' token distribution power_law_1.2"};

inline constexpr Constant blockFloorFactor{
    .name = "fp8_block_floor_factor",
    .value = 1.5,
    .origin = "assumed: cells of the fp8_block column below so many times its launch floor are replaced by "
              "the fp8 column"};

inline constexpr Constant blockFloorRows{
    .name = "fp8_block_floor_rows",
    .value = 256,
    .unit = "rows",
    .origin = "assumed: up to so many rows the launch floor of fp8_block is that of its own rows, beyond the "
              "least one, as larger steps may pay their launches; at all rows the median of servers' TTFT "
              "errors is the same, their 90th percentile 0.2 points more"};

inline constexpr Constant sustainedRows{
    .name = "sustained_rows",
    .value = 16384,
    .unit = "rows",
    .origin = "definition: cells from here on show the GEMM rate under the power limit"};

inline constexpr Constant sustainedFlop{.name = "sustained_flop",
                                        .value = 8e12,
                                        .unit = "flop",
                                        .origin = "definition: likewise, with so much work"};

inline constexpr Constant marlinLaunchUs{
    .name = "marlin_launch_us",
    .value = 25,
    .unit = "us",
    .origin = "assumed: about six kernels of 4 us around Marlin's expert GEMMs"};

inline constexpr Constant marlinReferenceLaunchUs{
    .name = "marlin_reference_launch_us",
    .value = 60,
    .unit = "us",
    .origin = "measured: intercept over 1/tp of the tables' rows with 896 MXFP4 experts at 1 token, H200 and "
              "H100 (56 and 60 us)"};

inline constexpr Constant flashInferExpertsFactor{
    .name = "flashinfer_experts_factor",
    .value = 1.3,
    .origin = "vLLM pull request 33490: fp8_block experts by FlashInfer CUTLASS are about 30 % slower than "
              "Triton on Hopper"};

inline constexpr Constant blackwellFp32Tflops{
    .name = "blackwell_fp32_tflops",
    .value = 75,
    .unit = "TFLOP/s",
    .origin = "NVIDIA's datasheet of the B200: FP32 without tensor cores; bounds routers beyond 1,024 rows"};

inline constexpr Constant fp32Share{.name = "fp32_share",
                                    .value = 0.8,
                                    .origin = "assumed: share of the FP32 rate that a large GEMM reaches"};

inline constexpr Constant samplingBytes{
    .name = "sampling_bytes",
    .value = 14.8,
    .unit = "bytes per logit",
    .origin =
        "measured by others: peak of PyTorch's memory less hidden rows, over 1,024 sequences and the "
        "vocabulary; vLLM 0.19 on an H100, seven models, 14.7 to 15.1 (llm-d-planner, accuracy report)"};

inline constexpr Constant oldSamplingBytes{
    .name = "sampling_bytes_before_0_17",
    .value = 38.3,
    .unit = "bytes per logit",
    .origin = "measured by others: the same of vLLM 0.11, six models, 38.2 to 38.6, a multimodal one left "
              "out (llm-d, results of memory "
              "profiling); 0.15 and 0.16 alike (llm-d-planner, accuracy report)"};

inline constexpr Constant outsideBytes{
    .name = "outside_bytes",
    .value = 0.25 * bytesOfGibibyte,
    .unit = "bytes",
    .origin = "measured by others: memory that is not PyTorch's, vLLM 0.18 and 0.19 on one H100, 0.24 to "
              "0.27 GiB (llm-d-planner, accuracy report)"};

inline constexpr Constant oldOutsideBytes{
    .name = "outside_bytes_before_0_18",
    .value = 0.13 * bytesOfGibibyte,
    .unit = "bytes",
    .origin = "measured by others: the same of vLLM 0.11 to 0.17 (llm-d-planner, accuracy report)"};

inline constexpr Constant parallelOutsideBytes{
    .name = "outside_bytes_parallel",
    .value = 2.1 * bytesOfGibibyte,
    .unit = "bytes",
    .origin =
        "measured by others: the same with NCCL and all-reduce buffers, vLLM 0.19 on 2 and 4 H100, 2.06 "
        "to 2.17 GiB (llm-d-planner, accuracy report); 8 GPUs and 0.17 and 0.18 are assumed alike"};

inline constexpr Constant oldParallelOutsideBytes{
    .name = "outside_bytes_parallel_before_0_17",
    .value = 0.55 * bytesOfGibibyte,
    .unit = "bytes",
    .origin =
        "measured by others: the same of vLLM 0.11 on 2 H100 (llm-d, results of memory profiling); more "
        "GPUs and versions to 0.16 are assumed alike"};

inline constexpr Constant graphBytes{
    .name = "graph_bytes",
    .value = 1.04 * bytesOfGibibyte,
    .unit = "bytes",
    .origin = "measured by others: mean of CUDA graphs, vLLM 0.19 on H100, 0.51 to 1.85 GiB (llm-d-planner, "
              "accuracy report); the engine takes them off from 0.21 on"};

inline constexpr Constant tf32Factor{
    .name = "tf32_factor",
    .value = 5,
    .origin = "assumed: TF32 rate of tensor cores in such GEMMs over the FP32 rate"};

} // namespace constant

/// Returns every constant, each name once.
std::span<const Constant> constants();

} // namespace loadline
