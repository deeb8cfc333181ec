// Sets the stage of a rehearsal: which devices there are, what goes wrong and when, and what the plugin
// broke.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The CUDA plugin's own objects are linked with a made-up CUDA runtime (this folder) instead of NVIDIA's. It
// keeps the runtime's rules and tells what breaks one: memory is the host's between guard zones, work is done
// in the order of its stream and no earlier than somebody waits for it, captures record what may be captured,
// launches stay within the device's limits. Kernels run by emulation (tests/gpu/emulate) with the grid, the
// block, the shared memory and the arguments they were launched with. Time is made up: it proves nothing
// about speed.

namespace loadline::gpu::rehearse {

struct StagedDevice {
    std::string name;
    int computeMajor = 8;
    int computeMinor = 0;
    int multiprocessors = 1;
    int sharedPerBlockBytes = 0; ///< at most, when a kernel asks for it
    int sharedPerMultiprocessorBytes = 0;
    int threadsPerMultiprocessor = 0;
    int blocksPerMultiprocessor = 0;
    std::int64_t l2Bytes = 0;
    std::int64_t memoryBytes = 0;
    int busWidthBits = 0;
    int smClockMHz = 0;
    int memoryClockMHz = 0;
};

// NVIDIA's figures (CUDA C++ Programming Guide, compute capabilities; data sheets).
StagedDevice h100();
StagedDevice rtx4090();
StagedDevice rtx3050(); ///< small: 20 multiprocessors, 4 GB
/// With few multiprocessors: grids that are emulated quickly.
StagedDevice cut(StagedDevice device, int multiprocessors);

struct Stage {
    std::vector<StagedDevice> devices;
    std::string ptxasLogs;       ///< folder: what registers kernels take
    int driverCuda = 13000;      ///< 0: no driver
    int allocationThatFails = 0; ///< the n-th from now on, of device or pinned memory; 0: none
    int launchThatFaults = 0;    ///< the n-th kernel that runs from now on; 0: none
    bool replaysCompute = true;  ///< false: of a graph's first replay the last two works compute, no others:
                                 ///< what its last node writes is right
    double usPerLaunch = 4;      ///< of the host
    double usPerReplayedNode = 0.05;
    std::uint64_t throttleReasons = 0; ///< what NVML tells
    unsigned sharedOrigin = 1024;      ///< address of a block's shared memory, as a launch asks for it
    std::vector<unsigned> processes;   ///< that compute on each device, by NVML's numbers
};

/// A new process on a new machine, as far as the runtime goes: everything before is forgotten.
void begin(const Stage& stage);
Stage& stage();

/// Rules broken since begin, one sentence each.
std::vector<std::string> broken();
/// What is still allocated, open or unfinished.
std::vector<std::string> leftBehind();

/// One launch that ran.
struct SeenLaunch {
    std::string kernel;
    std::int64_t grid[3] = {};
    int threads = 0;
    std::int64_t sharedBytes = 0;
    int device = 0;
    bool inGraph = false;
};
const std::vector<SeenLaunch>& launches();

struct Counts {
    int allocations = 0;
    int kernels = 0;
    int replays = 0;
    int gemms = 0;
    int questions = 0; ///< about kernels, and attributes set of them
};
const Counts& counts();

} // namespace loadline::gpu::rehearse
