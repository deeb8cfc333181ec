// Identity of this machine: tells it from others without naming it.
#pragma once

#include "core/cost/profile/profile_place.h"

namespace loadline::app {

/// Asked once. Needs no QCoreApplication.
const MachineIdentity& thisMachine();

} // namespace loadline::app
