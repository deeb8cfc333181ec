// Cuts bytes into lines, chunk by chunk: memory grows to the longest line at most, never to the file.
#pragma once

#include "core/base/file/byte_source.h"
#include "core/session/lines/reader_limits.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace loadline {

/// One physical line without its end.
struct RawLine {
    std::string_view text;    ///< jsonPadding readable bytes follow, the first is '\n' or NUL; "" if too long
    std::uint64_t offset = 0; ///< of its first byte
    std::uint64_t length = 0; ///< also of a line too long to keep
    bool ended = false;       ///< by '\n'; only the last line of a file may not be
    bool tooLong = false;
};

/// Memory that one thread reuses for all its files.
struct LineBuffer {
    std::unique_ptr<char[]> bytes;
    std::size_t capacity = 0; ///< without padding
};

/// Reads the lines that start in [begin, end) of a source; the last of them may reach beyond end.
class LineReader {
public:
    LineReader(const ByteSource& source, LineBuffer& buffer, const ReaderLimits& limits, std::uint64_t begin,
               std::uint64_t end);

    /// The next line; false at the end or on an error. The line is valid until the next call.
    bool next(RawLine& line);

    /// errno of a failed read, 0 if there was none.
    [[nodiscard]] int error() const { return error_; }

    /// Returns the offset of the source's end, or of the end of what was read so far.
    [[nodiscard]] std::uint64_t readUpTo() const { return base_ + filled_; }

    [[nodiscard]] bool atEndOfSource() const { return ended_; }

private:
    bool fill();
    void makeRoom();
    bool skipToLineStart();
    bool skipLongLine(RawLine& line);

    const ByteSource* source_;
    LineBuffer* buffer_;
    ReaderLimits limits_;
    std::uint64_t end_;
    std::uint64_t base_;     ///< offset of the buffer's first byte
    std::size_t from_ = 0;   ///< start of the unread rest in the buffer
    std::size_t filled_ = 0; ///< end of the bytes in the buffer
    bool insideLine_;        ///< the range may start in the middle of a line that belongs to the one before
    bool ended_ = false;
    int error_ = 0;
};

} // namespace loadline
