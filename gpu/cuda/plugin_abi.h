// The CUDA plugin's border: one C entry that gives a table of functions over plain structs.
#pragma once

#include "gpu/format/layout.h"

#include <cstdint>

// The plugin (libloadline_cuda_plugin) is opened at run time by openCudaPlugin (plugin.h) and never linked.
// It needs no CUDA library to be present: the runtime is inside it, the driver, cuBLAS and NVML are looked
// for when asked. Nothing here throws, prints, or changes a device setting. One thread at a time may use a
// session. After DeviceFault the process can measure nothing more: end it (benchmarks run in a child process
// for this reason).
//
// Units are in the names: Bytes, Us (microseconds), MHz, Mw (milliwatts), C (degrees Celsius). Text is UTF-8,
// ended by 0. A number that is not known is 0 unless the field says otherwise.

namespace loadline::gpu {

/// Raised by every change of anything in this file; the plugin of another number is not used.
inline constexpr std::uint32_t cudaPluginAbi = 9;
/// Copies of the weights that a point may rotate over: small matrices need hundreds to leave a cache of 50
/// MB.
inline constexpr std::int32_t mostCudaCopies = 512;
inline constexpr const char* cudaPluginEntry = "loadlineCudaPlugin";

enum class CudaStatus : std::int32_t {
    Ok = 0,
    NoDriver = 1,        ///< no NVIDIA driver on this machine
    DriverTooOld = 2,    ///< the driver supports an older CUDA than the plugin was built with
    NoDevice = 3,        ///< a driver, but no GPU it can use
    NoCublas = 4,        ///< the work needs cuBLAS, which was not found
    NotSupported = 5,    ///< no such kernel for this k, M or device
    InvalidArgument = 6, ///< sizes that make no sense, or no point prepared
    OutOfMemory = 7,     ///< device memory
    GuardsBroken = 8,    ///< a kernel wrote outside its output
    DeviceFault = 9,     ///< a fault that only a new process clears
    Failed = 10,         ///< any other; lastError says what
};

/// Drivers and libraries of the machine, found without touching a device.
struct CudaProbe {
    CudaStatus status; ///< Ok, NoDriver, DriverTooOld or NoDevice
    std::int32_t devices;
    std::int32_t driverCuda;    ///< newest CUDA the driver supports, 1000 major + 10 minor; 0: no driver
    std::int32_t runtimeCuda;   ///< the plugin's, in the same form
    std::int32_t nvcc;          ///< the compiler of the kernels, 100 major + minor, 1209: 12.9; 0: another
    std::int32_t cublasVersion; ///< 10000 major + 100 minor + patch; -1: found, version unknown before a
                                ///< session; 0: not found
    std::int32_t nvmlFound;     ///< 1: clocks, power and throttling can be read
    char message[256];          ///< one sentence: what is missing and what that means
    char cublasMessage[256];    ///< where cuBLAS was found, or what was tried
};

struct CudaDeviceFacts {
    char name[128];
    char driver[64];  ///< "580.65.06"; empty without NVML
    char identity[9]; ///< 8 hex digits of a salted hash of the UUID: the same device again, no more
    char reserved[7];
    std::int32_t computeMajor, computeMinor;
    std::int32_t multiprocessors;
    std::int32_t sharedPerBlockBytes;
    std::int64_t l2Bytes;
    std::int64_t memoryBytes, memoryFreeBytes;
    std::int32_t busWidthBits;
    std::int32_t smClockMaxMHz, memoryClockMaxMHz;
    std::int32_t smClockDefaultMHz; ///< application clock; 0: not known
    std::int32_t pciGeneration, pciGenerationMax, pciWidth, pciWidthMax;
    std::int32_t powerLimitMw;
    std::int32_t eccOn, migOn, persistenceOn; ///< 1, 0, or -1: not known
    std::int32_t otherProcesses;              ///< that compute on the device; -1: not known
    std::int32_t cublasVersion;               ///< as in CudaProbe
};

/// A reading through NVML; fields it does not give are -1, reasons 0.
struct CudaHealth {
    std::int32_t smClockMHz, memoryClockMHz;
    std::int32_t powerMw, temperatureC;
    std::uint64_t throttleReasons; ///< NVML's bits (nvmlClocksEventReason...)
};

/// The work of one node of the timed graph.
enum class CudaOperation : std::int32_t {
    EmptyNode = 0,
    Read = 1,              ///< `bytes` of device memory
    Write = 2,             ///< `bytes`
    Copy = 3,              ///< `bytes` read and as many written
    HostToDevice = 4,      ///< `bytes`, pinned
    DeviceToHost = 5,      ///< `bytes`, pinned
    BothWays = 6,          ///< `bytes` each way at the same time, pinned
    GemmFp16 = 7,          ///< cuBLAS: y[m, n] = x[m, k] W[n, k]^T, fp32 sums
    GemmBf16 = 8,          ///< the same in bf16
    BatchedGemmFp16 = 9,   ///< cuBLAS: one such GEMM per active expert, m rows each, in one call
    ScalarGemv = 10,       ///< reference design over flat bit planes, m 1..4
    PlaneMma = 11,         ///< published tensor-core design over tiled bit planes, m 1..64
    SwapAb = 12,           ///< our kernel over fragments, m 1..64
    Dequantise = 13,       ///< flat bit planes to fp16
    DequantiseGemm = 14,   ///< Dequantise, then GemmFp16 (of several `experts` BatchedGemmFp16): two
                           ///< kernels, one node of account; all nodes write the fp16 weights to one
                           ///< buffer, as an engine does
    MoeRoute = 15,         ///< sorts assignments by expert
    GroupedScalar = 16,    ///< ScalarGemv over the active experts, at most 4 rows a group
    GroupedPlaneMma = 17,  ///< PlaneMma over the active experts
    GroupedSwapAb = 18,    ///< SwapAb over the active experts
    AttentionDecode = 19,  ///< simple split-KV: one query a sequence over `context`, whose KV blocks of 16
                           ///< lie in random order (not FlashAttention)
    AttentionPrefill = 20, ///< simple, causal: `m` queries at the end of `context`, KV blocks as above
    HostToDevicePageable = 21, ///< `bytes`, of memory that is not pinned: no graph, one copy after the other
    DeviceToHostPageable = 22, ///< the same the other way
};

/// An operation that multiplies or dequantises, known to the plugin and to who asks it.
struct CudaKernelSpec {
    CudaOperation operation;
    const char* kernel; ///< key of the cost model's kernel; of an operation that serves two, a row each
    const char* name;   ///< CudaPrepared::kernel
    const char* words;  ///< for people; of a pair its kernels' are told
    int mostRows = 0;   ///< 0: any
    int rowTile = 0;    ///< times are steps of ceil(M / rowTile); 0: they are not
    bool kBits = false;
    Layout layout = Layout::PlanesFlat; ///< of k-bit weights
    bool sums = false;                  ///< blocks share sums: it needs the workspace
    bool routed = false;                ///< rows of experts are mixed, and sorted on the device
};

inline constexpr const char* cudaScalarWords =
    "GEMV over bit planes, codebook by shuffle (the published design)";
inline constexpr const char* cudaPlaneMmaWords =
    "tensor cores over bit planes, codebook by shuffle (the published design)";
inline constexpr const char* cudaSwapAbWords =
    "tensor cores with weights as the tall operand, pairs looked up in shared memory";

inline constexpr CudaKernelSpec cudaKernels[] = {
    {CudaOperation::GemmFp16, "cublas_fp16", "cublasGemmEx fp16", "cuBLAS GemmEx, fp16 with fp32 sums"},
    {CudaOperation::GemmBf16, "", "cublasGemmEx bf16", ""},
    {CudaOperation::BatchedGemmFp16, "batched_fp16", "cublasGemmStridedBatchedEx fp16",
     "cuBLAS GemmStridedBatchedEx, fp16 with fp32 sums"},
    {CudaOperation::ScalarGemv, "scalar", "scalarGemv", cudaScalarWords, 4, 0, true},
    {CudaOperation::PlaneMma, "mma", "planeMma", cudaPlaneMmaWords, 64, 16, true, Layout::PlanesTiled, true},
    {CudaOperation::SwapAb, "swap_ab", "swapAb", cudaSwapAbWords, 64, 0, true, Layout::Fragments, true},
    {CudaOperation::Dequantise, "dequantise", "dequantise", "bit planes to fp16", 0, 0, true},
    {CudaOperation::DequantiseGemm, "dequant_cublas", "dequantise + cuBLAS fp16", "", 0, 0, true},
    {CudaOperation::DequantiseGemm, "grouped_dequant", "dequantise + cuBLAS fp16", "", 0, 0, true},
    {CudaOperation::GroupedScalar, "grouped_scalar", "scalarGemv, grouped", cudaScalarWords, 4, 0, true,
     Layout::PlanesFlat, false, true},
    {CudaOperation::GroupedPlaneMma, "grouped_mma", "planeMma, grouped", cudaPlaneMmaWords, 64, 16, true,
     Layout::PlanesTiled, true, true},
    {CudaOperation::GroupedSwapAb, "grouped_swap_ab", "swapAb, grouped", cudaSwapAbWords, 64, 0, true,
     Layout::Fragments, true, true},
};

/// One point. Fields an operation does not name are not read.
struct CudaWork {
    CudaOperation operation;
    std::int32_t bits;    ///< 2..5, for k-bit weights; scales are E4M4
    std::int64_t k, n;    ///< k a multiple of 32; for cuBLAS of 8
    std::int32_t m;       ///< rows; per active expert where grouped; queries per sequence for prefill
    std::int32_t experts; ///< grouped, DequantiseGemm: active experts; each gets m rows
    std::int64_t bytes;   ///< ceilings
    std::int32_t batch;   ///< attention: sequences
    std::int32_t queryHeads, kvHeads, headDim; ///< headDim 64, 128 or 256; queryHeads a multiple of kvHeads
    std::int64_t context;                      ///< attention: keys per sequence, the new ones included
    std::int32_t copies; ///< of the weights (KV caches, memory blocks) to rotate over, 1..mostCudaCopies
    std::int32_t activationSets; ///< of x and y to rotate over, 1..8
    std::int32_t nodes;          ///< of the graph, 1..4096: node i uses copy i % copies
    std::uint32_t seed;          ///< of random weights and activations
    std::int32_t maxBlocks;      ///< PlaneMma, SwapAb, AttentionDecode, grouped or not: a launch has no more
                                 ///< blocks than that, so that each does more steps; 0: the device's choice
};

/// Memory and launch of a prepared point.
struct CudaPrepared {
    std::int64_t weightBytes;     ///< per copy, all that a node must read of it, scales included
    std::int64_t activationBytes; ///< per set, x and y
    std::int64_t allocatedBytes;
    std::int32_t blocks; ///< launched by a node; 0: not ours to know
    char kernel[64];     ///< which instance
};

enum class CudaSampling : std::int32_t {
    Graph = 0,    ///< one replay of the graph between two events; of an operation without one, its nodes
    Isolated = 1, ///< one node between two events, the L2 cache flushed before
};

struct CudaSample {
    double timeUs;                 ///< between the events: all nodes, or one
    double smClockMHz;             ///< SM cycles over global time around the sample, read in kernels
    double windowUs;               ///< that global time
    std::uint64_t throttleReasons; ///< NVML's bits, read every 200 ms; 0 without NVML
};

/// Inputs from the host for one launch, to compare with a reference. Layouts are those of gpu/format; weights
/// of several experts lie one after the other. cuBLAS takes weights as fp16 or bf16 W[n, k].
struct CudaCheck {
    const void* weights;
    std::int64_t weightBytes;
    const void* scales; ///< E4M4
    std::int64_t scaleBytes;
    const void* x; ///< attention: queries (weights: KV blocks of keys, then those of values)
    std::int64_t xBytes;
    const std::int32_t* choices; ///< grouped: experts x m, the expert of each row of x (and y)
    const std::int32_t* kvTable; ///< attention: batch x ceil(context / 16), where each 16 keys lie
    const std::int32_t* lengths; ///< attention: keys of each sequence; null: context
    void* y;                     ///< out
    std::int64_t yBytes;
};

/// Buffers of the point prepared last that can be read back.
enum class CudaBuffer : std::int32_t {
    Weights = 0, ///< by copy
    Scales = 1,  ///< by copy
    X = 2,       ///< by set of activations
    Y = 3,       ///< by set of activations: NaNs (all bits 1) where no launch since `prepare` wrote
    KvTable = 4, ///< attention, index 0: int32, as CudaCheck::kvTable
};

struct CudaSession;

/// All functions; none may be null. Those that return a status leave a sentence for lastError.
struct CudaPluginApi {
    std::uint32_t abi;
    std::uint32_t apiBytes, workBytes, factsBytes, sampleBytes; ///< sizeof, as the plugin was built
    char buildInfo[128];                                        ///< nvcc and architectures

