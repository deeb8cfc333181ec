// Sorts paths into sessions and traces.
#include "core/cache/cache_files.h"

#include "core/base/file/archive.h"
#include "core/base/file/byte_source.h"
#include "core/base/file/read_file.h"
#include "core/session/files/file_kind.h"
#include "core/session/files/find_session_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace loadline {
namespace {

namespace fs = std::filesystem;

bool isFolder(const std::string& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

bool holdsTrace(const std::string& path) {
    const std::string head = readHead(path);
    return isArchive(head) || contentOf(head) == FileContent::Trace;
}

bool isNamedLikeTrace(std::string_view name) {
    constexpr std::array<std::string_view, 6> ends = {".csv", ".tar.xz",  ".tar.gz",
                                                      ".tgz", ".tar.zst", ".tar.bz2"};
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

/// Returns the path without any link in it; the path itself if it cannot be resolved.
std::string ownPath(const std::string& path) {
    std::error_code failed;
    const fs::path own = fs::canonical(path, failed);
    return failed ? path : own.string();
}

bool leadsOutOf(const std::string& folder, const std::string& link) {
    const std::string root = ownPath(folder);
    return !ownPath(link).starts_with(root == "/" ? root : root + "/");
}

/// Tables and archives, which a walk for sessions passes by.
void addTracesBelow(const std::string& folder, const std::stop_token& stop, CacheFiles& found) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    while (!error && at != fs::recursive_directory_iterator() && !stop.stop_requested()) {
        std::error_code unknown;
        const std::string path = at->path().string();
        if (isNamedLikeTrace(path) && at->is_regular_file(unknown)) {
            if (at->is_symlink(unknown) && leadsOutOf(folder, path)) {
                found.diagnostics.push_back(
                    {path, {.kind = DiagnosticKind::LinkLeadsOut, .line = 0, .count = 1, .detail = {}}});
            } else if (holdsTrace(path)) {
                found.traces.push_back(path);
            }
        }
        at.increment(error);
    }
}

/// Sorted, each file once, by whatever paths and links it was reached.
void keepEachOnce(std::vector<std::string>& paths) {
    std::ranges::sort(paths);
    std::set<std::string> seen;
    std::erase_if(paths, [&](const std::string& path) { return !seen.insert(ownPath(path)).second; });
}

} // namespace

Result<CacheFiles> cacheFilesIn(std::span<const std::string> paths, const std::stop_token& stop) {
    CacheFiles result;
    std::vector<std::string> others;
    for (const std::string& path : paths) {
        (!isFolder(path) && holdsTrace(path) ? result.traces : others).push_back(path);
    }
    FoundFiles found = findSessionFiles(others, stop);
    const auto traces =
        std::ranges::partition(found.files, [](const FoundFile& file) { return !holdsTrace(file.path); });
    if (traces.begin() != found.files.begin()) {
        if (!result.traces.empty()) {
            return Error{"a request trace and sessions cannot be counted together", result.traces.front(),
                         "one of them at a time: their caches are not the same"};
        }
        return CacheFiles{.sessions = others, .traces = {}, .diagnostics = std::move(found.diagnostics)};
    }
    for (const FoundFile& file : traces) {
        result.traces.push_back(file.path);
    }
    for (const NotRead& file : found.notRead) {
        if (file.looksLike->content == FileContent::Trace) {
            result.traces.push_back(file.path);
        }
    }
    result.diagnostics = std::move(found.diagnostics);
    for (const std::string& path : others) {
        if (isFolder(path)) {
            addTracesBelow(path, stop, result);
        }
    }
    keepEachOnce(result.traces);
    if (result.traces.empty()) {
        result.sessions = others;
    }
    return result;
}

} // namespace loadline
