// Any folder of files, folders, links and pipes: the walk ends, and what it finds is regular, lies within,
// has its own path, and comes once and in order.
#include "core/session/files/find_session_files.h"
#include "tests/fuzz/check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace {

namespace fs = std::filesystem;
using namespace loadline;
using namespace loadline::fuzz;

constexpr std::size_t mostEntries = 24;

/// A path below the folder, whatever the text: of a few short names, some of them such as are read.
std::string pathFrom(std::string_view text) {
    static constexpr const char* names[] = {"a",      "b",           "subagents",     "projects",
                                            "x.json", "1.jsonl",     "agent-2.jsonl", "journal.jsonl",
                                            "o.db",   "c.meta.json", "\xff.jsonl",    "d.jsonl"};
    std::string path;
    for (const char c : text.substr(0, 4)) {
        path +=
            (path.empty() ? "" : "/") + std::string(names[static_cast<unsigned char>(c) % std::size(names)]);
    }
    return path.empty() ? "a" : path;
}

/// Makes an entry of a line: what it is, a path, and for a link where it leads to; else what is in it.
void make(const fs::path& root, std::string_view line) {
    const fs::path path = root / pathFrom(line.substr(std::min<std::size_t>(1, line.size())));
    const std::string_view rest = line.substr(std::min<std::size_t>(5, line.size()));
    std::error_code failed; // two entries may stand in each other's way
    fs::create_directories(path.parent_path(), failed);
    switch (line.empty() ? 'f' : line.front()) {
    case 'd':
        fs::create_directories(path, failed);
        break;
    case 'l':
        fs::create_symlink(root / pathFrom(rest), path, failed);
        break;
    case 'r':
        fs::create_symlink(pathFrom(rest), path, failed);
        break;
    case 'u':
        fs::create_symlink(rest.size() % 2 == 0 ? ".." : "../..", path, failed);
        break;
    case 'o':
        fs::create_symlink(rest.size() % 2 == 0 ? "/dev/zero" : "/proc/self", path, failed);
        break;
    case 'h':
        fs::create_hard_link(root / pathFrom(rest), path, failed);
        break;
    case 'p':
        ::mkfifo(path.c_str(), 0600);
        break;
    default:
        if (!fs::is_symlink(path, failed) && !fs::is_fifo(path, failed)) {
            std::ofstream(path, std::ios::binary) << rest;
        }
    }
}

void checkFound(const FoundFiles& found, const std::string& root) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::string before;
    const auto checkPath = [&](const std::string& path) {
        struct stat status {};

        check(::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode));
        check(seen.insert({status.st_dev, status.st_ino}).second);
        check(fs::canonical(path).string().starts_with(root + "/"));
        check(before < path);
        before = path;
    };
    for (const FoundFile& file : found.files) {
        checkPath(file.path);
    }
    before.clear();
    for (const NotRead& file : found.notRead) {
        checkPath(file.path);
        check(file.looksLike != nullptr && file.looksLike->sessions == nullptr);
    }
    for (const PathDiagnostic& said : found.diagnostics) {
        check(said.path.starts_with(root));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string home = [] {
        std::string name = (fs::temp_directory_path() / "loadline-find-XXXXXX").string();
        check(::mkdtemp(name.data()) != nullptr);
        return fs::canonical(name).string();
    }();
    const fs::path root = fs::path(home) / "in";
    fs::create_directories(root);
    std::string_view text = fuzz::textOf(data, size);
    for (std::size_t i = 0; i < mostEntries && !text.empty(); ++i) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        make(root, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const std::vector<std::string> named{root.string()};
    const FoundFiles found = findSessionFiles(named, {});
    checkFound(found, root.string());
    const std::vector<std::string> twice{root.string(), root.string() + "//"};
    const FoundFiles again = findSessionFiles(twice, {});
    check(again.files.size() == found.files.size() && again.bytes() == found.bytes());
    fs::remove_all(root);
    return 0;
}
