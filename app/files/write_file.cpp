// Complete writes with errors that say what to try; files appear whole or not at all.
#include "app/files/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace loadline::app {
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

Error writeError(int number, const std::string& path) {
    const bool full = number == ENOSPC || number == EDQUOT;
    const bool denied = number == EACCES || number == EPERM || number == EROFS;
    return {"cannot write: " + std::generic_category().message(number), path,
            full               ? "free some space, or write to another disk"
            : denied           ? "a folder that you may write to"
            : number == ENOENT ? "a folder that exists"
                               : ""};
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

Status writeDirectly(const std::string& path, std::string_view text) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return writeError(errno, path);
    }
    int number = writeAll(descriptor, text);
    if (::close(descriptor) != 0 && number == 0) {
        number = errno;
    }
    return statusOf(number, path);
}

} // namespace

Status writeTo(int descriptor, std::string_view text, const std::string& name) {
    return statusOf(writeAll(descriptor, text), name);
}

Status writeFile(const std::string& path, std::string_view text) {
    if (path == "-") {
        return writeTo(STDOUT_FILENO, text, "standard output");
    }
    const std::string target = resolved(path).string();

    struct stat status {};

    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return Error{"cannot write: it is a folder", path, "the name of a file in it"};
    }
    if (exists && !S_ISREG(status.st_mode)) {
        return writeDirectly(target, text);
    }
    const std::string temporary = target + "." + std::to_string(::getpid()) + ".part";
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return writeError(errno, path);
    }
    int number = writeAll(descriptor, text);
    if (number == 0 && exists && ::fchmod(descriptor, status.st_mode & 07777) != 0) {
        number = errno;
    }
    if (::close(descriptor) != 0 && number == 0) {
        number = errno;
    }
    if (number == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) {
        number = errno;
    }
    if (number != 0) {
        ::unlink(temporary.c_str());
        return writeError(number, path);
    }
    return Done{};
}

Status canWrite(const std::string& path) {
    std::error_code failed;
    const fs::path target = path == "-" ? fs::path() : resolved(path);
    if (fs::is_directory(target, failed)) {
        return Error{"cannot write: it is a folder", path, "the name of a file in it"};
    }
    if (path == "-" || (fs::exists(target, failed) && !fs::is_regular_file(target, failed))) {
        return Done{};
    }
    const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        return writeError(errno, path);
    }
    return Done{};
}

Status refuseToOverwrite(const std::string& path, std::span<const std::string> filesRead) {
    std::error_code failed;
    for (const std::string& file : filesRead) {
        if (fs::equivalent(path, file, failed) && !failed) {
            return Error{"will not overwrite a file that is being read", path, "another name"};
        }
    }
    return Done{};
}

} // namespace loadline::app
