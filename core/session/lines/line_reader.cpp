#include "core/session/lines/line_reader.h"

#include "core/session/json/json_tokens.h"

#include <algorithm>
#include <cstring>

namespace loadline {
namespace {

constexpr std::size_t tailBytes = std::size_t{16} << 10;

} // namespace

LineReader::LineReader(const ByteSource& source, LineBuffer& buffer, const ReaderLimits& limits,
                       std::uint64_t begin, std::uint64_t end)
    : source_(&source), buffer_(&buffer), limits_(limits), end_(end), base_(begin == 0 ? 0 : begin - 1),
      insideLine_(begin != 0) {
    if (buffer_->capacity < limits_.chunkBytes) {
        buffer_->bytes = std::make_unique_for_overwrite<char[]>(limits_.chunkBytes + jsonPadding);
        buffer_->capacity = limits_.chunkBytes;
    }
}

void LineReader::makeRoom() {
    const std::size_t rest = filled_ - from_;
    const bool tooSmall = rest == buffer_->capacity;
    const bool tooLarge = buffer_->capacity > limits_.chunkBytes && rest < limits_.chunkBytes / 2;
    const std::size_t limit = std::max(limits_.maxLineBytes + 1, limits_.chunkBytes);
    const std::size_t capacity = tooSmall   ? std::min(buffer_->capacity * 2, limit)
                                 : tooLarge ? limits_.chunkBytes
                                            : buffer_->capacity;
    if (capacity == buffer_->capacity) {
        std::memmove(buffer_->bytes.get(), buffer_->bytes.get() + from_, rest);
    } else {
        auto bytes = std::make_unique_for_overwrite<char[]>(capacity + jsonPadding);
        std::memcpy(bytes.get(), buffer_->bytes.get() + from_, rest);
        buffer_->bytes = std::move(bytes);
        buffer_->capacity = capacity;
    }
    base_ += from_;
    from_ = 0;
    filled_ = rest;
}

bool LineReader::fill() {
    if (ended_ || error_ != 0) {
        return false;
    }
    makeRoom();
    char* const bytes = buffer_->bytes.get();
    const std::uint64_t at = base_ + filled_;
    // Beyond the end only the rest of one line is wanted: ask for about as much again as it has.
    const std::uint64_t wanted = at < end_ ? end_ - at : std::max(filled_, tailBytes);
    const std::size_t size =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer_->capacity - filled_, wanted));
    const std::int64_t got = source_->read(bytes + filled_, size, at);
    if (got <= 0) {
        ended_ = got == 0;
        error_ = got < 0 ? static_cast<int>(-got) : 0;
        return false;
    }
    filled_ += static_cast<std::size_t>(got);
    std::memset(bytes + filled_, 0, jsonPadding);
    return true;
}

bool LineReader::skipToLineStart() {
    while (true) {
        const char* const begin = buffer_->bytes.get() + from_;
        const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', filled_ - from_));
        if (newline) {
            from_ += static_cast<std::size_t>(newline - begin) + 1;
            return true;
        }
        from_ = filled_;
        if (base_ + from_ >= end_ || !fill()) {
            return false;
        }
    }
}

bool LineReader::skipLongLine(RawLine& line) {
    line.tooLong = true;
    line.text = {};
    while (true) {
        const char* const begin = buffer_->bytes.get() + from_;
        const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', filled_ - from_));
        if (newline) {
            from_ += static_cast<std::size_t>(newline - begin) + 1;
            line.length = base_ + from_ - 1 - line.offset;
            line.ended = true;
            return true;
        }
        from_ = filled_;
        if (!fill()) {
            line.length = base_ + from_ - line.offset;
            return true;
        }
    }
}

bool LineReader::next(RawLine& line) {
    if (insideLine_) {
        insideLine_ = false;
        if (!skipToLineStart()) {
            return false;
        }
    }
    if (base_ + from_ >= end_) {
        return false;
    }
    line = RawLine();
    line.offset = base_ + from_;
    std::size_t searched = 0;
    while (true) {
        const char* const begin = buffer_->bytes.get() + from_;
        const std::size_t size = filled_ - from_;
        const auto* newline = static_cast<const char*>(std::memchr(begin + searched, '\n', size - searched));
        const std::size_t length = newline ? static_cast<std::size_t>(newline - begin) : size;
        if (length > limits_.maxLineBytes) {
            return skipLongLine(line);
        }
        if (newline) {
            line.text = {begin, length};
            line.length = length;
            line.ended = true;
            from_ += length + 1;
            return true;
        }
        searched = size;
        if (!fill()) {
            const char* const rest = buffer_->bytes.get() + from_;
            line.text = {rest, size};
            line.length = size;
            from_ = filled_;
            return size > 0;
        }
    }
}

} // namespace loadline
