// Counts line ends in blocks.
#include "core/session/line_place.h"

#include "core/base/byte_source.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace loadline {
namespace {

constexpr std::size_t blockBytes = std::size_t{1} << 20;

} // namespace

Result<RecordPlace> placeOfLine(const std::string& path, std::uint64_t line, std::stop_token stop) {
    const FileSource file(path);
    if (!file.problem().empty()) {
        return Error{"cannot open the file: " + file.problem(), path,
                     "check that it is still there and may be read"};
    }
    std::vector<char> block(blockBytes);
    std::uint64_t number = 1, start = 0, offset = 0;
    const auto found = [&](std::uint64_t end) -> Result<RecordPlace> {
        const std::uint64_t length = end - start;
        if (length > std::numeric_limits<std::uint32_t>::max()) {
            return Error{"the line is too long to show", path + ":" + std::to_string(line), ""};
        }
        return RecordPlace{start, static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(line)};
    };
    while (!stop.stop_requested()) {
        const auto got = static_cast<std::size_t>(
            std::max<std::int64_t>(file.read(block.data(), block.size(), offset), 0));
        for (const char* at = block.data(); const auto* end = static_cast<const char*>(std::memchr(
                                                at, '\n', got - static_cast<std::size_t>(at - block.data())));
             at = end + 1) {
            const std::uint64_t endOffset = offset + static_cast<std::uint64_t>(end - block.data());
            if (number == line) {
                return found(endOffset);
            }
            ++number;
            start = endOffset + 1;
        }
        offset += got;
        if (got == 0) {
            break;
        }
    }
    if (number == line && offset > start) {
        return found(offset); // the last line has no end
    }
    return Error{"the file has no such line any more", path + ":" + std::to_string(line),
                 "reload to read it as it is now"};
}

} // namespace loadline
