// Session files in a folder of their own, found and read by tests.
#pragma once

#include "core/session/files/read_sessions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace loadline {

/// A folder for one test, removed afterwards.
class Files : public testing::Test {
public:
    Files() {
        std::string name = (std::filesystem::temp_directory_path() / "loadline-read-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
    }

    ~Files() override {
        std::error_code ignored;
        std::filesystem::permissions(root_ + "/locked", std::filesystem::perms::all, ignored);
        std::filesystem::remove_all(root_, ignored);
    }

protected:
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories(std::filesystem::path(root_ + "/" + name).parent_path());
        std::ofstream(root_ + "/" + name, std::ios::binary) << text;
    }

    [[nodiscard]] std::vector<std::string> found(const std::vector<std::string>& below = {""}) const {
        std::vector<std::string> paths;
        paths.reserve(below.size());
        for (const std::string& name : below) {
            paths.push_back(name.empty() ? root_ : root_ + "/" + name);
        }
        std::vector<std::string> names;
        for (const FoundFile& file : findSessionFiles(paths, {}).files) {
            names.push_back(file.path.substr(root_.size() + 1));
        }
        return names;
    }

    [[nodiscard]] SessionFiles read(unsigned threads = 2) const {
        Progress progress;
        const std::vector<std::string> paths{root_};
        return readSessionFiles(findSessionFiles(paths, {}), {.threads = threads, .onFile = {}}, {},
                                progress);
    }

    std::string root_;
};

} // namespace loadline
