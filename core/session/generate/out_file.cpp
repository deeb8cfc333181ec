// Buffered writing with POSIX calls and errors as values.
#include "core/session/generate/out_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace loadline::generate {
namespace {

constexpr std::size_t pieceBytes = std::size_t{512} << 10;

} // namespace

Error writeFailure(int error, const std::string& path) {
    const std::string remedy =
        error == ENOSPC || error == EDQUOT                    ? "free some space, or a folder on another disk"
        : error == EACCES || error == EPERM || error == EROFS ? "a folder that you may write to"
        : error == EMFILE || error == ENFILE                  ? "closing other programs"
                                                              : "";
    return {"cannot write: " + std::generic_category().message(error), path, remedy};
}

OutFile::OutFile(std::string path) : path_(std::move(path)) {
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), failed);
    if (failed) {
        error_ = failed.value();
        return;
    }
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    error_ = descriptor_ < 0 ? errno : 0;
}

OutFile::~OutFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void OutFile::flush() {
    flushed_ += buffer_.size();
    for (std::size_t at = 0; at < buffer_.size() && descriptor_ >= 0 && error_ == 0;) {
        const ssize_t written = ::write(descriptor_, buffer_.data() + at, buffer_.size() - at);
        if (written >= 0) {
            at += static_cast<std::size_t>(written);
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    buffer_.clear();
}

void OutFile::flushIfLarge() {
    if (buffer_.size() >= pieceBytes) {
        flush();
    }
}

Status OutFile::close() {
    flush();
    if (descriptor_ >= 0 && ::close(descriptor_) != 0 && error_ == 0) {
        error_ = errno;
    }
    descriptor_ = -1;
    return error_ == 0 ? Status(Done{}) : Status(writeFailure(error_, path_));
}

} // namespace loadline::generate
