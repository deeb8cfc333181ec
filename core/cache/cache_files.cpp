// Sorts paths into sessions and traces.
#include "core/cache/cache_files.h"

#include "core/base/file/archive.h"
#include "core/base/file/byte_source.h"
#include "core/base/file/read_file.h"
#include "core/session/files/file_kind.h"
#include "core/session/read_sessions.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

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

bool isNamedLikeArchive(std::string_view name) {
    constexpr std::array<std::string_view, 5> ends = {".tar.xz", ".tar.gz", ".tgz", ".tar.zst", ".tar.bz2"};
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

void addArchivesBelow(const std::string& folder, const std::stop_token& stop,
                      std::vector<std::string>& traces) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    while (!error && at != fs::recursive_directory_iterator() && !stop.stop_requested()) {
        std::error_code unknown;
        const std::string path = at->path().string();
        if (isNamedLikeArchive(path) && at->is_regular_file(unknown) && isArchive(readHead(path))) {
            traces.push_back(path);
        }
        at.increment(error);
    }
}

} // namespace

Result<CacheFiles> cacheFilesIn(std::span<const std::string> paths, const std::stop_token& stop) {
    std::vector<std::string> traces;
    std::vector<std::string> others;
    for (const std::string& path : paths) {
        (!isFolder(path) && holdsTrace(path) ? traces : others).push_back(path);
    }
    const FoundFiles found = findSessionFiles(others, stop);
    if (!found.files.empty()) {
        if (!traces.empty()) {
            return Error{"a request trace and sessions cannot be counted together", traces.front(),
                         "one of them at a time: their caches are not the same"};
        }
        return CacheFiles{.sessions = others, .traces = {}};
    }
    for (const NotRead& file : found.notRead) {
        if (file.looksLike->content == FileContent::Trace) {
            traces.push_back(file.path);
        }
    }
    for (const std::string& path : others) {
        if (isFolder(path)) {
            addArchivesBelow(path, stop, traces);
        }
    }
    std::ranges::sort(traces);
    return traces.empty() ? CacheFiles{.sessions = others, .traces = {}}
                          : CacheFiles{.sessions = {}, .traces = std::move(traces)};
}

} // namespace loadline
