// Unpacks archives by libarchive, which reads through FileSource and writes nothing.
#include "core/base/file/archive.h"

#include "core/base/file/byte_source.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace loadline {
namespace {

constexpr std::size_t chunkBytes = std::size_t{1} << 18;
constexpr std::size_t tarMagicAt = 257;
constexpr int mostFilters = 2; // one compression, and libarchive's own last one, which does nothing

/// The input of libarchive's callbacks.
struct ArchiveInput {
    const FileSource& file;
    std::vector<char> chunk = std::vector<char>(chunkBytes);
    std::uint64_t at = 0;
};

la_ssize_t readChunk(archive* reader, void* data, const void** bytes) {
    auto& input = *static_cast<ArchiveInput*>(data);
    const std::int64_t got = input.file.read(input.chunk.data(), input.chunk.size(), input.at);
    if (got < 0) {
        archive_set_error(reader, static_cast<int>(-got), "it cannot be read");
        return ARCHIVE_FATAL;
    }
    input.at += static_cast<std::uint64_t>(got);
    *bytes = input.chunk.data();
    return got;
}

struct FreeReader {
    void operator()(archive* reader) const { archive_read_free(reader); }
};

using Reader = std::unique_ptr<archive, FreeReader>;

/// Returns a reader without input; `form` reads what the filters unpack: archive_read_support_format_tar or
/// _raw.
Reader newReader(int (*form)(archive*)) {
    Reader reader(archive_read_new());
    if (reader == nullptr) {
        return nullptr;
    }
    form(reader.get());
    archive_read_support_filter_xz(reader.get());
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    return reader;
}

Reader readerOf(ArchiveInput& input, int (*form)(archive*)) {
    Reader reader = newReader(form);
    return reader != nullptr &&
                   archive_read_open(reader.get(), &input, nullptr, readChunk, nullptr) == ARCHIVE_OK
               ? std::move(reader)
               : nullptr;
}

/// True if a call of libarchive's went well enough to go on.
bool goesOn(int status) {
    return status == ARCHIVE_OK || status == ARCHIVE_WARN;
}

std::string beyond(std::uint64_t limit, const char* of) {
    return fmt::format("it holds more than {} {}, the limit", limit, of);
}

/// Unpacks the rest of the reader's entry into `text`, piece by piece: memory follows the bytes that come,
/// never the size that the entry's head states. Returns the problem, or "".
std::string unpack(archive* reader, const ArchiveLimits& limits, std::uint64_t before,
                   const std::stop_token& stop, std::vector<char>& piece, std::string& text) {
    while (!stop.stop_requested()) {
        const la_ssize_t got = archive_read_data(reader, piece.data(), piece.size());
        if (got < 0) {
            return "it is cut or damaged";
        }
        text.append(piece.data(), static_cast<std::size_t>(got));
        if (text.size() > limits.entryBytes) {
            return beyond(limits.entryBytes, "bytes in one file");
        }
        if (before + text.size() > limits.bytes) {
            return beyond(limits.bytes, "bytes");
        }
        if (got == 0) {
            text.shrink_to_fit();
            return "";
        }
    }
    return "it was stopped";
}

struct FreeWriter {
    void operator()(archive* writer) const { archive_write_free(writer); }
};

struct FreeEntry {
    void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

la_ssize_t appendBytes(archive*, void* text, const void* bytes, std::size_t count) {
    static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), count);
    return static_cast<la_ssize_t>(count);
}

/// Writes `bytes` through the filter of `writer`, which appends to `text`; true if all went well.
bool writeRaw(archive* writer, std::string_view bytes, int level, std::string& text) {
    const std::string options = fmt::format("zstd:compression-level={}", level);
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    if (entry == nullptr || archive_write_set_format_raw(writer) != ARCHIVE_OK ||
        archive_write_add_filter_zstd(writer) != ARCHIVE_OK ||
        archive_write_set_options(writer, options.c_str()) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(writer, 1) != ARCHIVE_OK || // no zeros behind the frame
        archive_write_open(writer, &text, nullptr, appendBytes, nullptr) != ARCHIVE_OK) {
        return false;
    }
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    return archive_write_header(writer, entry.get()) == ARCHIVE_OK &&
           archive_write_data(writer, bytes.data(), bytes.size()) == static_cast<la_ssize_t>(bytes.size()) &&
           archive_write_close(writer) == ARCHIVE_OK;
}

} // namespace

bool isArchive(std::string_view head) {
    constexpr std::array<std::string_view, 4> magics = {std::string_view("\xfd"
                                                                         "7zXZ\0",
                                                                         6),
                                                        "\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh"};
    for (const std::string_view magic : magics) {
        if (head.starts_with(magic)) {
            return true;
        }
    }
    return head.size() > tarMagicAt && head.substr(tarMagicAt).starts_with("ustar");
}

