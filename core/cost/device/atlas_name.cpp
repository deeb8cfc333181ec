// The table of names.
#include "core/cost/device/atlas_name.h"

#include "core/text/plain_words.h"

#include <algorithm>

namespace loadline {
namespace {

/// The folders are those of systems/ in ai-dynamo/aiconfigurator 095f58a5. The driver's names are those of
/// device_name.cpp.
const std::vector<AtlasName>& atlasNameTable() {
    static const std::vector<AtlasName> names = {
        {.key = "h100-sxm",
         .folder = "h100_sxm",
         .hardware = "H100-SXM",
         .device = "NVIDIA H100 80GB HBM3",
         .others = {"NVIDIA H100 SXM5 80GB", "H100 SXM", "H100 SXM5"}},
        {.key = "h200-sxm",
         .folder = "h200_sxm",
         .hardware = "H200-SXM",
         .device = "NVIDIA H200",
         .others = {"H200", "H200 SXM", "NVIDIA H200 141GB HBM3e"}},
        {.key = "a100-sxm",
         .folder = "a100_sxm",
         .hardware = "A100-SXM-80",
         .device = "NVIDIA A100-SXM4-80GB",
         .others = {"A100 SXM 80GB", "NVIDIA A100-SXM-80GB"}},
        {.key = "b200-sxm",
         .folder = "b200_sxm",
         .hardware = "B200-HGX",
         .device = "NVIDIA B200",
         .others = {"B200", "B200 SXM", "HGX B200"}},
        {.key = "b300-sxm",
         .folder = "b300_sxm",
         .hardware = "B300",
         .device = "NVIDIA B300 SXM6 AC",
         .others = {"NVIDIA B300", "B300 SXM", "HGX B300"}},
        {.key = "gb200",
         .folder = "gb200",
         .hardware = "GB200-per-GPU",
         .device = "NVIDIA GB200",
         .others = {"GB200 NVL72"}},
        {.key = "gb300",
         .folder = "gb300",
         .hardware = "GB300-per-GPU",
         .device = "NVIDIA GB300",
         .others = {"GB300 NVL72"}},
        {.key = "l40s", .folder = "l40s", .hardware = "L40S", .device = "NVIDIA L40S", .others = {}},
        {.key = "rtx-pro-6000",
         .folder = "rtx_pro_6000_server",
         .hardware = "RTX-PRO-6000-Server",
         .device = "NVIDIA RTX PRO 6000 Blackwell Server Edition",
         .others = {"RTX PRO 6000 Server", "RTX PRO 6000 Blackwell Server Edition"}},
    };
    return names;
}

} // namespace

std::span<const AtlasName> atlasNames() {
    return atlasNameTable();
}

const AtlasName* findAtlasName(std::string_view word) {
    const std::string wanted = lowered(trimmed(word));
    const auto isWanted = [&](std::string_view name) { return lowered(name) == wanted; };
    const auto found = std::ranges::find_if(atlasNameTable(), [&](const AtlasName& name) {
        return isWanted(name.key) || isWanted(name.folder) || isWanted(name.hardware) ||
               isWanted(name.device) || std::ranges::any_of(name.others, isWanted);
    });
    return found != atlasNameTable().end() ? &*found : nullptr;
}

} // namespace loadline
