// Tells session files from workloads and kernel times.
#include "app/files/file_kind.h"

#include "core/base/read_file.h"
#include "core/cost/import/import_kernels.h"
#include "core/workload/source/read_workload.h"

namespace loadline::app {

FileKind fileKindOf(const std::string& path) {
    const std::string head = readHead(path);
    switch (workloadContentOf(head)) {
    case WorkloadContent::Distribution:
    case WorkloadContent::Trace:
        return FileKind::Workload;
    case WorkloadContent::KernelTimes:
        return FileKind::KernelTimes;
    case WorkloadContent::SessionLog:
        return FileKind::Sessions;
    case WorkloadContent::Unknown:
        break;
    }
    return isKernelCsv(head) ? FileKind::KernelTimes : FileKind::Sessions;
}

} // namespace loadline::app
