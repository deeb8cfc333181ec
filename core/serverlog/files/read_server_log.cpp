// Reads files by pieces, unpacked where they are compressed.
#include "core/serverlog/files/read_server_log.h"

#include "core/base/file/archive.h"
#include "core/base/file/byte_source.h"
#include "core/base/file/read_file.h"
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/format/server_formats.h"
#include "core/serverlog/read/line_taker.h"
#include "core/serverlog/read/log_bytes.h"

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

/// True if a line, or a text of which it is the first, is JSON, in which any text may stand.
bool isJson(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const std::string_view rest = start == std::string_view::npos ? std::string_view() : text.substr(start);
    if (rest.starts_with('{')) {
        return !rest.starts_with("{\"log\":\""); // Docker's records
    }
    const std::size_t next =
        rest.starts_with('[') ? rest.find_first_not_of(" \t\r\n", 1) : std::string_view::npos;
    return next != std::string_view::npos &&
           std::string_view("{[\"]").find(rest[next]) != std::string_view::npos;
}

} // namespace

std::string whyNoLog(std::string_view head) {
    return isArchive(head) ? "" : notALog(head.substr(0, headBytes));
}

bool isServerLog(std::string_view head) {
    if (isJson(head)) {
        return false;
    }
    LineTaker taker(patternTable(), {});
    taker.beginFile({});
    while (!head.empty() && taker.linesOfServers() == 0) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        if (!isJson(head.substr(0, end))) {
            taker.take(head.substr(0, end));
        }
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    return taker.linesOfServers() > 0;
}

Result<ServerLog> readServerLog(std::span<const std::string> paths, const std::stop_token& stop,
                                Progress& progress, std::span<const std::string> names) {
    if (paths.empty()) {
        return Error{"no log to read", "", "name a file"};
    }
    progress.filesTotal = paths.size();
    for (const std::string& path : paths) {
        progress.bytesTotal += FileSource(path).size();
    }
    ServerLogReader reader;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::string& path = paths[i];
        reader.beginFile(i < names.size() ? names[i] : path);
        const Status done = readLogBytes(path, stop, &progress, [&](std::string_view bytes) {
            reader.add(bytes);
            return true;
        });
        if (!done) {
            return done.error();
        }
        ++progress.filesDone;
    }
    return std::move(reader).log();
}

Result<std::vector<std::string>> readLogLines(std::span<const std::string> paths,
                                              std::span<const LogLine> lines, const std::stop_token& stop) {
    constexpr std::size_t mostBytes = 4096;
    std::vector<std::string> texts(lines.size());
    for (std::size_t file = 0; file < paths.size(); ++file) {
        std::vector<std::size_t> wanted; // in the order of the lines
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].file == file && lines[i].line > 0) {
                wanted.push_back(i);
            }
        }
        if (wanted.empty()) {
            continue;
        }
        std::ranges::sort(wanted, {}, [&](std::size_t i) { return lines[i].line; });
        auto next = wanted.begin();
        std::uint64_t line = 1;
        std::string text;
        const auto finish = [&] {
            text.resize(text.ends_with('\r') ? text.size() - 1 : text.size());
            for (; next != wanted.end() && lines[*next].line == line; ++next) {
                texts[*next] = text;
            }
            text.clear();
            ++line;
        };
        const Status done = readLogBytes(paths[file], stop, nullptr, [&](std::string_view bytes) {
            while (!bytes.empty() && next != wanted.end()) {
                const std::size_t end = bytes.find('\n');
                if (line == lines[*next].line) {
                    text += bytes.substr(0, end).substr(0, mostBytes - text.size());
                }
                if (end == std::string_view::npos) {
                    break;
                }
                finish();
                bytes.remove_prefix(end + 1);
            }
            return next != wanted.end();
        });
        if (!done) {
            return done.error();
        }
        finish();
    }
    return texts;
}

} // namespace loadline
