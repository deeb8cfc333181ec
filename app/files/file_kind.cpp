// Tells session files from workloads and kernel times.
#include "app/files/file_kind.h"

#include "core/cost/import_kernels.h"
#include "core/workload/read_workload.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace loadline::app {

std::string headOf(const std::string& path) {
    constexpr std::size_t headBytes = std::size_t{1} << 16;
    std::ifstream file(path, std::ios::binary);
    std::string head(headBytes, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

FileKind fileKindOf(const std::string& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) {
        return FileKind::Sessions;
    }
    const std::string head = headOf(path);
    switch (workloadContentOf(head)) {
    case WorkloadContent::Distribution:
    case WorkloadContent::Trace:
        return FileKind::Workload;
    case WorkloadContent::SessionLog:
        return FileKind::Sessions;
    case WorkloadContent::Unknown:
        break;
    }
    const bool profile = head.find("\"loadline.profile/") != std::string::npos;
    return profile || isKernelCsv(head) ? FileKind::KernelTimes : FileKind::Sessions;
}

} // namespace loadline::app
