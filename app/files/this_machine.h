// What tells this machine from others, without telling others which machine it is.
#pragma once

#include "core/cost/profile/profile_place.h"

namespace loadline::app {

/// Asked once. Needs no QCoreApplication.
const MachineIdentity& thisMachine();

} // namespace loadline::app
