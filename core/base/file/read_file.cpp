// Reads a whole file, within a limit, or its beginning.
#include "core/base/file/read_file.h"

#include "core/base/file/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <system_error>

namespace loadline {
namespace {

constexpr std::size_t partBytes = std::size_t{1} << 16;
constexpr int bitsPerMiB = 20;

/// Appends to `content` until it holds `most` bytes or the file ends; errno of a failed read, else 0.
int readInto(std::string& content, const FileSource& file, std::size_t most) {
    while (content.size() < most) {
        const std::size_t before = content.size();
        content.resize(before + std::min(most - before, partBytes));
        const std::int64_t got = file.read(content.data() + before, content.size() - before, before);
        content.resize(before + static_cast<std::size_t>(std::max<std::int64_t>(got, 0)));
        if (got <= 0) {
            return static_cast<int>(-got);
        }
    }
    return 0;
}

} // namespace

Result<std::string> readWholeFile(const std::string& path, const std::string& what, std::size_t maxBytes) {
    const auto cannot = [&](const std::string& why, const std::string& remedy) {
        return Error{.what = fmt::format("cannot read {}: {}", what, why), .where = path, .remedy = remedy};
    };
    const FileSource file(path);
    if (!file.problem().empty()) {
        return cannot(file.problem(), file.isFolder() ? "a file in it" : "");
    }
    // Files of /proc and the like have no size: what they hold shows when they are read.
    std::string content;
    content.reserve(std::min<std::uint64_t>(file.size(), maxBytes) + 1);
    const int failed = file.size() > maxBytes ? 0 : readInto(content, file, maxBytes + 1);
    if (failed != 0) {
        return cannot(std::generic_category().message(failed), "");
    }
    if (file.size() > maxBytes || content.size() > maxBytes) {
        return cannot(fmt::format("it is larger than {} MiB", maxBytes >> bitsPerMiB), "a smaller one");
    }
    return content;
}

std::string readHead(const std::string& path) {
    const FileSource file(path);
    return readHead(file);
}

std::string readHead(const FileSource& file) {
    std::string head;
    if (file.problem().empty()) {
        readInto(head, file, headBytes);
    }
    return head;
}

} // namespace loadline
