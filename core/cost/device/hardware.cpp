// Datasheet figures of the devices known.
#include "core/cost/device/hardware.h"

namespace loadline {

const std::vector<Hardware>& hardwareTable() {
    static const std::vector<Hardware> table = {
        {.key = "A100-SXM-80",
         .memoryGb = 80,
         .bandwidthGbS = 2039,
         .fp16Tflops = 312,
         .source = "datasheet"},
        {.key = "H100-SXM",
         .memoryGb = 80,
         .bandwidthGbS = 3350,
         .fp16Tflops = 989,
         .source = "LLMServingSim cluster config 3350; itkb.uw.cz"},
        {.key = "H200-SXM",
         .memoryGb = 141,
         .bandwidthGbS = 4800,
         .fp16Tflops = 989,
         .source = "itkb.uw.cz 2026-06"},
        {.key = "B200-HGX",
         .memoryGb = 180,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2250,
         .source =
             "glennklockwood.com B200; docs.vultr.com (179 GB visible, 8.0 TB/s); hmc-tech lists 7.7 TB/s"},
        {.key = "GB200-per-GPU",
         .memoryGb = 186,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2500,
         .source = "glennklockwood.com (1200 W); memory: datasheet"},
        {.key = "B300",
         .memoryGb = 288,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2250,
         .source =
             "systems/b300_sxm.yaml of ai-dynamo/aiconfigurator 095f58a5, glennklockwood.com; bandwidth 7750 "
             "there, 8000 as sold"},
        {.key = "GB300-per-GPU",
         .memoryGb = 288,
         .bandwidthGbS = 8000,
         .fp16Tflops = 2500,
         .source =
             "systems/gb300.yaml of ai-dynamo/aiconfigurator 095f58a5; memory as sold (284,208 MiB visible)"},
        {.key = "RTX4090",
         .memoryGb = 24,
         .bandwidthGbS = 1008,
         .fp16Tflops = 165.2,
         .source = "waredb.com, hmc-tech.com"},
        {.key = "RTX5090",
         .memoryGb = 32,
         .bandwidthGbS = 1792,
         .fp16Tflops = 209.5,
         .source = "spheron.network (sparse 838.4 fp16, 1676.8 fp8, 3352 fp4 halved; fp32-acc halves again)"},
        {.key = "RTX-PRO-6000-Server",
         .memoryGb = 96,
         .bandwidthGbS = 1792,
         .fp16Tflops = 467.8,
         .source =
             "systems/rtx_pro_6000_server.yaml of ai-dynamo/aiconfigurator 095f58a5 (dense, at 2430 MHz); "
             "bandwidth of the workstation card: NVIDIA's datasheet of the Server Edition was not read"},
        {.key = "L40S",
         .memoryGb = 48,
         .bandwidthGbS = 864,
         .fp16Tflops = 362,
         .source = "bw: cputronic.com; TFLOPS: datasheet"},
        {.key = "M3-Max-40c",
         .memoryGb = 128,
         .bandwidthGbS = 400,
         .fp16Tflops = 14.2,
         .source = "bw: llama.cpp discussion 4167 table; fp32 14.2 TF datasheet (other repos state 16.4)"},
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
         .source = "Mooncake FAST25 table 1 (312)"},
        {.key = "H800", .memoryGb = 80, .bandwidthGbS = 3350, .fp16Tflops = 989, .source = "datasheet"},
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
