// Opens without blocking, reads at an offset.
#include "core/base/file/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace loadline {

FileSource::FileSource(const std::string& path)
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    : descriptor_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
    if (descriptor_ < 0) { // ENXIO: a socket, or a device that is not there
        problem_ = errno == ENXIO ? std::string(notRegular) : std::generic_category().message(errno);
        return;
    }

    struct stat status {};

    if (::fstat(descriptor_, &status) != 0) {
        problem_ = std::generic_category().message(errno);
    } else if (!S_ISREG(status.st_mode)) {
        isFolder_ = S_ISDIR(status.st_mode);
        problem_ = isFolder_ ? "it is a folder" : std::string(notRegular);
    } else {
        size_ = static_cast<std::uint64_t>(status.st_size);
    }
}

FileSource::~FileSource() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

std::int64_t FileSource::read(char* into, std::size_t size, std::uint64_t offset) const {
    while (true) {
        const ssize_t got = ::pread(descriptor_, into, size, static_cast<off_t>(offset));
        if (got >= 0) {
            return got;
        }
        if (errno != EINTR) {
            return -std::int64_t{errno};
        }
    }
}

std::int64_t MemorySource::read(char* into, std::size_t size, std::uint64_t offset) const {
    if (offset >= text_.size()) {
        return 0;
    }
    const std::size_t length = std::min<std::size_t>(size, text_.size() - offset);
    std::memcpy(into, text_.data() + offset, length);
    return static_cast<std::int64_t>(length);
}

} // namespace loadline
