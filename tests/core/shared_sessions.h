// The shared real sessions and their expected results, where they are unpacked.
#pragma once

#include "core/session/corpus/corpus.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace loadline::test {

inline std::filesystem::path sharedSessions() {
    return std::filesystem::path(LOADLINE_UNPACKED_DATA) / "sessions";
}

inline nlohmann::json expectedResults(const std::string& name) {
    return nlohmann::json::parse(std::ifstream(sharedSessions() / name));
}

/// Everything below one path, read and merged.
inline Corpus readCorpus(const std::filesystem::path& path) {
    Progress progress;
    const FoundFiles found = findSessionFiles(std::vector<std::string>{path.string()}, {});
    return buildCorpus(readSessionFiles(found, {}, {}, progress));
}

/// The path as the expected results name it.
inline std::string relativeToShared(const std::string& path) {
    return std::filesystem::path(path).lexically_relative(sharedSessions()).generic_string();
}

} // namespace loadline::test

/// In a test: skip visibly where the shared data is not unpacked.
#define LOADLINE_NEED_SHARED_SESSIONS()                                                                      \
    if (!std::filesystem::exists(loadline::test::sharedSessions() / "MANIFEST.csv")) {                       \
        GTEST_SKIP() << "the shared sessions are not unpacked at " << loadline::test::sharedSessions();      \
    }                                                                                                        \
    static_assert(true)
