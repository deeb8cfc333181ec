// A new file that is written in large pieces.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace loadline::generate {

/// Appends to `buffer()`, calls flush() now and then, closes. A file without a path takes everything and
/// keeps nothing. After the first failure nothing more is written.
class OutFile {
public:
    OutFile() = default; ///< keeps nothing
    /// Makes the folders above it too; the file itself must not exist.
    explicit OutFile(std::string path);
    ~OutFile();
    OutFile(const OutFile&) = delete;
    OutFile& operator=(const OutFile&) = delete;

    [[nodiscard]] std::string& buffer() { return buffer_; }

    [[nodiscard]] bool isKept() const { return !path_.empty(); }

    /// Bytes appended so far, written or not.
    [[nodiscard]] std::uint64_t bytes() const { return flushed_ + buffer_.size(); }

    void flushIfLarge();
    Status close();

private:
    void flush();

    std::string path_;
    std::string buffer_;
    std::uint64_t flushed_ = 0;
    int descriptor_ = -1;
    int error_ = 0; ///< errno of the first failure
};

/// What to try after this errno.
Error writeFailure(int error, const std::string& path);

} // namespace loadline::generate
