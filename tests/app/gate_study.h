// A made-up study that only tests know.
#pragma once

#include "core/ask/study.h"

namespace loadline::ask {

/// "From how many tokens on is a call long?", of sessions.
Study longCalls();

} // namespace loadline::ask
