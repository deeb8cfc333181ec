// What a single file that is opened holds, by its beginning.
#pragma once

#include <cstdint>
#include <string>

namespace loadline::app {

enum class FileKind : std::uint8_t {
    Sessions,    ///< an agent's log, or anything else: reading it tells
    Workload,    ///< a request trace or a file of distributions, to be simulated
    KernelTimes, ///< a profile, or a table of kernel timings
};

/// Sessions also where it cannot be read: the reader says why.
FileKind fileKindOf(const std::string& path);

} // namespace loadline::app
