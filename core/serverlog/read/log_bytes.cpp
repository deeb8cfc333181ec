// Tells text from other bytes, and reads what is plain or compressed.
#include "core/serverlog/read/log_bytes.h"

#include "core/base/file/archive.h"
#include "core/base/file/byte_source.h"
#include "core/base/file/read_file.h"

#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

namespace loadline {
namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20;
constexpr std::uint64_t mostUnpacked = std::uint64_t{64} << 30;

Error cannotRead(const std::string& path, const std::string& why, const std::string& remedy) {
    return {.what = "cannot read the log: " + why, .where = path, .remedy = remedy};
}

bool isControl(char c) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char escape = 0x1b;
    return byte < ' ' && (byte < '\b' || byte > '\r') && byte != escape;
}

Status readPlain(const FileSource& file, const std::string& path, const std::stop_token& stop,
                 Progress* progress, const std::function<bool(std::string_view)>& take) {
    std::vector<char> piece(pieceBytes);
    for (std::uint64_t at = 0; !stop.stop_requested();) {
        const std::int64_t got = file.read(piece.data(), piece.size(), at);
        if (got < 0) {
            return cannotRead(path, std::generic_category().message(static_cast<int>(-got)), "");
        }
        if (got == 0 || !take({piece.data(), static_cast<std::size_t>(got)})) {
            break;
        }
        at += static_cast<std::uint64_t>(got);
        if (progress != nullptr) {
            progress->bytesDone += static_cast<std::uint64_t>(got);
        }
    }
    return Done{};
}

} // namespace

std::string notALog(std::string_view head) {
    if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
        return "it is UTF-16 text";
    }
    // Runs of NUL bytes are where a log was cut while a program wrote on; single ones are not of text.
    constexpr std::size_t longRun = 16;
    std::size_t looked = 0;
    std::size_t controls = 0;
    std::size_t nuls = 0; // of which the second bytes of ASCII in UTF-16
    for (std::size_t i = 0; i < head.size();) {
        std::size_t run = 0;
        while (i + run < head.size() && head[i + run] == '\0') {
            ++run;
        }
        nuls += run == 1 ? 1 : 0;
        looked += run == 0 ? 1 : run < longRun ? run : 0;
        controls += run == 0 ? (isControl(head[i]) ? 1 : 0) : run < longRun ? run : 0;
        i += run == 0 ? 1 : run;
    }
    constexpr std::size_t oneIn = 20;
    if (looked > 0 && nuls * 5 > looked * 2) {
        return "it is UTF-16 text";
    }
    return controls * oneIn > looked ? "it is a binary file" : "";
}

Status readLogBytes(const std::string& path, const std::stop_token& stop, Progress* progress,
                    const std::function<bool(std::string_view)>& take) {
    const FileSource file(path);
    if (!file.problem().empty()) {
        return cannotRead(path, file.problem(), file.isFolder() ? "a file in it" : "");
    }
    const std::string head = readHead(file);
    const bool compressed = isArchive(head);
    bool first = true;
    std::string refused;
    const auto checked = [&](std::string_view bytes) {
        refused = first ? notALog(bytes.substr(0, headBytes)) : "";
        first = false;
        return refused.empty() && take(bytes);
    };
    Status done = compressed ? readCompressed(path, mostUnpacked, stop, progress, checked)
                             : readPlain(file, path, stop, progress, checked);
    if (!refused.empty()) {
        return cannotRead(path, refused,
                          refused.find("UTF-16") == std::string::npos
                              ? "a server's log as text"
                              : "it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
    }
    return done;
}

} // namespace loadline