    void (*probe)(CudaProbe* out);
    /// `salt`: makes `identity` useless to others.
    CudaStatus (*deviceFacts)(std::int32_t device, const char* salt, CudaDeviceFacts* out);
    CudaStatus (*health)(std::int32_t device, CudaHealth* out);

    /// `session` gets a new one, or nullptr; end it with closeSession. `message`, of `messageBytes`, says why
    /// not.
    CudaStatus (*openSession)(std::int32_t device, CudaSession** session, char* message,
                              std::int32_t messageBytes);
    void (*closeSession)(CudaSession* session);
    const char* (*lastError)(const CudaSession* session);

    /// Makes weights and activations on the device and the graph, and launches the first node once, outside
    /// of the graph; y holds its answer until the first sample, which poisons y before it begins. Takes the
    /// place of the point prepared before.
    CudaStatus (*prepare)(CudaSession* session, const CudaWork* work, CudaPrepared* out);
    /// `count` timed samples of the prepared point, in order. A sample that fails ends the call; `taken` says
    /// how many are good.
    CudaStatus (*sample)(CudaSession* session, CudaSampling sampling, std::int32_t count, CudaSample* out,
                         std::int32_t* taken);
    /// Time of the events around an empty kernel alone: what an isolated sample has on top.
    CudaStatus (*emptyBracketUs)(CudaSession* session, double* out);
    /// Runs `work` once on the host's inputs, with y poisoned and guard words around it. `nodes`, `copies`,
    /// `seed` are not read.
    CudaStatus (*check)(CudaSession* session, const CudaWork* work, const CudaCheck* data);
    /// `bytes` from `offset` on of buffer `index` of the prepared point, after all its launches.
    CudaStatus (*read)(CudaSession* session, CudaBuffer buffer, std::int32_t index, std::int64_t offset,
                       std::int64_t bytes, void* to);
    /// Words of the sums and counters that blocks share that are not zero after the last `sample`, `prepare`
    /// or `check`: where there are any, a kernel did not leave them as the next launch needs them.
    CudaStatus (*sumsLeft)(CudaSession* session, std::int64_t* words);
};

/// The entry's type: the table, or nullptr if the plugin does not speak `abi`.
using CudaPluginEntry = const CudaPluginApi* (*)(std::uint32_t abi);

} // namespace loadline::gpu
