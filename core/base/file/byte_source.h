// Bytes at an offset: of an open file or of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

/// The input of the line reader. Safe to use by several threads at once.
class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// Bytes copied to `into`, 0 at the end, negative: -errno.
    virtual std::int64_t read(char* into, std::size_t size, std::uint64_t offset) const = 0;
};

/// The reason not to read anything but a file or folder.
inline constexpr std::string_view notRegular = "it is a pipe, a socket or a device";

/// A regular file: the one way in which files of the user are opened to be read. FIFOs, sockets, devices and
/// folders are refused, and opening them never waits.
class FileSource final : public ByteSource {
public:
    explicit FileSource(const std::string& path);
    ~FileSource() override;

    /// Returns the reason why the file could not be opened; "" if it was.
    [[nodiscard]] const std::string& problem() const { return problem_; }

    [[nodiscard]] bool isFolder() const { return isFolder_; }

    /// Size when it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    std::int64_t read(char* into, std::size_t size, std::uint64_t offset) const override;

private:
    int descriptor_;
    std::uint64_t size_ = 0;
    bool isFolder_ = false;
    std::string problem_;
};

class MemorySource final : public ByteSource {
public:
    explicit MemorySource(std::string_view text) : text_(text) {}

    std::int64_t read(char* into, std::size_t size, std::uint64_t offset) const override;

private:
    std::string_view text_;
};

} // namespace loadline
