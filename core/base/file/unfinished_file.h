// Files in the making that a signal handler can remove on the program's way out.
#pragma once

#include <string>

namespace loadline {

/// Remembers a file while it lives. Few at once have a place: one without, or with a path longer than the
/// system's, is not remembered.
class UnfinishedFile {
public:
    explicit UnfinishedFile(const std::string& path);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

private:
    int place_ = -1;
};

/// Removes every file that is remembered. Async-signal-safe, for a program that ends right after.
void removeUnfinishedFiles() noexcept;

} // namespace loadline
