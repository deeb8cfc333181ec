// Copies a stream into an unlinked temporary file.
#include "core/base/file/spooled_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// Large copies belong on a disk: /tmp may be memory.
std::string spoolFolder() {
    const char* chosen = std::getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    return chosen != nullptr && *chosen != '\0' ? chosen : "/var/tmp";
}

int unnamedFile() {
    std::string name = spoolFolder() + "/loadline-XXXXXX";
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC); // mode 0600
    if (descriptor >= 0) {
        ::unlink(name.c_str());
    }
    return descriptor;
}

Error cannotRead(const std::string& path, const std::string& why) {
    return {.what = "cannot read the stream: " + why,
            .where = path == standardInput ? "standard input" : path,
            .remedy = ""};
}

std::string nameOfError(int number) {
    return std::generic_category().message(number);
}

/// Closes what it holds, unless that is standard input.
struct Source {
    int descriptor = -1;

    explicit Source(int opened) : descriptor(opened) {}
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source() {
        if (descriptor > STDIN_FILENO) {
            ::close(descriptor);
        }
    }
};

enum class Ready : std::uint8_t { Bytes, End, Stopped, Failed };

/// Waits for bytes; a FIFO without a writer yet is waited for too.
Ready waitFor(int descriptor, const std::stop_token& stop) {
    constexpr int momentMs = 100;
    while (!stop.stop_requested()) {
        pollfd wanted{.fd = descriptor, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&wanted, 1, momentMs);
        if (ready < 0 && errno != EINTR) {
            return Ready::Failed;
        }
        if (ready > 0) {
            return (wanted.revents & POLLIN) != 0    ? Ready::Bytes
                   : (wanted.revents & POLLHUP) != 0 ? Ready::End
                                                     : Ready::Failed;
        }
    }
    return Ready::Stopped;
}

bool copyAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

} // namespace

bool isStream(const std::string& path) {
    struct stat status {};

    if (path == standardInput) {
        return true;
    }
    if (::stat(path.c_str(), &status) != 0) {
        return false;
    }
    if (S_ISCHR(status.st_mode)) { // a terminal; other devices have no end
        const Source device(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        return device.descriptor >= 0 && ::isatty(device.descriptor) == 1;
    }
    return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

Result<SpooledStream> SpooledStream::read(const std::string& path, const std::stop_token& stop,
                                          Progress& progress,
                                          const std::function<std::string(std::string_view)>& refused) {
    constexpr std::size_t pieceBytes = std::size_t{1} << 20;
    const Source from(path == standardInput
                          ? STDIN_FILENO
                          : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (from.descriptor < 0) {
        return cannotRead(path, nameOfError(errno));
    }
    SpooledStream copy(unnamedFile());
    if (copy.descriptor_ < 0) {
        return Error{"no room for a copy of the stream: " + nameOfError(errno), spoolFolder(),
                     "TMPDIR with another folder"};
    }
    std::vector<char> piece(pieceBytes);
    for (bool first = true;;) {
        const Ready ready = waitFor(from.descriptor, stop);
        if (ready == Ready::End || ready == Ready::Stopped) {
            break;
        }
        const ssize_t got = ready == Ready::Failed ? -1 : ::read(from.descriptor, piece.data(), piece.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN) && ready == Ready::Bytes) {
            continue;
        }
        if (got < 0) {
            return cannotRead(path, nameOfError(errno));
        }
        if (got == 0) {
            break;
        }
        const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
        if (const std::string why = std::exchange(first, false) ? refused(bytes) : ""; !why.empty()) {
            return cannotRead(path, why);
        }
        if (!copyAll(copy.descriptor_, bytes)) {
            return Error{"no room for a copy of the stream: " + nameOfError(errno), spoolFolder(),
                         "TMPDIR with another folder"};
        }
        progress.bytesDone += bytes.size();
    }
    return copy;
}

SpooledStream::~SpooledStream() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

SpooledStream::SpooledStream(SpooledStream&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

SpooledStream& SpooledStream::operator=(SpooledStream&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

std::string SpooledStream::path() const {
    return "/proc/self/fd/" + std::to_string(descriptor_);
}

} // namespace loadline
