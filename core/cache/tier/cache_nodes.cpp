// The machines that are known, and what they can keep blocks in.
#include "core/cache/tier/cache_tiers.h"
#include "core/cost/device/hardware.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr double pcie5GBs = 55; // of 64, x16
constexpr double pcie4GBs = 25; // of 32
constexpr double nvmeGBs = 7;   // PCIe 4, a drive
constexpr double port400GBs = 50 * 0.71;

constexpr const char* memorySource =
    "data sheet's memory and bandwidth; 90 % of the memory, less the weights: what is left is yours to say";
constexpr const char* nvlink5 = "NVLink 5: 900 GB/s a GPU in each direction (glennklockwood.com); a node of "
                                "8 is its whole domain, and of "
                                "a rack's 72 the other 64 are taken as keeping nothing else";
constexpr const char* dgxDrives = "8 drives of 3.84 TB (NVIDIA's DGX pages), 7 GB/s each (Samsung PM1733, "
                                  "PCIe 4); RAID and file system cost more";
constexpr const char* dgxHost = "2 TB (NVIDIA's DGX pages); PCIe 5 x16 a GPU, 55 of 64 GB/s";
constexpr const char* networkSource =
    "one port of 400 Gb/s at 71 % of its rate, as Mooncake measured; 100 TB behind it are assumed; latency "
    "of the link alone";

/// Returns the memory of all GPUs of a machine together.
CacheTier memoryOf(std::string name, std::string_view hardware, int gpus, double share, std::string source) {
    const Hardware& device = *findHardware(hardware);
    return {std::move(name), device.memoryGb * gpus * share, device.bandwidthGbS * gpus, 0.6,
            std::move(source)};
}

/// Eight GPUs on PCIe 5, in a chassis like NVIDIA's DGX.
CacheNode eightGpus(std::string_view key, std::string_view name, std::string_view hardware, CacheTier sram,
                    double scaleUpGBs, std::string scaleUpSource) {
    return {key,
            name,
            hardware,
            8,
            1,
            {std::move(sram),
             memoryOf("HBM", hardware, 8, 0.9, memorySource),
             {"scale-up", 0, 8 * scaleUpGBs, 2, std::move(scaleUpSource)},
             {"host memory", 2000, 8 * pcie5GBs, 10, dgxHost},
             {"NVMe", 8 * 3840.0, 8 * nvmeGBs, 90, dgxDrives},
             {"network", 100'000, port400GBs, 5, networkSource}}};
}

CacheTier blackwellSram() {
    return {"SRAM", 8 * 0.126, 8 * 10'000.0, 0.2,
            "L2: 126 MB a GPU (chipsandcheese.com, 2025); 10 TB/s between its two dies as the bound; no "
            "engine keeps blocks there"};
}

/// Returns the node with the memory of its GPUs, and what is faster, marked as onGpu.
CacheNode placed(CacheNode node) {
    for (std::size_t i = 0; i <= node.memoryTier; ++i) {
        node.tiers[i].onGpu = true;
    }
    return node;
}

CacheNode h100Node() {
    return eightGpus("h100-node", "8 x H100 SXM", "H100-SXM",
                     {"SRAM", 8 * 0.05, 8 * 5500.0, 0.2,
                      "L2: 50 MB a GPU (NVIDIA's Hopper page), about 5.5 TB/s measured on the PCIe card "
                      "(chipsandcheese.com, 2023); no engine keeps blocks there"},
                     450,
                     "NVLink 4: 450 GB/s a GPU in each direction (NVIDIA); the 8 GPUs of the node are its "
                     "whole domain, so no neighbour has memory to lend");
}

CacheNode b200Node() {
    return eightGpus("b200-node", "8 x B200 HGX", "B200-HGX", blackwellSram(), 900, nvlink5);
}

CacheNode gb200Rack() {
    return {"gb200-nvl72",
            "8 of the 72 GPUs of GB200 NVL72",
            "GB200-per-GPU",
            8,
            1,
            {blackwellSram(),
             memoryOf("HBM", "GB200-per-GPU", 8, 0.9, memorySource),
             {"scale-up", 64 * 186 * 0.9, 8 * 900.0, 2, nvlink5},
             {"host memory", 4 * 480.0, 4 * 400.0, 3,
              "480 GB a Grace; NVLink-C2C, 400 of 450 GB/s in each direction, for two GPUs"},
             {"network", 100'000, port400GBs, 5, networkSource}}};
}

CacheNode rtxBox() {
    return {"rtx4090-box",
            "one RTX 4090",
            "RTX4090",
            1,
            0,
            {memoryOf("GPU memory", "RTX4090", 1, 0.9, memorySource),
             {"host memory", 64, pcie4GBs, 10, "PCIe 4 x16, 25 of 32 GB/s; 64 GB are assumed"},
             {"NVMe", 2000, nvmeGBs, 90, "one PCIe 4 drive, 7 GB/s; 2 TB are assumed"}}};
}

CacheNode m3Max() {
    return {"m3-max",
            "M3 Max, 40 cores",
            "M3-Max-40c",
            1,
            0,
            {memoryOf("unified memory", "M3-Max-40c", 1, 0.75,
                      "bandwidth: llama.cpp discussion 4167; three quarters of the memory may be the GPU's, "
                      "less the weights: what is left is yours to say"),
             {"SSD", 2000, nvmeGBs, 90, "taken as a PCIe 4 drive, 7 GB/s; 2 TB are assumed"}}};
}

} // namespace

std::span<const CacheNode> cacheNodes() {
    static const std::array nodes = {placed(h100Node()), placed(b200Node()), placed(gb200Rack()),
                                     placed(rtxBox()), placed(m3Max())};
    return nodes;
}

const CacheNode* findCacheNode(std::string_view key) {
    const auto nodes = cacheNodes();
    const auto found = std::ranges::find(nodes, key, &CacheNode::key);
    return found == nodes.end() ? nullptr : &*found;
}

std::size_t memoryTierOf(const CacheTiers& tiers) {
    const auto isMemory = [](const CacheTier& tier) {
        return std::ranges::any_of(cacheNodes(), [&](const CacheNode& node) {
            return node.tiers[node.memoryTier].name == tier.name;
        });
    };
    for (std::size_t i = tiers.size(); i-- > 0;) {
        if (isMemory(tiers[i])) {
            return i;
        }
    }
    return 0;
}

bool keepsBlocks(const CacheTiers& tiers, std::size_t tier) {
    return tier >= memoryTierOf(tiers);
}

CacheTiers tiersOf(const CacheNode& node, double weightsGB) {
    CacheTiers tiers = node.tiers;
    double& capacity = tiers[node.memoryTier].capacityGB;
    capacity = std::max(capacity - weightsGB, 0.0);
    return tiers;
}

} // namespace loadline
