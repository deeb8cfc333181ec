// Finds session files below the paths that the user named.
#include "core/session/read_sessions.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

namespace loadline {
namespace {

namespace fs = std::filesystem;

using FileIdentity = std::pair<std::uint64_t, std::uint64_t>; // device, inode

bool isSessionFile(std::string_view name) {
    return name.ends_with(".jsonl") && name != "journal.jsonl";
}

class Finder {
public:
    explicit Finder(std::stop_token stop) : stop_(std::move(stop)) {}

    void addNamed(const std::string& path);
    FoundFiles finish();

private:
    void walk(const std::string& folder);
    void addFile(const std::string& path, const struct stat& status);
    void note(const std::string& path, DiagnosticKind kind, std::string detail = {});

    std::stop_token stop_;
    std::vector<std::pair<FoundFile, FileIdentity>> files_;
    std::vector<PathDiagnostic> diagnostics_;
    std::set<FileIdentity> above_; ///< folders on the way down to the current one
    std::set<FileIdentity> walked_;
};

void Finder::note(const std::string& path, DiagnosticKind kind, std::string detail) {
    diagnostics_.push_back({path, {.kind = kind, .line = 0, .count = 1, .detail = std::move(detail)}});
}

void Finder::addFile(const std::string& path, const struct stat& status) {
    files_.push_back({{.path = path, .bytes = static_cast<std::uint64_t>(status.st_size)},
                      {status.st_dev, status.st_ino}});
}

void Finder::addNamed(const std::string& path) {
    std::string trimmed = path;
    while (trimmed.size() > 1 && trimmed.ends_with('/')) {
        trimmed.pop_back();
    }

    struct stat status {};

    if (::stat(trimmed.c_str(), &status) != 0) {
        note(trimmed, DiagnosticKind::CannotOpen, std::generic_category().message(errno));
    } else if (S_ISDIR(status.st_mode)) {
        walk(trimmed);
    } else if (S_ISREG(status.st_mode)) {
        addFile(trimmed, status);
    } else {
        note(trimmed, DiagnosticKind::CannotOpen, "is not a regular file");
    }
}

void Finder::walk(const std::string& folder) {
    struct stat status {};

    if (stop_.stop_requested()) {
        return;
    }
    if (::stat(folder.c_str(), &status) != 0) {
        note(folder, DiagnosticKind::CannotOpen, std::generic_category().message(errno));
        return;
    }
    const FileIdentity identity{status.st_dev, status.st_ino};
    if (above_.contains(identity)) {
        note(folder, DiagnosticKind::LinkLoop);
        return;
    }
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        names.push_back(entry->path().filename().string());
    }
    if (error) {
        note(folder, DiagnosticKind::CannotOpen, error.message());
    }
    std::ranges::sort(names);
    if (!walked_.insert(identity).second) {
        return; // reached by another way before; its files are known
    }
    above_.insert(identity);
    const std::string prefix = folder == "/" ? folder : folder + "/";
    for (const std::string& name : names) {
        if (stop_.stop_requested()) {
            break;
        }
        const std::string path = prefix + name;
        if (::stat(path.c_str(), &status) != 0) {
            // A dangling link or a file that has just gone; worth a word only if it would have been read.
            if (isSessionFile(name)) {
                note(path, DiagnosticKind::CannotOpen, std::generic_category().message(errno));
            }
        } else if (S_ISDIR(status.st_mode)) {
            walk(path);
        } else if (isSessionFile(name)) {
            if (S_ISREG(status.st_mode)) {
                addFile(path, status);
            } else {
                note(path, DiagnosticKind::CannotOpen, "is not a regular file");
            }
        }
    }
    above_.erase(identity);
}

FoundFiles Finder::finish() {
    std::ranges::sort(files_);
    std::set<FileIdentity> seen;
    FoundFiles found;
    for (auto& [file, identity] : files_) {
        if (seen.insert(identity).second) {
            found.files.push_back(std::move(file));
        }
    }
    std::ranges::sort(diagnostics_, {},
                      [](const PathDiagnostic& d) { return std::tie(d.path, d.diagnostic); });
    found.diagnostics = std::move(diagnostics_);
    return found;
}

} // namespace

std::uint64_t FoundFiles::bytes() const {
    return std::transform_reduce(files.begin(), files.end(), std::uint64_t{0}, std::plus<>{},
                                 [](const FoundFile& f) { return f.bytes; });
}

FoundFiles findSessionFiles(std::span<const std::string> paths, std::stop_token stop) {
    Finder finder(std::move(stop));
    for (const std::string& path : paths) {
        finder.addNamed(path);
    }
    return finder.finish();
}

} // namespace loadline
