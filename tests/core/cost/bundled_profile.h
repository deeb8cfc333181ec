// The bundled published profile, for tests.
#pragma once

#include "core/cost/profile/profile_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace loadline::test {

inline std::string textOfFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline const Profile& bundledProfile() {
    static const Profile profile = [] {
        const std::filesystem::path path =
            std::filesystem::path(LOADLINE_TEST_DATA).parent_path().parent_path() /
            "resources/profiles/rtx4090-published.json";
        auto read = profileFromJson(textOfFile(path), path.string());
        EXPECT_TRUE(read) << (read ? "" : read.error().sentence());
        return read ? read.value() : Profile{};
    }();
    return profile;
}

inline std::filesystem::path sharedData(const std::string& name) {
    return std::filesystem::path(LOADLINE_UNPACKED_DATA) / name;
}

/// The text of a shared file: unpacked, or where it lies.
inline std::string sharedText(const std::string& name) {
    const auto unpacked = sharedData(name);
    return textOfFile(std::filesystem::exists(unpacked) ? unpacked
                                                        : std::filesystem::path(LOADLINE_SHARED_DATA) / name);
}

} // namespace loadline::test

/// In a test: skip visibly where a shared file is absent.
#define LOADLINE_NEED_SHARED_TEXT(variable, name)                                                            \
    const std::string(variable)(loadline::test::sharedText(name));                                           \
    if ((variable).empty()) {                                                                                \
        GTEST_SKIP() << "the shared data has no " << (name);                                                 \
    }                                                                                                        \
    static_assert(true)
