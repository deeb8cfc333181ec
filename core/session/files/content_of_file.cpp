// Recognizes a file's content, compressed or not.
#include "core/session/files/content_of_file.h"

#include "core/base/file/archive.h"
#include "core/base/file/read_file.h"

#include <string_view>

namespace loadline {
namespace {

/// True if the text has tar's magic word behind the first name.
bool isTar(std::string_view head) {
    constexpr std::size_t markAt = 257;
    return head.size() > markAt && head.substr(markAt).starts_with("ustar");
}

} // namespace

FileContent contentOfFile(const std::string& path) {
    std::string head = readHead(path);
    if (!isArchive(head)) {
        return contentOf(head);
    }
    head.clear();
    const Status unpacked =
        readCompressed(path, headBytes << 10, {}, nullptr, [&head](std::string_view bytes) {
            head += bytes.substr(0, headBytes - head.size());
            return head.size() < headBytes;
        });
    return isTar(head) || (!unpacked && head.empty()) ? FileContent::Unknown : contentOf(head);
}

} // namespace loadline
