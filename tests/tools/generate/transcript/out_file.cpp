// Buffered writing of whole files.
#include "tests/tools/generate/transcript/out_file.h"

#include <filesystem>
#include <system_error>

namespace loadline::generate {
namespace {

constexpr std::size_t pieceBytes = std::size_t{512} << 10;

} // namespace

OutFile::OutFile(const std::string& path) {
    std::error_code failed; // then the file cannot be begun, and says why
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
    file_.emplace(path);
}

void OutFile::flush() {
    flushed_ += buffer_.size();
    if (file_) {
        file_->append(buffer_);
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
    return file_ ? file_->commit() : Status(Done{});
}

} // namespace loadline::generate
