// A device that does not exist: invented, repeatable times for demonstrations and tests without hardware.
#pragma once

#include "gpu/backend.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace loadline::gpu {

/// How it behaves; the defaults are a healthy device.
struct MadeUpBehaviour {
    double paceMs = 0;                   ///< each sample takes as long, so that a run can be watched
    std::optional<std::int64_t> errorAt; ///< the n-th sample of the run, from 0, is an Error
    std::optional<std::int64_t> crashAt; ///< ... ends the process by a signal
    std::optional<std::int64_t> hangAt;  ///< ... never returns
    std::optional<Kernel> wrong;         ///< fails its checks
    std::optional<std::int64_t> driftAt = std::nullopt; ///< from this sample on calls take a fifth longer
    bool operator==(const MadeUpBehaviour&) const = default;
};

/// Reads "pace_ms=2,crash_at=40" (also error_at, hang_at, drift_at, wrong=KERNEL); "" gives the defaults. The
/// Error names the word that is not understood.
Result<MadeUpBehaviour> madeUpBehaviourFromText(std::string_view text);

/// Opens the made-up device. Its times follow a roofline of no real card, with noise of +-2 % that depends on
/// the point and the number of the sample alone. It has all kernels, the swap-AB ones included.
std::unique_ptr<Backend> openMadeUpBackend(const MadeUpBehaviour& behaviour = {});

} // namespace loadline::gpu
