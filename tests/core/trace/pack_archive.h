// Archives made up for tests.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

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

} // namespace loadline
