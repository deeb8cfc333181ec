// Folders include each other in one direction only.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {
namespace {

namespace fs = std::filesystem;

/// One include between two folders.
struct Include {
    std::string file;
    std::string header;
};

/// By the folder of the file, then the header's: the first include between them, by path.
using FolderGraph = std::map<std::string, std::map<std::string, Include>>;

/// Folders of which each includes the others, in some steps.
struct Knot {
    std::vector<std::string> folders;
    std::vector<Include> closedBy; ///< a shortest way from the first folder back to it
};

std::string folderOf(const std::string& path) {
    return path.substr(0, path.find_last_of('/'));
}

void addIncludes(FolderGraph& graph, const std::vector<Include>& includes) {
    for (const Include& include : includes) {
        if (folderOf(include.file) != folderOf(include.header)) {
            graph[folderOf(include.file)].try_emplace(folderOf(include.header), include);
        }
    }
}

/// The last include of a shortest way from a folder to each that it reaches.
std::map<std::string, Include> reachedFrom(const FolderGraph& graph, const std::string& start) {
    std::map<std::string, Include> reached;
    std::deque<std::string> next = {start};
    while (!next.empty()) {
        const auto folder = graph.find(next.front());
        next.pop_front();
        if (folder == graph.end()) {
            continue;
        }
        for (const auto& [to, include] : folder->second) {
            if (reached.try_emplace(to, include).second) {
                next.push_back(to);
            }
        }
    }
    return reached;
}

std::vector<Knot> knotsOf(const FolderGraph& graph) {
    std::vector<Knot> knots;
    std::set<std::string> tied;
    for (const auto& [folder, includes] : graph) {
        const std::map<std::string, Include> reached = reachedFrom(graph, folder);
        if (!reached.contains(folder) || tied.contains(folder)) {
            continue;
        }
        Knot knot;
        for (const auto& [other, include] : reached) {
            if (reachedFrom(graph, other).contains(folder)) {
                knot.folders.push_back(other);
            }
        }
        std::string at = folder;
        do {
            const Include& last = reached.at(at);
            knot.closedBy.insert(knot.closedBy.begin(), last);
            at = folderOf(last.file);
        } while (at != folder);
        tied.insert(knot.folders.begin(), knot.folders.end());
        knots.push_back(std::move(knot));
    }
    return knots;
}

std::string wordsOf(const Knot& knot) {
    std::string words =
        fmt::format("knot of {} folders: {}\n", knot.folders.size(), fmt::join(knot.folders, " "));
    for (const Include& include : knot.closedBy) {
        words += fmt::format("    {} -> {}\n", include.file, include.header);
    }
    return words;
}

/// The includes of our headers in all product files, by path.
std::vector<Include> productIncludes() {
    const fs::path root = fs::path(LOADLINE_TEST_DATA).parent_path().parent_path();
    std::vector<Include> includes;
    for (const char* floor : {"core", "gpu", "ui", "app"}) {
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(root / floor)) {
            const fs::path end = file.path().extension();
            if (end != ".cpp" && end != ".h" && end != ".cu" && end != ".cuh") {
                continue;
            }
            std::ifstream in(file.path());
            for (std::string line; std::getline(in, line);) {
                constexpr std::string_view begin = "#include \"";
                const std::string header =
                    line.starts_with(begin)
                        ? line.substr(begin.size(), line.find('"', begin.size()) - begin.size())
                        : std::string();
                if (fs::exists(root / header) &&
                    header.find('/') != std::string::npos) { // not a generated one
                    includes.push_back({fs::relative(file.path(), root).string(), header});
                }
            }
        }
    }
    std::ranges::sort(includes, {}, &Include::file);
    return includes;
}

TEST(FolderKnots, AreFoundWithTheIncludesThatCloseThem) {
    FolderGraph graph;
    addIncludes(graph, {{"a/a.cpp", "a/a.h"},
                        {"a/a.h", "b/b.h"},
                        {"b/b.h", "c/c.h"},
                        {"c/c.cpp", "b/x.h"},
                        {"c/c.cpp", "d/d.h"},
                        {"d/d.h", "b/b.h"},
                        {"d/d.h", "e/e.h"}});
    const std::vector<Knot> knots = knotsOf(graph);
    ASSERT_EQ(knots.size(), 1U);
    EXPECT_EQ(wordsOf(knots[0]), "knot of 3 folders: b c d\n    b/b.h -> c/c.h\n    c/c.cpp -> b/x.h\n");
}

TEST(FolderKnots, AreNowhere) {
    const std::vector<Include> includes = productIncludes();
    EXPECT_GT(includes.size(), 2000U);
    FolderGraph graph;
    addIncludes(graph, includes);
    for (const Knot& knot : knotsOf(graph)) {
        std::cout << wordsOf(knot); // counted by ./dev seams
        ADD_FAILURE() << wordsOf(knot);
    }
}

} // namespace
} // namespace loadline
