// Walks folders; follows links only within what was named.
#include "core/session/files/find_session_files.h"

#include "core/base/file/byte_source.h"
#include "core/base/file/read_file.h"
#include "core/session/facts/session_format.h"
#include "core/text/plain_words.h"

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

/// True if the format's files bear such a name.
bool isNamedLike(const SessionFormat& format, std::string_view path) {
    return std::ranges::any_of(format.endings, [&](std::string_view end) { return path.ends_with(end); });
}

/// A file on its way into the result.
struct Candidate {
    bool byLink = false; ///< a file is known by its own path where it has been found by that, too
    FoundFile file;
    FileIdentity identity;
    auto operator<=>(const Candidate&) const = default;
};

class Finder {
public:
    Finder(std::span<const std::string> named, std::stop_token stop);

    void addNamed(const std::string& path);
    FoundFiles finish();

private:
    enum class Reached : std::uint8_t { Named, InFolder, ByLink };

    void walk(const std::string& folder);
    void visit(const std::string& path, std::string_view name);
    void addFolder(const std::string& path, const struct stat& status, Reached reached);
    void addFile(const std::string& path, const struct stat& status, Reached reached);
    void note(const std::string& path, DiagnosticKind kind, std::string detail = {});
    [[nodiscard]] bool leadsOut(const std::string& link) const;

    std::stop_token stop_;
    std::vector<std::string> roots_; ///< what was named, without any link in it
    std::vector<Candidate> files_;
    std::vector<PathDiagnostic> diagnostics_;
    std::vector<std::pair<NotRead, FileIdentity>> notRead_;
    std::set<FileIdentity> above_; ///< folders on the way down to the current one
    std::set<FileIdentity> walked_;
};

Finder::Finder(std::span<const std::string> named, std::stop_token stop) : stop_(std::move(stop)) {
    for (const std::string& path : named) {
        std::error_code failed;
        const fs::path root = fs::canonical(path, failed);
        if (!failed) {
            roots_.push_back(root.string());
        }
    }
}

void Finder::note(const std::string& path, DiagnosticKind kind, std::string detail) {
    diagnostics_.push_back({path, {.kind = kind, .line = 0, .count = 1, .detail = std::move(detail)}});
}

bool Finder::leadsOut(const std::string& link) const {
    std::error_code failed;
    const std::string target = fs::canonical(link, failed).string();
    return failed || std::ranges::none_of(roots_, [&](const std::string& root) {
               return target == root || target.starts_with(root == "/" ? root : root + "/");
           });
}

void Finder::addFile(const std::string& path, const struct stat& status, Reached reached) {
    const FileIdentity identity{status.st_dev, status.st_ino};
    if (!S_ISREG(status.st_mode)) {
        note(path, DiagnosticKind::CannotOpen, std::string(notRegular));
    } else if (isSessionFile(nameOfFile(path))) { // its content is looked at when it is read
        files_.push_back({reached == Reached::ByLink,
                          {.path = path, .bytes = static_cast<std::uint64_t>(status.st_size)},
                          identity});
    } else if (const FileKind* kind = fileKindOf(readHead(path), nameOfFile(path));
               kind != nullptr && kind->sessions == nullptr) {
        notRead_.push_back({{path, kind}, identity});
    } else if (reached == Reached::Named || (kind != nullptr && isNamedLike(*kind->sessions, path))) {
        files_.push_back(
            {false, {.path = path, .bytes = static_cast<std::uint64_t>(status.st_size)}, identity});
    }
}

void Finder::addNamed(const std::string& path) {
    struct stat status {};

    if (::stat(path.c_str(), &status) != 0) {
        note(path, DiagnosticKind::CannotOpen, std::generic_category().message(errno));
    } else if (S_ISDIR(status.st_mode)) {
        addFolder(path, status, Reached::Named);
    } else {
        addFile(path, status, Reached::Named);
    }
}

/// A folder behind a link that stays within what was named is walked by its own path.
void Finder::addFolder(const std::string& path, const struct stat& status, Reached reached) {
    const FileIdentity identity{status.st_dev, status.st_ino};
    if (above_.contains(identity)) {
        note(path, DiagnosticKind::LinkLoop);
    } else if (reached != Reached::ByLink && walked_.insert(identity).second) {
        above_.insert(identity);
        walk(path);
        above_.erase(identity);
    }
}

void Finder::walk(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        names.push_back(entry->path().filename().string());
    }
    if (error) {
        note(folder, DiagnosticKind::CannotOpen, error.message());
    }
    std::ranges::sort(names);
    const std::string prefix = folder == "/" ? folder : folder + "/";
    for (const std::string& name : names) {
        if (stop_.stop_requested()) {
            return;
        }
        visit(prefix + name, name);
    }
}

/// Something in a folder.
void Finder::visit(const std::string& path, std::string_view name) {
    struct stat status {};

    const bool session = isSessionFile(name);
    const bool there = ::lstat(path.c_str(), &status) == 0;
    const bool link = there && S_ISLNK(status.st_mode);
    if (!there || (link && ::stat(path.c_str(), &status) != 0)) {
        // A dangling link or a file that has just gone; worth a word only if it would have been read.
        if (session) {
            note(path, DiagnosticKind::CannotOpen, std::generic_category().message(errno));
        }
        return;
    }
    const bool folder = S_ISDIR(status.st_mode);
    if (!folder && !session && !(S_ISREG(status.st_mode) && mayBeLog(name))) {
        return;
    }
    const Reached reached = link ? Reached::ByLink : Reached::InFolder;
    if (link && leadsOut(path)) {
        note(path, DiagnosticKind::LinkLeadsOut);
    } else if (folder) {
        addFolder(path, status, reached);
    } else {
        addFile(path, status, reached);
    }
}

FoundFiles Finder::finish() {
    FoundFiles found;
    std::set<FileIdentity> seen;
    std::ranges::sort(files_);
    for (Candidate& candidate : files_) {
        if (seen.insert(candidate.identity).second) {
            found.files.push_back(std::move(candidate.file));
        }
    }
    std::ranges::sort(found.files);
    std::ranges::sort(notRead_, {}, [](const auto& entry) -> const std::string& { return entry.first.path; });
    for (auto& [file, identity] : notRead_) {
        if (seen.insert(identity).second) {
            found.notRead.push_back(std::move(file));
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
    Finder finder(paths, std::move(stop));
    for (const std::string& path : paths) {
        finder.addNamed(withoutLastSlashes(path));
    }
    return finder.finish();
}

} // namespace loadline
