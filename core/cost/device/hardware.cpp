// Datasheet figures of the devices known.
#include "core/cost/device/hardware.h"

namespace loadline {
namespace {

constexpr double bytesOfMib = 1024.0 * 1024;
constexpr double bytesOfGib = 1024 * bytesOfMib;

} // namespace

const std::vector<Hardware>& hardwareTable() {
    static const std::vector<Hardware> table = {
        {.key = "A100-SXM-80",
         .memoryGb = 80,
         .bandwidthGbS = 2039,
         .fp16Tflops = 312,
         .source = "datasheet",
         .generation = GpuGeneration::Ampere,
         .int8Tflops = 624,
         .l2Mb = 40,
         .linkGbS = 300,
         .pcieGbS = 32,
         .detailSource =
             "links, peaks: systems/a100_sxm.yaml of ai-dynamo/aiconfigurator 095f58a5; L2: datasheet "
             "(hmc-tech.com lists 41 MB)"},
        {.key = "H100-SXM",
         .memoryGb = 80,
         .bandwidthGbS = 3350,
         .fp16Tflops = 989,
         .source = "LLMServingSim cluster config 3350; itkb.uw.cz",
         .generation = GpuGeneration::Hopper,
         .fp8Tflops = 1979,
         .l2Mb = 50,
         .linkGbS = 450,
         .pcieGbS = 64,
         .visibleBytes = 79.19 * bytesOfGib,
         .detailSource = "links, peaks: systems/h100_sxm.yaml of ai-dynamo/aiconfigurator 095f58a5 (fp8 1978 "
                         "there); L2: datasheet; 79.19 GiB visible: accuracy report of "
                         "llm-d-incubation/llm-d-planner"},
        {.key = "H200-SXM",
         .memoryGb = 141,
         .bandwidthGbS = 4800,
         .fp16Tflops = 989,
         .source = "itkb.uw.cz 2026-06",
         .generation = GpuGeneration::Hopper,
         .fp8Tflops = 1979,
         .l2Mb = 50,
         .linkGbS = 450,
         .pcieGbS = 64,
         .visibleBytes = 139.81 * bytesOfGib,
         .detailSource = "links, peaks: systems/h200_sxm.yaml of ai-dynamo/aiconfigurator 095f58a5 (fp8 1978 "
                         "there); L2: datasheet; 139.81 GiB visible: vLLM's log of an H200 in public text"},
        {.key = "B200-HGX",
         .memoryGb = 180,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2250,
         .source =
             "glennklockwood.com B200; docs.vultr.com (179 GB visible, 8.0 TB/s); hmc-tech lists 7.7 TB/s",
         .generation = GpuGeneration::BlackwellDataCentre,
         .fp8Tflops = 4500,
         .fp4Tflops = 9000,
         .l2Mb = 126,
         .linkGbS = 900,
         .pcieGbS = 128,
         .visibleBytes = 179 * bytesOfGib,
         .detailSource = "links, peaks: systems/b200_sxm.yaml of ai-dynamo/aiconfigurator 095f58a5; "
                         "L2: torch device properties of a B200 in public text; 179 GB "
                         "visible, taken as GiB: docs.vultr.com"},
        {.key = "GB200-per-GPU",
         .memoryGb = 186,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2500,
         .source = "glennklockwood.com (1200 W); memory: datasheet",
         .generation = GpuGeneration::BlackwellDataCentre,
         .fp8Tflops = 5000,
         .fp4Tflops = 10000,
         .linkGbS = 900,
         .pcieGbS = 64,
         .visibleBytes = 189471 * bytesOfMib,
         .detailSource = "links, peaks, visible memory: systems/gb200.yaml of ai-dynamo/aiconfigurator "
                         "095f58a5; L2: not found"},
        {.key = "B300",
         .memoryGb = 288,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2250,
         .source =
             "systems/b300_sxm.yaml of ai-dynamo/aiconfigurator 095f58a5, glennklockwood.com; bandwidth 7750 "
             "there, 8000 as sold",
         .generation = GpuGeneration::BlackwellDataCentre,
         .fp8Tflops = 4500,
         .fp4Tflops = 14000,
         .linkGbS = 900,
         .pcieGbS = 128,
         .visibleBytes = 275040 * bytesOfMib,
         .detailSource = "links, peaks, visible memory: systems/b300_sxm.yaml of ai-dynamo/aiconfigurator "
                         "095f58a5; fp4 13125 at glennklockwood.com; L2: not found"},
        {.key = "GB300-per-GPU",
         .memoryGb = 288,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2500,
         .source =
             "systems/gb300.yaml of ai-dynamo/aiconfigurator 095f58a5; memory as sold (284,208 MiB visible)",
         .generation = GpuGeneration::BlackwellDataCentre,
         .fp8Tflops = 5000,
         .fp4Tflops = 15000,
         .linkGbS = 900,
         .pcieGbS = 64,
         .visibleBytes = 284208 * bytesOfMib,
         .detailSource = "links, peaks, visible memory: systems/gb300.yaml of ai-dynamo/aiconfigurator "
                         "095f58a5; L2: not found"},
        {.key = "RTX4090",
         .memoryGb = 24,
         .bandwidthGbS = 1008,
         .fp16Tflops = 165.2,
         .source = "waredb.com, hmc-tech.com",
         .generation = GpuGeneration::Ada,
         .fp8Tflops = 330.3,
         .l2Mb = 72,
         .linkGbS = 32,
         .pcieGbS = 32,
         .detailSource = "fp8: waredb.com, hmc-tech.com; L2, PCIe: datasheet"},
        {.key = "RTX5090",
         .memoryGb = 32,
         .bandwidthGbS = 1792,
         .fp16Tflops = 209.5,
         .source = "spheron.network (sparse 838.4 fp16, 1676.8 fp8, 3352 fp4 halved; fp32-acc halves again)",
         .generation = GpuGeneration::BlackwellWorkstation,
         .fp8Tflops = 419,
         .fp4Tflops = 1676,
         .l2Mb = 96,
         .linkGbS = 64,
         .pcieGbS = 64,
         .detailSource = "fp8, fp4: spheron.network, as above; L2: topcpu.net; PCIe: datasheet"},
        {.key = "RTX-PRO-6000-Server",
         .memoryGb = 96,
         .bandwidthGbS = 1792,
         .fp16Tflops = 467.8,
         .source =
             "systems/rtx_pro_6000_server.yaml of ai-dynamo/aiconfigurator 095f58a5 (dense, at 2430 MHz); "
             "bandwidth of the workstation card: NVIDIA's datasheet of the Server Edition was not read",
         .generation = GpuGeneration::BlackwellWorkstation,
         .fp8Tflops = 935.6,
         .fp4Tflops = 1871.2,
         .l2Mb = 128,
         .linkGbS = 64,
         .pcieGbS = 64,
         .detailSource =
             "links, peaks: systems/rtx_pro_6000_server.yaml of ai-dynamo/aiconfigurator 095f58a5; "
             "L2: torch device properties of the Server Edition in public text"},
        {.key = "L40S",
         .memoryGb = 48,
         .bandwidthGbS = 864,
         .fp16Tflops = 362,
         .source = "bw: cputronic.com; TFLOPS: datasheet",
         .generation = GpuGeneration::Ada,
         .fp8Tflops = 733,
         .linkGbS = 32,
         .pcieGbS = 32,
         .detailSource = "fp8: datasheet; links: systems/l40s.yaml of ai-dynamo/aiconfigurator 095f58a5; "
                         "L2: not found"},
        {.key = "M3-Max-40c",
         .memoryGb = 128,
         .bandwidthGbS = 400,
         .fp16Tflops = 14.2,
         .source = "bw: llama.cpp discussion 4167 table; fp32 14.2 TF datasheet (other repos state 16.4)",
         .fp32Tflops = 14.2,
         .detailSource = "fp32: datasheet"},
        {.key = "M3-Max-30c",
         .memoryGb = 96,
         .bandwidthGbS = 300,
         .fp16Tflops = 10.6,
         .source = "llama.cpp discussion 4167 table"},
        {.key = "M4-Max-40c",
         .memoryGb = 128,
         .bandwidthGbS = 546,
         .fp16Tflops = 18.4,
         .source = "llama.cpp discussion 4167 table"},
        {.key = "M3-Ultra-80c",
         .memoryGb = 512,
         .bandwidthGbS = 800,
         .fp16Tflops = 28.4,
         .source = "llama.cpp discussion 4167 table"},
        {.key = "A800-SXM",
         .memoryGb = 80,
         .bandwidthGbS = 2039,
         .fp16Tflops = 312,
         .source = "Mooncake FAST25 table 1 (312)",
         .generation = GpuGeneration::Ampere,
         .l2Mb = 40,
         .linkGbS = 200,
         .pcieGbS = 32,
         .detailSource = "datasheet (NVLink 400 GB/s both ways)"},
        {.key = "H800",
         .memoryGb = 80,
         .bandwidthGbS = 3350,
         .fp16Tflops = 989,
         .source = "datasheet",
         .generation = GpuGeneration::Hopper,
         .fp8Tflops = 1979,
         .l2Mb = 50,
         .linkGbS = 200,
         .pcieGbS = 64,
         .detailSource = "datasheet (NVLink 400 GB/s both ways)"},
    };
    return table;
}

bool isSameKind(const Hardware& one, const Hardware& other) {
    const auto isApple = [](const Hardware& hardware) { // "M3-Max-40c"
        return hardware.key.size() > 1 && hardware.key[0] == 'M' && hardware.key[1] >= '1' &&
               hardware.key[1] <= '9';
    };
    return isApple(one) == isApple(other);
}

const Hardware* findHardware(std::string_view key) {
    for (const Hardware& hardware : hardwareTable()) {
        if (hardware.key == key) {
            return &hardware;
        }
    }
    return nullptr;
}

} // namespace loadline
