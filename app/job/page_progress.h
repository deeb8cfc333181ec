// How far a page's figure is.
#pragma once

#include "core/base/progress.h"

namespace loadline::app {

struct PageProgress {
    Progress reading;
    WorkProgress counting;
};

} // namespace loadline::app
