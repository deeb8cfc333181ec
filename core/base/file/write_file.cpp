// Complete writes with errors that say what to try; files appear whole or not at all.
#include "core/base/file/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace loadline {
namespace {

namespace fs = std::filesystem;

/// 0 or the errno that ended it.
int writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/// A reader that went away is no failure.
Status statusOf(int number, const std::string& path) {
    return number == 0 || number == EPIPE ? Status(Done{}) : Status(writeError(number, path));
}

/// The file a chain of links ends at, so that writing replaces the file and not the link.
fs::path resolved(const fs::path& path) {
    std::error_code failed;
    fs::path target = fs::canonical(path, failed);
    return failed ? path : target;
}

/// 0 or why a file of that name cannot be made or replaced.
int obstacleTo(const std::string& target) {
    struct stat status {};

    if (::stat(target.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return EISDIR;
        }
        // One that was made read-only is meant to stay as it is, though a rename would not ask.
        if (::access(target.c_str(), W_OK) != 0) {
            return errno;
        }
        if (!S_ISREG(status.st_mode)) {
            return 0;
        }
    }
    const fs::path parent = fs::path(target).parent_path();
    const fs::path folder = parent.empty() ? fs::path(".") : parent;
    if (!target.empty() && target.back() == '/') {
        return EISDIR;
    }
    if (::access((folder / "").c_str(), W_OK | X_OK) != 0) {
        return errno;
    }
    return target.empty() ? ENOENT : 0;
}

bool isWithin(const fs::path& path, const std::string& folder) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) {
        return false;
    }
    for (fs::path above = fs::canonical(path, failed); !failed && above.has_relative_path();
         above = above.parent_path()) {
        if (fs::equivalent(above, folder, failed)) {
            return true;
        }
    }
    return false;
}

} // namespace

Error writeError(int number, const std::string& path) {
    if (number == EISDIR) {
        return {"cannot write: it is a folder", path, "the name of a file in it"};
    }
    const bool full = number == ENOSPC || number == EDQUOT;
    const bool denied = number == EACCES || number == EPERM || number == EROFS;
    return {"cannot write: " + std::generic_category().message(number), path,
            full              ? "free some space, or write to another disk"
            : number == EFBIG ? "another disk, or a higher limit on sizes of files (ulimit -f)"
            : denied          ? "a folder that you may write to, or another name"
            : number == ENOENT || number == ENOTDIR ? "a folder that exists"
            : number == EMFILE || number == ENFILE  ? "closing other programs"
                                                    : ""};
}

Status writeTo(int descriptor, std::string_view text, const std::string& name) {
    return statusOf(writeAll(descriptor, text), name);
}

NewFile::NewFile(std::string path) : path_(std::move(path)), target_(resolved(path_).string()) {
    error_ = obstacleTo(target_);
    if (error_ == 0) {
        begin();
    }
}

NewFile::~NewFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        if (!temporary_.empty()) {
            ::unlink(temporary_.c_str());
        }
    }
}

void NewFile::begin() {
    struct stat status {};

    const bool exists = ::stat(target_.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
        note(descriptor_ >= 0);
        return;
    }
    mode_ = exists ? status.st_mode & 07777 : 0;
    constexpr int mostTries = 100; // names that a killed program, or somebody else, left behind
    for (int i = 0; i < mostTries && descriptor_ < 0; ++i) {
        temporary_ =
            target_ + "." + std::to_string(::getpid()) + (i > 0 ? "-" + std::to_string(i) : "") + ".part";
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && errno != EEXIST) {
            break;
        }
    }
    note(descriptor_ >= 0);
    if (descriptor_ >= 0) {
        unfinished_.emplace(temporary_);
    }
}

void NewFile::note(bool good) {
    if (!good && error_ == 0) {
        error_ = errno;
    }
}

void NewFile::append(std::string_view text) {
    if (error_ == 0) {
        error_ = writeAll(descriptor_, text);
    }
}

Status NewFile::commit() {
    if (descriptor_ >= 0 && !temporary_.empty() && error_ == 0) {
        note(mode_ == 0 || ::fchmod(descriptor_, mode_) == 0);
        note(::fsync(descriptor_) == 0);
    }
    if (descriptor_ >= 0) {
        note(::close(descriptor_) == 0);
        descriptor_ = -1;
        if (!temporary_.empty()) {
            if (error_ == 0) {
                note(std::rename(temporary_.c_str(), target_.c_str()) == 0);
            }
            if (error_ != 0) {
                ::unlink(temporary_.c_str());
            }
        }
    }
    unfinished_.reset();
    return temporary_.empty() ? statusOf(error_, path_)
           : error_ == 0      ? Status(Done{})
                              : Status(writeError(error_, path_));
}

Status writeFile(const std::string& path, std::string_view text) {
    NewFile file(path);
    file.append(text);
    return file.commit();
}

Status canWrite(const std::string& path) {
    return statusOf(obstacleTo(resolved(path).string()), path);
}

Status canWriteInto(const std::string& folder) {
    std::error_code failed;
    fs::path there = fs::absolute(folder, failed).lexically_normal();
    while (there.has_relative_path() && !fs::exists(fs::symlink_status(there, failed))) {
        there = there.parent_path();
    }
    const bool writable = ::access((there / "").c_str(), W_OK | X_OK) == 0;
    return writable ? Status(Done{}) : Status(writeError(errno, folder));
}

Status refuseToOverwrite(std::span<const std::string> outputs, std::span<const std::string> read) {
    std::error_code failed;
    for (const std::string& path : outputs) {
        if (!fs::exists(path, failed)) {
            continue;
        }
        for (const std::string& name : read) {
            if ((fs::equivalent(path, name, failed) && !failed) || isWithin(path, name)) {
                return Error{"will not overwrite a file that is being read", path, "another name"};
            }
        }
    }
    return Done{};
}

} // namespace loadline
