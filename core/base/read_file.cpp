// Reads a whole file, within a limit.
#include "core/base/read_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace loadline {
namespace {

constexpr std::size_t partBytes = std::size_t{1} << 16;
constexpr int bitsPerMiB = 20;

Error cannotRead(const std::string& what, const std::string& why, const std::string& path,
                 const std::string& remedy) {
    return {.what = fmt::format("cannot read {}: {}", what, why), .where = path, .remedy = remedy};
}

} // namespace

Result<std::string> readWholeFile(const std::string& path, const std::string& what, std::size_t maxBytes) {
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed)) {
        return cannotRead(what, "it is a folder", path, "a file in it");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return cannotRead(what, std::generic_category().message(errno), path, "");
    }
    std::string content;
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    if (!failed && size <= maxBytes) { // of pipes and devices unknown
        content.reserve(size);
    }
    std::string part(partBytes, '\0');
    while (file.read(part.data(), static_cast<std::streamsize>(part.size())), file.gcount() > 0) {
        content.append(part, 0, static_cast<std::size_t>(file.gcount()));
        if (content.size() > maxBytes) {
            return cannotRead(what, fmt::format("it is larger than {} MiB", maxBytes >> bitsPerMiB), path,
                              "a smaller one");
        }
    }
    if (file.bad()) {
        return cannotRead(what, std::generic_category().message(errno), path, "");
    }
    return content;
}

} // namespace loadline
