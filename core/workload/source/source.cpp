// Tells what a source's name stands for.
#include "core/workload/source/source.h"

#include "core/base/file/read_file.h"
#include "core/session/files/file_kind.h"

#include <filesystem>
#include <system_error>

namespace loadline {

SourceKind kindOf(const Source& source, bool window) {
    if (source == Source()) {
        return SourceKind::Reference;
    }
    if (window && source.isOpen()) {
        return SourceKind::Open;
    }
    std::error_code failed;
    if (!std::filesystem::exists(source.name, failed)) {
        return SourceKind::Missing;
    }
    const bool logs = std::filesystem::is_directory(source.name, failed) ||
                      contentOf(readHead(source.name)) == FileContent::Sessions;
    return logs ? SourceKind::Logs : SourceKind::File;
}

} // namespace loadline
