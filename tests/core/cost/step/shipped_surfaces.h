// Surfaces of the atlas that comes with the program, and steps.
#pragma once

#include "core/cost/engine/step_work.h"
#include "core/cost/step/atlas_surfaces.h"

#include <memory>
#include <string>

namespace loadline {

inline std::shared_ptr<const AtlasSurfaces> shippedSurfaces(const std::string& gpu, const char* hardware) {
    const std::string folder = std::string(LOADLINE_TEST_DATA) + "/../../resources/atlas";
    return std::make_shared<const AtlasSurfaces>(std::make_shared<const Atlas>(gpu, shelfInFolder(folder)),
                                                 *findHardware(hardware));
}

inline const std::shared_ptr<const AtlasSurfaces>& shippedH200() {
    static const auto surfaces = shippedSurfaces("h200-sxm", "H200-SXM");
    return surfaces;
}

/// One new token for each of so many users.
inline StepWork decodeOf(std::int64_t users, Tokens context, Tokens padded) {
    return {.decodes = users,
            .decodeContext = users * context,
            .chunks = {},
            .sampledRows = users,
            .rows = users,
            .paddedRows = padded,
            .isCaptured = true};
}

/// One prompt, or a part of it.
inline StepWork prefillOf(Tokens added, Tokens cached) {
    return {.chunks = {{.added = added, .cached = cached}}, .rows = added, .paddedRows = added};
}

} // namespace loadline
