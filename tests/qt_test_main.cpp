// ui_tests FILE [ARG...]: runs one test file, as a program of its own would.
#include "qt_test_main.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace loadline::test {
namespace {

std::map<std::string, TestMain>& files() {
    static std::map<std::string, TestMain> all;
    return all;
}

} // namespace

TestFile::TestFile(const char* file, TestMain run) {
    std::string name(file);
    name.erase(0, name.rfind('/') + 1); // npos + 1 is 0
    files().emplace(name.substr(0, name.rfind('.')), run);
}

} // namespace loadline::test

int main(int argc, char** argv) {
    const auto& files = loadline::test::files();
    const auto found = argc > 1 ? files.find(argv[1]) : files.end();
    if (found == files.end()) {
        std::fprintf(stderr, "Which test? %s FILE [ARG...] with one of:\n", argc > 0 ? argv[0] : "");
        for (const auto& [name, run] : files) {
            std::fprintf(stderr, "  %s\n", name.c_str());
        }
        return 2;
    }
    std::vector<char*> words(argv, argv + argc);
    words.erase(words.begin() + 1);
    words.push_back(nullptr);
    return found->second(static_cast<int>(words.size()) - 1, words.data());
}
