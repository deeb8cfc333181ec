// Facts about this processor for a profile.
#pragma once

#include "gpu/backend.h"
#include "gpu/host/machine/cpu.h"

#include <cstdint>
#include <string>

namespace loadline::gpu {

/// Bytes that can be had without swapping, within the limits of this process; 0: not known.
std::int64_t availableMemory();
/// "Debian GNU/Linux 12 (bookworm)"; "" where the system does not say.
std::string operatingSystem();
/// The compiler of this program: "GCC 12.2.0".
std::string compiler();
/// Mean number of programs that wanted a processor in the last minute; below 0: not known.
double loadAverage();

/// The processor as a device that is measured with so many threads. Nothing in it names the machine.
DeviceInfo hostDeviceInfo(const Cpu& cpu, unsigned threads, const std::string& openBlas);

} // namespace loadline::gpu
