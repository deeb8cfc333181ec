// The atlas that comes with the program, out of its folder.
#pragma once

#include "core/cost/device/atlas_name.h"
#include "core/cost/step/atlas_library.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace loadline {

inline const AtlasLibrary& shippedLibrary() {
    static std::mutex mutex;
    static std::map<std::string_view, std::shared_ptr<const AtlasSurfaces>> all;
    static const AtlasLibrary library{[](std::string_view gpu) -> std::shared_ptr<const AtlasSurfaces> {
        const AtlasName* const name = findAtlasName(gpu);
        if (name == nullptr) {
            return nullptr;
        }
        const std::scoped_lock lock(mutex);
        auto& kept = all[name->key];
        if (!kept) {
            const std::string folder = std::string(LOADLINE_TEST_DATA) + "/../../resources/atlas";
            kept = std::make_shared<const AtlasSurfaces>(
                std::make_shared<const Atlas>(std::string(name->key), shelfInFolder(folder)),
                *findHardware(name->hardware));
        }
        return kept;
    }};
    return library;
}

} // namespace loadline
