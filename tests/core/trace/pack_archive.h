// Archives made up for tests.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// A .tar.xz of these files: names and what is in them.
inline void packArchive(const std::string& path,
                        const std::vector<std::pair<std::string, std::string>>& files, int filters = 1) {
    archive* writer = archive_write_new();
    for (int i = 0; i < filters; ++i) {
        archive_write_add_filter_xz(writer);
    }
    archive_write_set_format_ustar(writer);
    EXPECT_EQ(archive_write_open_filename(writer, path.c_str()), ARCHIVE_OK);
    for (const auto& [entryName, text] : files) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, entryName.c_str());
        archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_write_header(writer, entry);
        archive_write_data(writer, text.data(), text.size());
        archive_entry_free(entry);
    }
    archive_write_free(writer);
}

/// The head of a tar archive's entry, which states a type ('0': a file) and a size.
inline std::string tarHead(char type, std::uint64_t statedBytes) {
    std::string head(512, '\0');
    const auto put = [&](std::size_t at, const std::string& text) { head.replace(at, text.size(), text); };
    put(0, "x");
    put(100, "0000644");
    put(124, fmt::format("{:011o}", statedBytes));
    put(148, "        ");
    head[156] = type;
    put(257, "ustar");
    put(263, "00");
    unsigned sum = 0;
    for (const char c : head) {
        sum += static_cast<unsigned char>(c);
    }
    put(148, fmt::format("{:06o}", sum));
    head[154] = '\0';
    return head;
}

} // namespace loadline
