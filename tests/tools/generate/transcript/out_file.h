// A new file that is written in large pieces.
#pragma once

#include "core/base/file/write_file.h"

#include <cstdint>
#include <optional>
#include <string>

namespace loadline::generate {

/// Appends to `buffer()`, calls flush() now and then, closes: then the file is there, whole. One without a
/// path takes everything and keeps nothing. After the first failure nothing more is written.
class OutFile {
public:
    OutFile() = default; ///< keeps nothing
    /// Makes the folders above it too.
    explicit OutFile(const std::string& path);
    OutFile(const OutFile&) = delete;
    OutFile& operator=(const OutFile&) = delete;

    [[nodiscard]] std::string& buffer() { return buffer_; }

    [[nodiscard]] bool isKept() const { return file_.has_value(); }

    /// Bytes appended so far, written or not.
    [[nodiscard]] std::uint64_t bytes() const { return flushed_ + buffer_.size(); }

    void flushIfLarge();
    Status close();

private:
    void flush();

    std::optional<NewFile> file_;
    std::string buffer_;
    std::uint64_t flushed_ = 0;
};

} // namespace loadline::generate