Result<ArchiveEnd> readArchive(const std::string& path, const ArchiveLimits& limits,
                               const std::stop_token& stop,
                               const std::function<bool(std::string name, std::string text)>& take) {
    const FileSource file(path);
    if (!file.problem().empty() || file.isFolder()) {
        return Error{"cannot read the archive: " + (file.isFolder() ? "it is a folder" : file.problem()),
                     path, "a file that can be read"};
    }
    ArchiveInput input{.file = file};
    const Reader reader = readerOf(input, archive_read_support_format_tar);
    if (reader == nullptr) {
        return Error{"not an archive that can be unpacked", path,
                     "a .tar.xz, .tar.gz, .tar.zst or .tar file"};
    }
    ArchiveEnd end;
    std::vector<char> piece(chunkBytes);
    std::uint64_t entries = 0;
    while (!stop.stop_requested()) {
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(reader.get(), &entry);
        if (status == ARCHIVE_EOF) {
            return end;
        }
        if (!goesOn(status)) {
            end.problem = "it is cut or damaged";
            return end;
        }
        if (archive_filter_count(reader.get()) > mostFilters) {
            end.problem = "it is compressed more than once";
            return end;
        }
        if (++entries > limits.entries) {
            end.problem = beyond(limits.entries, "entries");
            return end;
        }
        const bool regular = archive_entry_filetype(entry) == AE_IFREG;
        if (!regular && archive_entry_size(entry) <= 0) {
            continue;
        }
        const char* name = archive_entry_pathname(entry);
        std::string text;
        end.problem = unpack(reader.get(), limits, end.bytes, stop, piece, text);
        if (!end.problem.empty()) {
            return end;
        }
        end.bytes += text.size();
        if (!regular) {
            continue; // it was read for the limits alone: skipping it would unpack it without them
        }
        ++end.files;
        if (!take(name == nullptr ? "" : name, std::move(text))) {
            return end;
        }
    }
    return end;
}

Status readCompressed(const std::string& path, std::uint64_t mostBytes, const std::stop_token& stop,
                      Progress* progress, const std::function<bool(std::string_view bytes)>& take) {
    const auto cannot = [&](const std::string& why) {
        return Error{"cannot unpack the file: " + why, path, "a .gz, .zst or .xz file that is whole"};
    };
    const FileSource file(path);
    if (!file.problem().empty()) {
        return cannot(file.problem());
    }
    ArchiveInput input{.file = file};
    const Reader reader = readerOf(input, archive_read_support_format_raw);
    archive_entry* entry = nullptr;
    if (reader == nullptr || !goesOn(archive_read_next_header(reader.get(), &entry))) {
        return cannot("it is cut or damaged");
    }
    if (archive_filter_count(reader.get()) > mostFilters) {
        return cannot("it is compressed more than once");
    }
    std::vector<char> piece(chunkBytes);
    std::uint64_t counted = 0;
    std::uint64_t unpacked = 0;
    while (!stop.stop_requested()) {
        const la_ssize_t got = archive_read_data(reader.get(), piece.data(), piece.size());
        if (progress != nullptr) {
            progress->bytesDone += input.at - std::exchange(counted, input.at);
        }
        if (got < 0) {
            return cannot("it is cut or damaged");
        }
        unpacked += static_cast<std::uint64_t>(got);
        if (unpacked > mostBytes) {
            return cannot(beyond(mostBytes, "bytes"));
        }
        if (got == 0 || !take({piece.data(), static_cast<std::size_t>(got)})) {
            break;
        }
    }
    return Done{};
}

Result<std::string> unpackedBytes(std::string_view bytes, std::uint64_t mostBytes) {
    const auto cannot = [](const std::string& why) {
        return Error{"cannot unpack the bytes: " + why, "", "xz, gzip, zstd or bzip2 data that is whole"};
    };
    const Reader reader = newReader(archive_read_support_format_raw);
    archive_entry* entry = nullptr;
    if (reader == nullptr ||
        archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK ||
        !goesOn(archive_read_next_header(reader.get(), &entry))) {
        return cannot("they are cut or damaged, or hold nothing");
    }
    if (archive_filter_count(reader.get()) != mostFilters) {
        return cannot("they are not compressed, or more than once");
    }
    std::vector<char> piece(chunkBytes);
    std::string text;
    const std::string problem =
        unpack(reader.get(), {.bytes = mostBytes, .entryBytes = mostBytes}, 0, {}, piece, text);
    return problem.empty() ? Result<std::string>(std::move(text)) : Result<std::string>(cannot(problem));
}

Result<std::string> zstdOf(std::string_view bytes, int level) {
    std::string text;
    const std::unique_ptr<archive, FreeWriter> writer(archive_write_new());
    if (writer == nullptr || !writeRaw(writer.get(), bytes, level, text)) {
        return Error{"cannot compress with zstd", "", "a libarchive that is built with zstd"};
    }
    return text;
}

} // namespace loadline
